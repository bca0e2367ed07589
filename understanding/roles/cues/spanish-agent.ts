import { phrases } from "../plain-words.ts";
import type { AgentCue } from "./cue-names.ts";

/** "le", "te", "se lo" … before a verb: something done for the other. */
const TO_OTHER = "(?:(?:le|les|te|os|se l[oae]s?|te l[oa]s?|os l[oa]s?)(?: (?:ya|la|lo))?)";
const YOUR = "(?:su|sus|tu|tus|el|la|los|las|un|una|algun)";
const IDENTIFIERS =
  "(?:nombre|apellidos?|nombre completo|dni|nif|nie|cif|rut|ruc|curp|rfc|cedula|documento|numero|codigo|correo|" +
  "email|mail|direccion|domicilio|telefono|movil|celular|poliza|pedido|expediente|localizador|matricula|contrato|" +
  "guia|fecha|ultimos|ultimas|cuatro|titular|afiliado|referencia|cuenta|tarjeta|modelo|serie|resguardo|clave|pin|" +
  "cups|municipio|calle|edad|boleta|factura|usuario|dominio|placa|folio|codigo postal|numerito|datos)";
/** Verbs by which somebody asks to be told. */
const TELL =
  "(?:dice|dices|decis|dira|das?|da|indica|indicas|facilita|facilitas|proporciona|proporcionas|confirma|confirmas|" +
  "confirmaria|regala|brinda|dicta|deja|dejas|deletrea|repite|recuerda|comenta|pasa|pasas|ayuda con|" +
  "(?:puede|puedes|podria|podrias|podes)(?: usted)? (?:decir|dar|indicar|facilitar|proporcionar|confirmar|regalar|" +
  "brindar|dictar|dejar|deletrear|repetir))";

/** Spanish of Spain and of America, what the company's side says. */
export const spanishAgent: Partial<Record<AgentCue, RegExp>> = {
  greets_for_company: phrases(
    `(?:gracias|muchas gracias) por (?:llamar|llamarnos|comunicarse|comunicarte|contactar|contactarnos|su llamada|tu llamada|su espera|esperar)`,
    "bienvenid[oa]s? a",
    "(?:le|te|os) (?:atiende|atendemos|saluda|habla|asiste)",
    "al habla",
    "se (?:comunico|ha comunicado|comunica) con",
    "habl(?:a|as) con \\w+ (?:de|del|desde)",
    "atencion (?:al|a) (?:cliente|usuario|viajero|paciente|socio|publico)\\w*",
    "servicio (?:tecnico|de atencion|de averias|al cliente)",
    "(?:departamento|area|seccion) (?:de|comercial|tecnic[oa]|administrativ[oa])",
    "mi nombre es \\w+ (?:.{0,40} )?en que",
  ),
  offers_help: phrases(
    "que (?:puedo|podemos) hacer por (?:usted|ti|vos|ustedes)|para servirle|a sus ordenes|en que le podria",
    "para poder (?:ayudar|atender|identificar|localizar)(?:le|te|la|lo)",
    "en que (?:mas )?(?:(?:le|lo|la|los|las|te|os|les) )?(?:puedo|podemos|podria|podriamos) (?:ayudar|servir|atender|colaborar|asistir|apoyar)\\w*",
    "en que (?:le|lo|la|te|os|les) (?:ayudo|ayudamos|atiendo|sirvo|colaboro|asisto|apoyo)",
    "en que puedo \\w+(?:le|lo|la|te|os|les)",
    "como (?:(?:le|lo|la|te|os|les) )?(?:puedo|podemos) (?:ayudar|servir|atender|colaborar)\\w*",
    "como puedo ayudar\\w*",
    "digame en que|cuenteme en que|que (?:se )?le ofrece|que consulta tiene|que necesita(?:ba|s)?|cual es su consulta",
    "cuenteme",
    "cual es (?:el|su) motivo|motivo de (?:su|la) llamada|que le pongo|que (?:ha ocurrido|le ocurre|ocurre|le pasa|le sucede)",
    "que te (?:pasa|ocurre|sale)|que (?:os|le) sale",
  ),
  offers_more_help: phrases(
    "algo mas en (?:lo )?que|en algo mas|algo mas (?:en lo )?que (?:le|te|lo|la)",
    "(?:alguna|tiene alguna|tienes alguna|desea alguna|otra) (?:otra )?(?:consulta|duda|inquietud|gestion|pregunta|cosa en|informacion)(?: mas| adicional)?",
    "(?:necesita|necesitas|desea|quiere|quieres|precisa) (?:alguna cosa|algo) mas",
    "algo mas ?\\?",
    "colaborar (?:con|en) algo mas|ayudar(?:le|te|la|lo)? en (?:algo|alguna)",
  ),
  asks_identification: phrases(
    "(?:voy|vamos) a (?:necesitar|pedirle|pedirte|solicitarle)|(?:seria|es usted|fuera|si es) tan amable|le importaria (?:decirme|darme|confirmarme|indicarme)",
    "me (?:lo|la) (?:confirma|deletrea|repite|puede (?:confirmar|deletrear|repetir))",
    `me (?:lo |la )?${TELL} (?:por favor )?(?:con )?(?:${YOUR} )?(?:numero de )?${IDENTIFIERS}`,
    `(?:digame|dime|deme|dame|indiqueme|indicame|facilitem?e|confirmeme|confirmame|pasame|paseme|regaleme|necesito|necesitaria|ocupo|requiero|deletreeme) (?:por favor )?(?:${YOUR} )?(?:numero de )?${IDENTIFIERS}`,
    `(?:cual es|cual seria) (?:su|tu) ${IDENTIFIERS}`,
    "(?:puedo|podria) (?:tomar|tener|saber) (?:su|tu) \\w+",
    "con quien (?:tengo el gusto|hablo|tengo el placer|estoy hablando)",
    "a (?:que|nombre de quien|que nombre)",
    "(?:hablo con el|es usted el|usted es el|es el|es usted la|hablo con la|es la) titular",
    "por (?:motivos de )?(?:seguridad|proteccion de datos)",
    "tiene (?:a (?:la )?mano )?(?:su|el|la) (?:numero|codigo|localizador|boleta|factura|pedido|dni|poliza|contrato)\\w*",
    "desde que numero|fecha de nacimiento ?\\?|su nombre ?\\?|su apellido ?\\?|(?:un|su) telefono ?\\?|(?:nombre|dni|el numero de contrato|la matricula) ?\\?",
  ),
  asks_details: phrases(
    "(?:ha|has) (?:probado|mirado|comprobado|intentado|reiniciado|cerrado|revisado|tenido)",
    "(?:quiere|quieres|desea|le gustaria|te gustaria|prefiere|prefieres) que (?:le|te|lo|la|se)",
    "(?:le|te) (?:viene|va|parece|queda|interesa) bien",
    "(?:para cuantas personas|cuantos son|para que (?:dia|fecha|hora)|a domicilio o|para recoger)",
    "sigue siendo|me confirma que|es correcto|verdad ?\\?|cierto ?\\?|es (?:usted )?(?:paciente|cliente|socio)",
    "desde cuando|que luz|que le aparece|que error|tiene algun",
  ),
  holds: phrases(
    "(?:me )?permit(?:e|ame|eme)(?: (?:un|unos) (?:momento|momentito|segundo|minuto|instante|momentico|segundos)| en (?:la )?linea)",
    "no (?:cuelgue|cuelgues|me cuelgue|corte|me corte|se retire)",
    "(?:mantengase|manteneme|manténgase|aguarde|aguardeme|espere|espereme|quedese) (?:en (?:la )?linea|un momento por favor|a la espera)",
    "(?:gracias|disculpe|perdone|perdon) (?:por )?(?:la|su|tu|por su|por la) (?:espera|paciencia|tiempo)",
    "gracias por (?:esperar|aguardar|la espera|su espera|su tiempo|su paciencia|mantenerse)",
    "(?:le|te) (?:pongo|dejo) en espera|regaleme un (?:momento|minuto|segundo)\\w*|aguarda(?:me)? un",
    "un (?:momento|segundo|momentito|instante) (?:por favor )?(?:que|mientras) (?:le |lo |la |te )?(?:compruebo|reviso|miro|verifico|valido|consulto|busco en|abro|accedo)",
  ),
  looks_up: phrases(
    "(?:voy a|vamos a|dejeme|dejame|deje que|permitame|permiteme|permita que|deja que) (?:le |te |lo |la )?(?:comprobar|revisar|revise|verificar|verifique|consultar|consulte|validar|mirar|mirarlo|ver|checar|chequear|buscar en|localizar)(?:lo|la|le)?",
    "(?:lo|la|le|te|se lo) (?:compruebo|reviso|verifico|consulto|miro|valido|checo|busco|ubico)",
    "que (?:compruebo|reviso|verifico|lo miro|lo reviso|valido|consulto)|mientras (?:compruebo|reviso|verifico|valido|consulto|le)",
    "vamos a (?:verlo|hacer una prueba|comprobar)",
    "asi te busco|para ubicarl[oa]",
  ),
  sees_in_system: phrases(
    "(?:en|segun) (?:el|nuestro|mi) (?:sistema|ordenador|pantalla)|en pantalla",
    "(?:aqui|a mi|aca) (?:me )?(?:sale|figura|consta|aparece|lo tengo|la tengo|veo|lo veo|la veo|tengo)",
    "(?:me )?(?:consta|figura|figuran|constan)(?: que| aqui)?",
    "veo (?:aqui )?(?:que|la|el|dos|un|una|los)|(?:si )?(?:la|lo) veo|ya (?:la|lo) (?:encontre|veo|tengo|ubique|localizo)|te tengo",
    "no se (?:nos|me) (?:refleja|ve|registra)|tiene (?:un|una) (?:saldo|valor|deuda|factura|recibo)s? (?:pendiente|vencid)\\w*",
    "(?:el sistema|la ficha) (?:me|nos)",
    "efectivamente",
  ),
  acts_for_other: phrases(
    "procedo a|procedemos a|(?:he|hemos) procedido|(?:ya )?esta (?:tramitad|gestionad|activad|solucionad|resuelt|registrad|confirmad)\\w+",
    `${TO_OTHER} (?:voy a|vamos a|he|hemos|puedo|podemos|podria|acabo de|acabamos de|vamos) (?!decir|dar|explicar|contar|pagar|llamar|preguntar)\\w+`,
    `${TO_OTHER} (?!llamo|llamamos|digo|doy|cuento|explico|agradezco|pago|pregunto|entiendo|comprendo|compro|quiero|pido|debo|tengo|decimos|veo|creo|deseo|ruego|como|solo|todo|mismo|menos|otro|tercio|numero|dinero|centro|cinco|ocho|cuatro|primero|segundo|pueblo|puedo)[a-z]{3,}o(?! (?:de|del) (?:usted|ustedes))`,
    `${TO_OTHER} (?!llamamos|decimos|damos|pagamos|pedimos)[a-z]{3,}(?:amos|emos|imos)`,
    `${TO_OTHER} [a-z]{3,}(?:are|ere|ire|aremos|eremos|iremos)`,
    "ya (?:se )?(?:le |te |lo |la |se lo |se la )?(?:he|hemos|esta|ha quedado|queda|quedo) (?:activad|cambiad|cancelad|anulad|enviad|registrad|solicitad|bloquead|abiert|tramitad|modificad|anotad|apuntad|solucionad|gestionad|hech)\\w+",
    "queda (?:ya )?(?:registrad|anotad|apuntad|solucionad|cancelad|programad|cambiad|hech|agendad|contratad|confirmad|bloquead|activad|resuelt|abiert|tramitad|solicitad)\\w+",
    "lo dejo (?:apuntado|anotado|cambiado|marcado)|tomo nota|anotado|apuntado|pongo una nota",
    "voy a (?:levantar|ingresar|generar|escalar|abrir|tramitar|proceder|enviarle|pasarle|solicitar|registrar|darle|hacerle)\\w*|vamos a (?:generar|radicar|abrir|tramitar|proceder|enviarle|mandarle|hacer)",
  ),
  promises: phrases(
    "(?:tome nota|anote|apunte) (?:el|la|su|este|por favor|usted)|anote por favor",
    "(?:recibira|recibiras|va a recibir|vas a recibir|le (?:va a )?lleg(?:ar|ara)|te (?:va a )?lleg(?:ar|ara)|la va a llegar|le llegaran)",
    "(?:le|te|lo|la|les|se) (?:va a |van a |estaran? |estara |estaremos )?(?:llamar(?:a|an)|contactar(?:a|an)?|avisar(?:a|an|emos)|llamaran?|llamando|devolver(?:a|an|emos)|devuelve|responden|ingresan|descuenta|acredit\\w+|reembols\\w+|abonar(?:a|an))",
    "el (?:tecnico|perito|mensajero|instalador|transportista|repartidor|profesional|responsable)(?: de \\w+)? (?:le|te|la|lo|les|va a|pasara|ira|estara|contactara)",
    "(?:su|el|este) (?:numero|codigo|folio) (?:de (?:la |su )?(?:incidencia|expediente|reclamo|solicitud|referencia|caso|reserva|radicado|tramite|aviso) )?es",
    "(?:numero|codigo) de (?:incidencia|expediente|reclamo|solicitud|caso|aviso|seguimiento) es",
  ),
  quotes_terms: phrases(
    "(?:nuestr[oa]s? )(?:politica|condiciones|tarifas?|sistema|oferta|web|pagina|departamento|tecnicos?|agentes|telefono|horario|clientes)",
    "(?:segun|de acuerdo con|conforme a) (?:las|el|la|los|su|nuestras) (?:condiciones|contrato|politica|clausulas|terminos)",
    "(?:el plazo|un plazo|el periodo|en un lapso|plazo maximo)",
    "(?:tiene|tendria|habria|hay) (?:un|una) (?:coste|costo|cargo|penalizacion|comision|recargo|copago|descuento|permanencia|limite)",
    "(?:dias|horas) (?:habiles|laborables|naturales)",
    "(?:esta|la|nuestra) (?:llamada|conversacion) (?:puede ser|sera|esta siendo|es|va a ser) grabad\\w+|calidad del servicio",
    "(?:tenemos|disponemos de|contamos con|ofrecemos) (?:una?|la|el|disponible|cita|hueco|la oferta|otro)",
    "tengo (?:hueco|cita|libre|disponible|el (?:lunes|martes|miercoles|jueves|viernes|sabado))",
    "necesitamos que|habria que|tiene que (?:rellenar|enviar|mandar|presentar|aportar)|debe (?:presentar|enviar|rellenar|aportar|acudir)",
    "le corresponde|tiene derecho|en (?:su|tu) (?:plan|contrato|tarifa|cuenta)|esta en (?:garantia|su derecho)",
    "sin (?:coste|costo|cargo|permanencia)(?: adicional| alguno)?",
  ),
  apologises: phrases(
    "(?:lamento|lamentamos|siento|sentimos) (?:mucho )?(?:las?|los?|el|lo|mucho|que|ocurrido)",
    "(?:disculpe|disculpa|perdone|perdona) (?:las|la|los|el) (?:molestias?|inconvenientes?|espera|demora|retraso)",
    "(?:le|te|les|os) (?:pido|pedimos|ruego|reitero) (?:mil |nuestras |mis )?(?:disculpas|perdon)",
    "nuestras disculpas|mis disculpas",
    "(?:entiendo|comprendo|entendemos) (?:su|tu|perfectamente|que|lo que|completamente) ?(?:molestia|malestar|frustracion|enfado|enojo|preocupacion|situacion|inconformidad)?",
    "(?:le|te|la|lo) (?:entiendo|comprendo)(?: perfectamente)?|lo siento|que (?:pena|macana)",
  ),
  closes_for_company: phrases(
    "(?:agradecemos|le agradezco|le agradecemos|te agradezco) (?:su|tu|la|que|por)",
    "gracias (?:a usted )?por (?:llamar|llamarnos|contactar|comunicarse|confiar|su confianza|preferirnos|su preferencia|su compra|su comprension|elegirnos|ser cliente|su llamada|su tiempo|atenderme)\\w*",
    "(?:le|te) (?:atendio|ha atendido)|estamos para (?:servirle|servirte|ayudarle|ayudarte)|a (?:su|tu) disposicion|un placer (?:atender|haber|ayudar)\\w*|fue un (?:placer|gusto)",
    "(?:a|gracias a) (?:usted|ti|vos|ustedes)",
    "que (?:tenga|tengas|pase|pases) (?:un |una |muy )?(?:buen|buena|excelente|feliz|bonit[oa]|lind[oa]|estupend[oa]) (?:dia|tarde|noche|fin|semana|resto)\\w*|que (?:este|estes) (?:muy )?bien",
    "encuesta(?: de (?:satisfaccion|calidad))?|valorar (?:mi|la) atencion",
    "no hay de que|de nada|para eso estamos|que (?:disfrute|disfrutes|se mejore)|por nada",
  ),
  addresses_formally: phrases(
    "(?:don|dona|senor|senora|sr|sra) (?!agente|operador|director|juez|si|no|mire|pero|que|y|la|el|es|yo)[a-z]+",
    "(?:si|no|claro|gracias|digame|disculpe) (?:senor|senora|caballero)",
  ),
  instructs: phrases(
    "(?:apague|apagalo|enciend\\w+|desenchuf\\w+|reinici(?:e|elo|a|alo)|vuelva a|pulse|pulsa|haga|haz|pinche|pinchas|entre|entra en|vaya a|cierre|cierra|abra|abre|conecte|desconecte|compruebe|comprueba|mire (?:si|en|el)|fijese (?:si|en)|marque|introduzca|descargue|rellene|adjunte|suba|traiga|espere a|te pido que|le pido que)",
    "(?:puede|puedes|podes) (?:hacerlo|inclinarlo|pasar por|recogerl[oa]|solicitarl[oa]|reclamar|acudir|presentar|comprar|entrar|descargar|consultarl[oa]|cambiarl[oa]|renovarl[oa])\\w*",
    "(?:mandeme|enviem?e|envienos|mandenos|envielas|mandemel[oa]|enviemel[oa]|subal[oa]s?|busquel[oa]|desenchufelo)",
  ),
  obliges: phrases(
    "desafortunadamente|lamentablemente|como le (?:comentaba|decia|comento|indique)",
    "con (?:mucho )?gusto|claro que si|por supuesto|(?:encantad[oa]|sin problema|no se preocupe|no te preocupes|no se preocupen|descuide)",
    "(?:perfecto|de acuerdo|muy bien|correcto|entendido|excelente|barbaro|listo) (?:le|te|se|senor|senora|don|dona|pues le|entonces|lo|me)",
    "le (?:comento|informo|indico|cuento que|explico|recuerdo|aviso|confirmo|aconsejo|recomiendo)|te (?:comento|informo|cuento|confirmo|explico)|le recomendamos",
  ),
  transfers: phrases(
    "(?:le|te|la|lo|les|os) (?:paso|transfiero|comunico|derivo|pongo) (?:con|a|al|ahora con)",
    "(?:voy a|vamos a) (?:pasarle|pasarte|transferir\\w*|derivar\\w*|comunicar\\w*)",
  ),
  names_their_things: phrases(
    "(?:su|sus|tu|tus) (?!madre|padre|ayuda|atencion|amabilidad|compania|empresa|web|pagina|companer[oa]s?|jef[ea]|supervisor|tiempo|parte)[a-z]{3,}",
  ),
  figures_for_other: phrases(
    "(?:son|serian|saldrian?|cuesta|costaria|se le queda en|queda en|en total) (?:unos )?(?:\\w+ ){0,4}(?:euros|pesos|soles|dolares)",
    "por (?:\\w+ ){1,3}(?:euros|pesos|soles|dolares)(?: al mes)?",
  ),
};
