import type { Topic } from "./topics.ts";

/** What calls in Spanish are about. */
export const topics: Topic[] = [
  {
    name: "billing",
    split: "development",
    open: [
      "Sí, mire, llamo por mi factura. Este mes me han cobrado {amount} y no entiendo por qué.",
      "Hola, acabo de recibir la factura de {month} y viene un cargo de {amount} que no esperaba.",
      "Buenos días. Me han cobrado dos veces el mes de {month} y quiero que me devuelvan el dinero.",
    ],
    questions: [
      [["¿Tiene la factura delante?"], ["Sí, la estoy mirando ahora mismo.", "La tengo aquí en el móvil."]],
      [
        ["¿Por qué línea de la factura me pregunta?", "¿Me puede decir qué cargo es?"],
        ["Pone servicios adicionales, y después {amount}.", "La tercera línea, solo pone ajuste."],
      ],
      [
        ["¿Ha cambiado de tarifa en los últimos dos meses?"],
        ["No, tengo la misma tarifa desde hace años.", "Sí, pero me dijeron que el precio no cambiaba."],
      ],
    ],
    doubts: [
      [
        ["¿Entonces me van a devolver ese dinero o no?", "¿Y cuándo voy a ver la devolución?"],
        ["Sí, le devolvemos todo el importe en cinco días laborables.", "La devolución aparece en su próxima factura."],
      ],
      [
        ["¿Y esto va a pasar otra vez el mes que viene?", "¿Me asegura que no vuelve a pasar?"],
        ["No, ya he quitado ese servicio de su contrato.", "He dejado una nota en su ficha para que no cambie nada."],
      ],
    ],
    resolve: [
      "Ya veo lo que ha pasado. El descuento terminó en {month} y el sistema cobró el precio normal. Lo corrijo ahora mismo.",
      "Tiene usted razón, ha sido un error nuestro. He abierto una reclamación y he anulado el cargo.",
    ],
    outbound: [
      "Le llamo porque su banco nos ha devuelto el último recibo de {amount}.",
      "Qué raro, en esa cuenta debería haber dinero. Esta noche lo miro.",
    ],
  },
  {
    name: "internet",
    split: "development",
    open: [
      "Hola, no tengo internet desde el {day} y trabajo desde casa.",
      "Buenas, la conexión se corta cada pocos minutos. Es muy molesto.",
      "Buenos días, me he quedado sin línea. El aparato tiene una luz roja.",
    ],
    questions: [
      [
        ["¿Ha probado a apagar y encender el aparato?", "¿Ya ha reiniciado el aparato?"],
        ["Sí, ya lo he hecho tres veces.", "Lo hice esta mañana y sigue igual."],
      ],
      [
        ["¿De qué color es la luz de delante?"],
        ["La primera está verde y la segunda parpadea en rojo.", "Creo que todas están de color naranja."],
      ],
      [
        ["¿Le pasa también con el cable o solamente sin cable?"],
        ["Yo siempre me conecto sin cable.", "Con el cable me pasa lo mismo."],
      ],
    ],
    doubts: [
      [
        ["¿Y cuánto van a tardar?", "¿Tengo que estar en casa?"],
        ["El técnico puede pasar el {day} a {time}.", "Sí, tiene que haber una persona mayor de edad en casa."],
      ],
      [
        ["¿Me van a cobrar la visita?", "¿Y quién me paga los días sin internet?"],
        ["No, la reparación es gratuita.", "Se los descontamos en la próxima factura."],
      ],
    ],
    resolve: [
      "He comprobado su línea desde aquí y la señal llega muy débil. Le voy a mandar un técnico.",
      "Acabo de reiniciar la línea desde la central. Espere dos minutos y mire otra vez las luces.",
    ],
    outbound: [
      "Le llamo para decirle que ya hay fibra en su calle, por el mismo precio que paga ahora.",
      "La verdad es que estoy contento con lo que tengo. ¿De verdad cuesta lo mismo?",
    ],
  },
  {
    name: "delivery",
    split: "development",
    open: [
      "Hola, hace dos semanas que compré una lavadora y todavía no ha llegado.",
      "Buenas tardes, el repartidor le ha dejado mi paquete a un vecino que no conozco.",
      "Hola, hoy me ha llegado el paquete, pero la caja estaba abierta y falta una cosa.",
    ],
    questions: [
      [
        ["¿Me dice el número de pedido, por favor?", "¿Tiene a mano el número de pedido?"],
        ["Sí, termina en {digits}.", "Un segundo. Es el {digits}."],
      ],
      [
        ["¿La dirección de entrega sigue siendo la misma?"],
        ["Sí, no ha cambiado nada.", "Me mudé en {month}, pero ya se lo dije."],
      ],
      [
        ["¿Le dejaron un aviso en la puerta?"],
        ["No, en el buzón no había nada.", "Había un aviso, pero no se entiende el nombre."],
      ],
    ],
    doubts: [
      [
        ["¿Me lo pueden traer el {day}?", "¿Podrían venir después de {time}?"],
        ["Se lo puedo reservar, entre las dos y las seis de la tarde.", "Sí, lo pongo en la nota de entrega."],
      ],
      [
        ["¿Y si esta vez tampoco viene?", "¿Y qué hago con la que está rota?"],
        [
          "Entonces le devolvemos el dinero y se queda con el vale.",
          "El repartidor se la lleva, no tiene que pagar nada.",
        ],
      ],
    ],
    resolve: [
      "El pedido está en nuestro almacén del sur. Lo he marcado como urgente y sale mañana.",
      "Lo siento muchísimo. Hoy mismo le mando una nueva sin ningún coste.",
    ],
    outbound: [
      "Le llamo por su pedido. El modelo que eligió ya no está disponible y queremos ofrecerle otro.",
      "Vaya, qué pena. ¿El otro tiene el mismo tamaño?",
    ],
  },
  {
    name: "appointment",
    split: "held-out",
    open: [
      "Hola, necesito cambiar una cita. El {day} no puedo ir.",
      "Buenas, quería ver al médico esta semana, si es posible.",
      "Buenos días, me ha llegado una carta que dice que mi cita está cancelada y nadie me ha dicho por qué.",
    ],
    questions: [
      [["¿Ha venido antes a nuestra clínica?"], ["Sí, estuve en {month}.", "No, es la primera vez."]],
      [
        ["¿Prefiere por la mañana o por la tarde?", "¿Qué día le viene bien?"],
        ["Por la mañana, si puede ser antes de {time}.", "Cualquier día menos el {day}."],
      ],
      [["¿La cita es para usted o para otra persona?"], ["Es para mi madre, que tiene ochenta y un años.", "Para mí."]],
    ],
    doubts: [
      [
        ["¿Tengo que llevar algo?", "¿Llevo las pruebas anteriores?"],
        ["Solamente la tarjeta sanitaria y la lista de sus medicinas.", "Sí, por favor, y venga diez minutos antes."],
      ],
      [
        ["¿Dónde tengo que ir exactamente?", "¿Se puede aparcar allí?"],
        [
          "Es en la segunda planta, a la izquierda del ascensor.",
          "Hay un aparcamiento detrás, la primera hora es gratis.",
        ],
      ],
    ],
    resolve: [
      "Tengo un hueco el {day} a {time}. Se lo dejo apuntado y le llegará un mensaje.",
      "Ese día el doctor estaba enfermo. Le puedo ofrecer el {day} a {time}.",
    ],
    outbound: [
      "Le llamo para recordarle su cita del {day} a {time}.",
      "Ay, se me había olvidado por completo. ¿La podemos pasar a la semana que viene?",
    ],
  },
  {
    name: "insurance",
    split: "held-out",
    open: [
      "Hola, ayer tuve un pequeño accidente con el coche y tengo que dar parte.",
      "Buenas, me está cayendo agua del techo de la cocina y creo que el seguro lo cubre.",
      "Buenas tardes, les mandé un parte en {month} y todavía no sé nada.",
    ],
    questions: [
      [
        ["Lo primero, ¿están todos bien?", "¿Ha habido algún herido?"],
        ["Sí, por suerte solo ha sido la chapa.", "No, nadie, solo fue el susto."],
      ],
      [
        ["¿Cuándo ocurrió exactamente?", "¿Me puede decir el día y la hora?"],
        ["Ayer, sobre {time}.", "El {day}, ya de noche."],
      ],
      [
        ["¿Nos podría mandar unas fotos de los daños?"],
        ["Sí, mi hijo ha hecho unas cuantas.", "Esta noche se las mando."],
      ],
    ],
    doubts: [
      [
        ["¿Tengo que pagar yo algo?", "¿Qué parte me toca pagar a mí?"],
        ["Su póliza tiene una franquicia de {amount}.", "En este caso nada, porque no fue culpa suya."],
      ],
      [
        ["¿Puedo llamar a mi fontanero?", "¿Puedo elegir el taller?"],
        ["Sí, pero guarde la factura, por favor.", "Puede, aunque con el nuestro va más rápido."],
      ],
    ],
    resolve: [
      "He abierto el parte, el número termina en {digits}. Un perito le llamará antes del {day}.",
      "Ya está todo en el expediente. El {day} mandamos a alguien para ver los daños.",
    ],
    outbound: [
      "Le llamo porque su póliza del hogar termina en {month} y le hemos preparado una oferta.",
      "Si le digo la verdad, he estado mirando otras compañías. ¿Cuánto costaría?",
    ],
  },
  {
    name: "card",
    split: "held-out",
    open: [
      "Hola, he perdido la cartera y necesito bloquear la tarjeta ahora mismo.",
      "Buenas, en mi cuenta hay un pago de {amount} que yo no he hecho.",
      "Buenos días, el cajero se tragó mi tarjeta el {day}.",
    ],
    questions: [
      [
        ["¿Cuáles son los cuatro últimos números de la tarjeta?"],
        ["Son {digits}.", "Creo que {digits}, no la tengo aquí."],
      ],
      [["¿Cuándo la usó por última vez?"], ["El {day}, en la gasolinera.", "Esta mañana, en un supermercado."]],
      [
        ["¿Reconoce un pago de {amount} en un restaurante?"],
        ["No, yo ni siquiera estaba en la ciudad.", "Sí, ese lo hice yo."],
      ],
    ],
    doubts: [
      [
        ["¿Y cómo pago hasta que llegue la nueva?", "¿Puedo sacar dinero sin la tarjeta?"],
        ["Puede usar la que tiene en la aplicación del móvil.", "Sí, con su documento en cualquier oficina."],
      ],
      [
        ["¿Cuándo me llega la tarjeta nueva?", "¿Va a tener el mismo número?"],
        ["Tarda unos cinco días laborables.", "No, por su seguridad será otro distinto."],
      ],
    ],
    resolve: [
      "La tarjeta queda bloqueada desde este momento. Ya nadie puede usarla.",
      "He marcado el pago como no autorizado. El dinero estará en su cuenta antes del {day}.",
    ],
    outbound: [
      "Le llamo porque hemos visto un pago extraño de {amount} con su tarjeta en otro país.",
      "¿De verdad? Yo llevo toda la semana en casa. Párelo, por favor.",
    ],
  },
];
