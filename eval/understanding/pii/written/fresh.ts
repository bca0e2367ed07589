/** Written after the rules, in manners that no template has. In the form of development.ts. */
export const freshDictations = `
es
A: Para abrir la ficha me tiene que dar su deneí.
C: Ya, ya. [NATIONAL_ID|cincuenta millones, seiscientos doce mil, cuatrocientos treinta y uno, efe].

es
C: Pues a nombre de mi cuñado, deneí [NATIONAL_ID|09 44 12 87 K].

es
A: ¿Me recuerda el documento?
C: Se lo digo despacito: [NATIONAL_ID|cero cinco... tres tres nueve... uno dos ocho... jota].

es
C: Soy Ramón, de Talleres Ramón, [NATIONAL_ID|be doce, treinta y cuatro, cincuenta y seis, setenta y cuatro].
A: ¿Ese es el CIF?
C: Ese.

es
A: ¿Número de residencia?
C: [NATIONAL_ID|I griega, cero uno dos tres cuatro cinco seis, ge], el NIE.

es
A: Me podría brindar su cédula.
C: Sí señor, [NATIONAL_ID|setenta y nueve millones ochocientos doce mil trescientos cuarenta].

es
A: Deme su número de DNI, caballero.
C: [NATIONAL_ID|28.415.903], vivo en Rosario.

es
C: mi curp es [NATIONAL_ID|pe e ge ere ocho cinco cero uno uno cinco hache de efe ele ene ere cero nueve]

es
A: Repítame el móvil, que se ha cortado.
C: Que es el [PHONE|seis noventa y nueve, cero cero, veintiuno, cuarenta].

es
C: Apunta ahí: [PHONE|seis cuarenta, cuarenta, cuarenta, cuatro cero], facilísimo.

es
A: Tengo aquí un fijo, [PHONE|nueve cinco cuatro, doble dos, uno tres, siete cero], ¿lo sigue usando?
C: No, quítelo y ponga [PHONE|seiscientos treinta y uno cero dos cero tres cero cuatro].

es
C: Mi WhatsApp es [PHONE|cincuenta y siete, tres doce, cuatro cinco seis, siete ocho nueve cero].

es
C: Márqueme al [PHONE|ochenta y uno, veinte, treinta y cinco, once, cero seis], por favor, después de las 4.

es
A: ¿Lo llamo al mismo?
C: No, ese no. Al de mi señora: [PHONE|quince, cuarenta y cuatro, cincuenta y cinco, sesenta y seis, siete ocho].

es
C: El correo es el de siempre, [EMAIL|merche, m e r c h e, cincuenta y nueve, arroba, gmail, punto com].

es
C: Sería [EMAIL|contabilidad arroba hermanos ruiz punto es], hermanos ruiz junto.

es
A: ¿Y el email?
C: [EMAIL|j punto a punto soler arroba outlook punto es].

es
C: Escríbame a [EMAIL|paquito_el_chocolatero@yahoo.es], no se ría.

es
C: mi mail es [EMAIL|rosa guion bajo maria guion bajo cero uno arroba icloud punto com]

es
A: ¿Cuenta corriente?
C: De memoria: [BANK_ACCOUNT|veinte treinta y ocho, cincuenta y siete setenta y ocho, noventa y uno, treinta cero cero, uno dos tres cuatro cinco seis].

es
C: El IBAN empieza por [BANK_ACCOUNT|ES setenta y uno], luego [BANK_ACCOUNT|treinta cincuenta y ocho], luego [BANK_ACCOUNT|cero cero uno nueve], luego [BANK_ACCOUNT|cuarenta y dos] y acaba en [BANK_ACCOUNT|doscientos setenta y cinco cero cero uno uno tres cuatro].

es
A: ¿Me da la CBU para la devolución?
C: [BANK_ACCOUNT|Cero uno siete cero, cero noventa y nueve, dos dos cero, cero cero cero cero, seis siete siete nueve, siete cuatro siete cero, cuatro cuatro].

es
C: Pasen el recibo por la [BANK_ACCOUNT|2100 0813 61 0123456789] de La Caixa.

es
A: Pues vamos con el pago. Número de tarjeta.
C: [CARD|Cincuenta y dos diecisiete].
A: Sí.
C: [CARD|Cero cuatro once].
A: Sí.
C: [CARD|Treinta y tres treinta y tres].
A: Sí.
C: [CARD|Noventa cero dos].

es
C: Cárguelo a la Visa [CARD|cuatro mil novecientos setenta y seis, dos mil trescientos diez, cero cero cuarenta y cinco, siete mil ochocientos uno].

es
C: Tengo dos tarjetas, la [CARD|4539 1488 0343 6467] y otra que no uso.

es
C: Mi pasaporte mexicano es el [PASSPORT|G veintitrés cuarenta y cinco sesenta y siete ochenta y nueve].

es
A: Léame el pasaporte.
C: [PASSPORT|Equis de equis, de a de dado, cero cuatro cuatro dos uno nueve].

es
A: ¿Cuál es el coche?
C: Un Ibiza blanco, [LICENSE_PLATE|siete mil cuarenta y dos, ka, be, te].

es
C: La moto lleva la [LICENSE_PLATE|cero nueve uno cero, efe efe erre].

es
C: El carro tiene placas [LICENSE_PLATE|eme equis u, cuarenta y siete, doce].

es
C: matrícula antigua eh [LICENSE_PLATE|a de Alicante 4 3 2 1 ce jota]

es
A: ¿Edad y fecha de nacimiento?
C: 44 años, del [DATE_OF_BIRTH|quince del siete del ochenta y uno].

es
A: Fecha de nacimiento de la niña.
C: [DATE_OF_BIRTH|Uno de enero de dos mil once].

es
C: Mi padre nació en [DATE_OF_BIRTH|el cuarenta y tres], en agosto.

es
A: Escriba el usuario, ¿cuál pone?
C: Pongo [USERNAME|lola punto mento].

es
C: Mi usuario es [USERNAME|el gato con botas, todo junto, ochenta y dos].

es
A: ¿Y qué contraseña le pusieron?
C: [PASSWORD|Madrid, con mayúscula, dos mil veinticuatro, almohadilla].

es
C: La clave son cuatro números, [PASSWORD|siete uno uno nueve].

es
A: El contrato 5530912 está activo desde 2019 y paga 32,50 al mes.
C: ¿Y por qué pone 41? Son 8 euros y medio más. Además tengo contratados 1000 megas.
A: Por el alta de la segunda línea, que se hizo el 3 de junio a las 12:30.

es
C: Calle Mayor, 15, y hay 4 vecinos con lo mismo. Llevamos 72 horas sin luz.
A: Queda abierta la avería 7788123, en 24 o 48 horas le llaman.

en
A: Sort me out with your NI number, would you?
C: It's [NATIONAL_ID|Juliet Golf, one oh three, seven five nine, Alpha].

en
A: I'll need the full social.
C: [NATIONAL_ID|Four one seven... dash two two... dash nine thousand and six].

en
C: Social's [NATIONAL_ID|219-09-9999], same as last time.

en
C: Yeah hi, my cell is [PHONE|eight one eight, triple five, oh one nine nine].

en
A: Best way to contact you?
C: Landline. [PHONE|Oh one six one, four nine six, oh double one three].

en
C: Ring us on [PHONE|plus four four, seventeen thirty-two, four nine oh, triple two].

en
C: It's a US number, [PHONE|one, nine one seven, two hundred, thirty fourteen].

en
C: That's [EMAIL|doctor dot who at bbc dot co dot uk], seriously.

en
A: Which email did you register?
C: [EMAIL|T as in Tom, lopez, L O P E Z, at gmail dot com].

en
C: [EMAIL|sales team at acme minus tools dot net] is the best one.

en
A: Read me the sixteen digits slowly.
C: [CARD|Five four triple zero], [CARD|one eleven], [CARD|twenty-two thirty-three], [CARD|four four five five six].

en
C: Here's my Amex: [CARD|three seven one four, four nine six three five three, nine eight four three one].

en
A: Account and sort code please.
C: Account [BANK_ACCOUNT|six six three seven four nine five eight], sort code [BANK_ACCOUNT|oh nine, oh one, two eight].

en
C: Direct deposit goes to [BANK_ACCOUNT|four four one eight, double nine, seven three two].

en
C: My passport? [PASSPORT|C zero one X zero zero T four seven], it's German.

en
C: Car reg [LICENSE_PLATE|whiskey lima seven zero, tango hotel x-ray].

en
A: Plate and state?
C: [LICENSE_PLATE|L V R, eight eight two one], Texas.

en
A: How old is the patient, and her birthday?
C: She's 7, born [DATE_OF_BIRTH|on the ninth of the ninth, two thousand seventeen].

en
A: Date of birth?
C: [DATE_OF_BIRTH|Eleven eleven fifty-eight].

en
C: My login is [USERNAME|k dot hughes seven] and the password's [PASSWORD|bluebird ninety-nine star].

en
A: Choose a PIN.
C: [PASSWORD|Nine zero, nine one].

en
A: You're on the 500 meg plan at 38.50, contract 77120094, renewed in May 2023 for 24 months.
C: And my neighbour pays 29 for 900. I rang at 8 and again at 10 past 2.
`;
