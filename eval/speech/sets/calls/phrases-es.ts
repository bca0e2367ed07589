import type { Phrases } from "./topics.ts";

/** What is said in every call in Spanish. */
export const phrases: Phrases = {
  greetings: [
    "Buenos días, gracias por llamar a {company}, mi nombre es {agent}, ¿en qué puedo ayudarle?",
    "{company}, le atiende {agent}, dígame, ¿en qué le puedo ayudar?",
    "Hola, bienvenido a {company}. Soy {agent}, ¿cómo puedo ayudarle hoy?",
    "Atención al cliente de {company}, habla con {agent}. Usted dirá.",
    "Buenas tardes, le habla {agent} de {company}, ¿en qué puedo servirle?",
    "Gracias por esperar, le atiende {agent}, de {company}. ¿Cuál es el motivo de su llamada?",
  ],
  pickUp: ["¿Diga?", "¿Sí? ¿Quién es?", "Hola, ¿dígame?"],
  outboundGreetings: [
    "Buenos días, ¿hablo con {customer}? Mi nombre es {agent} y le llamo de {company}.",
    "Hola, buenas tardes, soy {agent}, de {company}. ¿Tiene un momento para hablar?",
    "Buenas tardes, le llamo de parte de {company}, mi nombre es {agent}.",
  ],
  businessGreetings: [
    "{business}, buenos días, ¿en qué puedo ayudarle?",
    "Buenas tardes, {business}, le atiende {customer}. Dígame.",
  ],
  askName: [
    "Ahora mismo lo miro. ¿Me dice su nombre completo, por favor?",
    "Claro que sí. ¿Me puede dar su nombre y su código postal?",
    "Siento mucho lo ocurrido. ¿Con quién hablo, por favor?",
    "Vamos a comprobarlo. ¿A nombre de quién está el contrato?",
  ],
  giveName: [
    "Sí, soy {customer}.",
    "Me llamo {customer} y el contrato termina en {digits}.",
    "Está a nombre de {customer}.",
    "{customer}, y mi número termina en {digits}.",
  ],
  hold: [
    "Gracias. No se retire, por favor, que abro su ficha.",
    "Un momento, por favor, estoy entrando en sus datos.",
    "¿Le puedo dejar un minuto en espera mientras lo consulto con mis compañeros?",
  ],
  holdAnswer: ["Vale, sin problema.", "De acuerdo, espero.", "Sí, claro."],
  back: ["Gracias por la espera.", "Gracias por esperar, ya lo tengo aquí.", "Muy bien, ya tengo su ficha delante."],
  transfer: [
    "Le voy a pasar con el departamento correspondiente, no cuelgue, por favor.",
    "Mi compañero del equipo técnico le puede ayudar, ahora mismo le paso con él.",
  ],
  transferAnswer: ["De acuerdo, gracias.", "Bueno, espero no tener que explicarlo todo otra vez."],
  secondGreeting: [
    "Hola, soy {second}, del equipo técnico. Mi compañera ya me ha contado su caso.",
    "Buenos días, ahora habla con {second}. Veo que le han pasado conmigo.",
  ],
  menu: [
    "Bienvenido a {company}. Para facturas, pulse uno. Para averías, pulse dos. Para cualquier otra consulta, espere, por favor. Esta llamada puede ser grabada.",
    "Gracias por llamar a {company}. En este momento todos nuestros agentes están ocupados. Por favor, espere, su llamada es importante para nosotros.",
  ],
  anythingElse: [
    "¿Hay algo más en lo que pueda ayudarle?",
    "¿Puedo hacer algo más por usted?",
    "¿Tiene alguna otra consulta?",
  ],
  nothingElse: ["No, eso era todo, gracias.", "No, nada más. Ha sido muy amable.", "No, gracias, ya está."],
  close: [
    "Gracias por llamar a {company}, que tenga un buen día.",
    "A usted. Gracias por confiar en {company}, hasta luego.",
    "Ha sido un placer. Que pase un buen día, {customer}.",
  ],
  bye: ["Adiós.", "Gracias, hasta luego.", "Igualmente, adiós."],
  backChannels: ["Ajá.", "Sí.", "Vale.", "Claro.", "Ya veo."],
  third: [
    [
      "Perdone, soy el marido. Yo estaba aquí cuando pasó y ya era muy tarde por la noche.",
      "Muchas gracias, señor. Entonces lo apunto también.",
    ],
    [
      "Hola, soy su hija. Ella no oye muy bien, así que yo también escucho, si no le importa.",
      "Por supuesto, hablo con las dos.",
    ],
  ],
  voicemail: [
    "Hola, este es un mensaje para {customer}. Soy {agent}, de {company}. Le llamo por su consulta de la semana pasada. Hemos encontrado una solución y nos gustaría comentarla con usted. Por favor, llámenos cuando tenga un momento. Atendemos todos los días de nueve de la mañana a ocho de la tarde. Muchas gracias, hasta luego.",
    "Hola, me llamo {customer}. Les he llamado dos veces esta semana y no contesta nadie. Sigo esperando una respuesta sobre mi caso y quiero que alguien me llame hoy mismo. Mi número termina en {digits}. Es bastante urgente porque me marcho el viernes. Gracias.",
  ],
  fill: {
    company: ["Energía del Norte", "Telefonía Río Azul", "Seguros Bahía", "Banco Roble", "Aguas del Valle"],
    business: ["Clínica Dental Jardín", "Talleres Molina", "Hotel Molino Viejo"],
    agent: ["Laura", "Miguel", "Susana", "David", "Carmen", "Pedro", "Elena", "Javier"],
    second: ["Roberto", "Marta", "Andrés", "Alicia"],
    customer: ["Juan Romero", "María Castillo", "Tomás Vidal", "Ana Herrera", "Pablo Torres", "Lucía Navarro"],
    digits: ["cuatro siete dos nueve", "uno ocho cinco tres", "nueve cero seis dos", "tres tres siete uno"],
    amount: ["ochenta y siete euros", "cuarenta y dos euros", "ciento veinte euros", "sesenta y cinco euros"],
    month: ["enero", "marzo", "junio", "septiembre", "noviembre"],
    day: ["lunes", "martes", "miércoles", "jueves", "viernes"],
    time: ["las nueve de la mañana", "las diez y media", "las tres de la tarde", "las cinco"],
  },
};
