/**
 * Dictations written out by hand. A block is a call, its first line the language; `A:` and `C:` are the sides, `[TYPE|…]` marks a value
 * or what of it a turn says. Numbers outside marks are nobody's.
 */
export const developmentDictations = `
es
A: Buenos días, ¿me puede decir el DNI del titular?
C: Sí, apunte. [NATIONAL_ID|47 millones, 112 mil, 309], letra [NATIONAL_ID|ele de Lugo].
A: Gracias. ¿Y un teléfono?
C: El [PHONE|seis cincuenta y cinco, doce, treinta y cuatro, cero nueve].

es
A: ¿Con quién hablo y cuál es su NIE?
C: Eh, [NATIONAL_ID|equis, cuatro siete ocho, uno uno dos, nueve], y la letra es [NATIONAL_ID|la eme].
A: Le llegará en 3 días, pedido 4471029.

es
C: Oye, que te paso la cuenta. [BANK_ACCOUNT|E ese sesenta y seis, veintiuno cero cero, cero cuatro uno ocho, cuarenta, doce treinta y cuatro cincuenta y seis siete ocho nueve uno].
A: Apuntada, cobraremos 49,90 euros el día 5.

es
A: Dígame los dígitos de la tarjeta.
C: [CARD|Cuatro cinco cuatro siete]
A: Cuatro cinco cuatro siete, sí.
C: [CARD|Dos dos uno cero]
A: Ajá.
C: [CARD|Nueve nueve cero tres]
A: Vale, y los últimos cuatro.
C: [CARD|Ocho ocho uno dos].
A: ¿Caducidad y CVV?
C: El CVV es [CARD|tres uno siete].

es
C: La matrícula, pues [LICENSE_PLATE|cuatro mil quinientos doce, jota, ele, zeta].
A: ¿Qué seguro tiene, el de 300 euros?

es
C: Mi correo es [EMAIL|pepe barra baja ruiz siete siete arroba gmail punto com], pepe con minúscula.

es
A: ¿Correo?
C: [EMAIL|Lucía punto fernández], acabado en zeta, [EMAIL|arroba hotmail punto es].

es
C: Es [EMAIL|info arroba talleres guion medio mendoza punto com].

es
C: mi correo pues es [EMAIL|a n a b e l ochenta y ocho arroba yahoo punto com punto mx]

es
A: ¿Fecha de nacimiento?
C: El [DATE_OF_BIRTH|3 de mayo del 71].
A: ¿Y su contrato, cuándo lo firmó?
C: El 12 de enero de 2021.

es
C: Nací un [DATE_OF_BIRTH|veintinueve de febrero de mil novecientos setenta y seis] y mire, nunca me felicitan.

es
A: ¿Me dice su teléfono?
C: Sí, es el [PHONE|cincuenta y cinco, cuarenta y tres, doce, noventa, cero siete].
A: ¿Lada?
C: [PHONE|cincuenta y cinco].

es
C: Mi celular es [PHONE|trescientos quince, cuatrocientos veinte, ochenta y ocho, cero uno].
A: Con gusto, son 45.000 pesos.

es
A: Su número de cédula, por favor.
C: [NATIONAL_ID|Un mil dieciocho, cuatrocientos cincuenta y seis, setecientos ochenta y nueve].

es
A: Indíqueme su RUT.
C: [NATIONAL_ID|Doce millones trescientos cuarenta y cinco mil seiscientos setenta y ocho guion cinco].

es
C: Mi RFC es [NATIONAL_ID|G A R M ocho cinco cero siete uno dos H siete dos].

es
C: El usuario es [USERNAME|mgarcia82], todo junto, y la contraseña [PASSWORD|Perro2019!].
A: Perfecto.

es
A: ¿Y la clave?
C: [PASSWORD|Caballo cuarenta y cinco], con mayúscula.

es
A: Le mando un código, ¿me lo lee?
C: Sí, [PASSWORD|cuatro ocho dos nueve uno uno].

es
C: El pasaporte es [PASSPORT|pe a be, cero cero tres, cuatro cinco seis].
A: El vuelo sale a las 7 y 40 de la puerta 12.

es
A: Dígame el número de pasaporte.
C: [PASSPORT|A A C 4 5 8 9 0 1], caduca en 2029.

es
C: Mire, quería saber por qué me han cobrado 132 euros en la factura 20231187 si mi tarifa es de 39.
A: Deme su documento.
C: [NATIONAL_ID|Siete uno dos, tres cuatro ocho, nueve uno], [NATIONAL_ID|hache].

es
A: ¿Me confirma el número de móvil?
C: [PHONE|Seis siete siete], a ver que no me acuerdo, [PHONE|cuatro cinco], no, cuatro seis, [PHONE|dos tres uno uno].

es
A: Le llamo al [PHONE|612 34 56 78], ¿verdad?
C: Sí.
A: Tiene usted 600 megas y 2 líneas móviles con 40 gigas.

es
C: Mi número es [PHONE|+34 655 443 322] y el de mi oficina [PHONE|91 555 23 10].

es
C: Vengo llamando tres veces desde el lunes 14, y el expediente es 88213907.
A: Lo veo, el expediente 88213907. Su póliza cubre hasta 3.000 euros.

es
C: Pues la cuenta, la antigua era [BANK_ACCOUNT|0182 4400 51 0201234567] y la nueva [BANK_ACCOUNT|ES12 0049 1500 0512 3456 7892].

es
A: ¿CIF de la empresa?
C: [NATIONAL_ID|B de Barcelona, ocho seis, cuatro cinco uno, dos tres cero].

es
C: Vivo en el tercero, la calle es corta, son doscientos metros.
A: ¿Ha probado a esperar 30 segundos y reiniciarlo 2 veces?
C: Sí, y son las cinco y media, llevo así desde las nueve.

es
C: Mi hija nació el [DATE_OF_BIRTH|10 de octubre de 2015], tiene 9 años.
A: La tarifa infantil son 12 euros con 50.

es
A: su fecha de nacimiento
C: [DATE_OF_BIRTH|doce doce ochenta]

en
A: Can I take the card number?
C: Sure, [CARD|four nine two nine, one two three four]
A: Uh-huh.
C: [CARD|five six seven eight, nine zero one two].
A: And the three digits on the back?
C: [CARD|seven four one].

en
A: What's your mobile?
C: [PHONE|Oh seven seven double zero, nine hundred, four five six].

en
C: You can get me on [PHONE|555 0142] extension 33.

en
C: It's area code [PHONE|four one five, five five five, twenty-six seventy-one].

en
A: Your social, please?
C: [NATIONAL_ID|Five three six], [NATIONAL_ID|ninety], [NATIONAL_ID|four four three two].
A: Thanks. That plan is $45.99 with 15% off for 12 months.

en
A: And your National Insurance number?
C: [NATIONAL_ID|Q Q, twelve, thirty-four, fifty-six, C for Charlie].

en
C: My email's [EMAIL|jay dot miller at outlook dot com], that's miller with two Ls.

en
A: Email?
C: [EMAIL|s m i t h underscore nineteen eighty at yahoo dot co dot uk].

en
C: Please send it to [EMAIL|billing at green hyphen garden dot co dot uk].

en
A: Your date of birth for me?
C: [DATE_OF_BIRTH|Fourteenth of the third, eighty-five].

en
C: I was born in [DATE_OF_BIRTH|nineteen sixty-two], in Leeds.

en
C: DOB is [DATE_OF_BIRTH|oh six, twenty-two, ninety-one].

en
A: The reg?
C: [LICENSE_PLATE|Kilo November six eight, Yankee Oscar Whiskey].

en
C: License plate [LICENSE_PLATE|seven A B C one two three], it's a Honda from 2014.

en
C: Sort code is [BANK_ACCOUNT|twenty, forty-five, twelve] and the account number's [BANK_ACCOUNT|three one nine two, six eight one five].

en
A: Routing number?
C: [BANK_ACCOUNT|zero two one, zero zero zero, zero two one].
A: Account?
C: [BANK_ACCOUNT|1 2 3, 4 5 6, 7 8 9 0].

en
A: Username?
C: [USERNAME|jmiller underscore nine].
A: And the password you tried?
C: [PASSWORD|capital S, summer, twenty twenty, exclamation mark].

en
C: My passport number is [PASSPORT|five one eight, double three two, zero seven four].

en
C: I ordered 3 shirts on order 5521980 for $89.97 and got 2, and the tracking says 9400111.
A: I see it left on March 3rd, 2024, at 5 pm.

en
A: Our opening hours are nine to five thirty, and the case number is four four one nine two zero seven.
C: Okay, I called at ten fifteen and waited twenty-five minutes.

en
A: Could I have the last four of your social?
C: [NATIONAL_ID|Six six one zero].

en
A: What's a good callback number?
C: [PHONE|six oh nine, five five five, no sorry, five five six, twelve twelve].

en
C: Yeah so the number is [PHONE|020 7946 0958], and I've had 3 engineers out in 2 weeks.

en
A: Can you read me the IBAN?
C: [BANK_ACCOUNT|G B twenty-nine, N W B K, sixty sixteen thirteen, three one nine two six eight one nine].

en
C: My pin is [PASSWORD|four four seven one] and it's blocked.
`;
