import { phrases } from "../plain-words.ts";
import type { CustomerCue } from "./cue-names.ts";

/** Spanish of Spain and of America, what the caller's side says. */
export const spanishCustomer: Partial<Record<CustomerCue, RegExp>> = {
  states_purpose: phrases(
    "(?:le |les |te |os )?(?:llamo|llamaba|estoy llamando|llame|hablo|hablaba|marco|marcaba) (?:porque|para|por|a ver|con|es que|desde ayer)",
    "(?:el motivo|mi consulta|mi problema|la consulta|el problema) es",
    "(?:mire|mira|vea|fijese|oiga|oye|pues) (?:es )?que|es que|lo que pasa es|resulta que|nada que|pues que",
    "tengo (?:un|una) (?:problema|duda|consulta|incidencia|averia|pregunta|reserva|cita|queja|reclamacion)",
  ),
  wants: phrases(
    "(?:queria|quisiera|querria|quiero|queremos|quiere(?: saber)?|me gustaria|me interesa|me interesaria|desearia|deseo) (?!que (?:sepa|le)|confirmarle|informarle|ofrecerle|comentarle|preguntarle|pedirle|que le|que te)\\w+",
    "(?:necesito|necesitaba|necesitamos|precisaria|ocupo) (?!que (?:me )?(?:\\w+ )?(?:confirme|diga|indique|facilite|envie|mande)|su |tu |el (?:numero|codigo|dni)|sus )\\w+",
    "a ver si (?:me|se|han|puede|podeis|pueden|ha|lo|la)|(?:poner|hacer) una (?:queja|reclamacion|denuncia|consulta)|darme de baja|dar de baja",
    "(?:pedir|cambiar|cancelar|anular|reservar|contratar|solicitar) (?:mi|una|hora|cita|mesa|la reserva|el seguro)",
  ),
  describes_problem: phrases(
    "no (?:lo |la )?(?:entiendo|comprendo)|no se (?:que|como|donde|si|por que|cual)|que (?:hago|puedo hacer|tengo que hacer)",
    "no (?:me |nos |lo |la |se |les |te )?(?:funciona|va|anda|enciende|arranca|carga|conecta|llega|llegan|ha llegado|han llegado|aparece|deja|reconozco|puedo (?:entrar|acceder|pagar|llamar|usar)|podemos|coge|enfria|calienta|responde|contesta|tengo (?:linea|senal|internet|cobertura|luz|servicio|agua|acceso))",
    "(?:me|nos) (?:da|dio|sale|pone|aparece) (?:un )?(?:error|que|licencia|la pantalla)|(?:sin|no hay) (?:internet|linea|luz|servicio|senal|cobertura|agua)",
    "(?:se (?:me |nos )?(?:corta|cae|ha roto|rompio|perdio|esta saliendo|ha estropeado|estropeo|bloquea|apaga))|(?:caid[oa]|averiad[oa]|rot[oa]|estropead[oa]|gotea|muy lent[oa]|encharcad[oa]) ?",
    "desde (?:ayer|anoche|esta manana|hace|el (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)|la tormenta)",
    "(?:he|hemos) (?:recibido|perdido|pagado|comprado|intentado|probado|visto|mandado|devuelto|vendido|hecho una recarga)|compre (?:un|una)|hice una|encargue",
  ),
  own_things: phrases(
    "mi (?:linea|internet|factura|recibo|pedido|paquete|contrato|tarjeta|cuenta|movil|celular|telefono|router|modem|coche|carro|auto|seguro|senal|luz|servicio|cita|reserva|casa|piso|plan|tarifa|poliza|maleta|vuelo|billete|parte|hipoteca|nomina|pueblo|banco|dinero|plata|saldo|correo|pagina|cocina|medidor|contador|caso|compra|suscripcion|mesa|hijo|hija)",
    "(?:el|la|lo) mi[oa]|mis (?:datos|facturas|recibos|cosas|maletas)",
  ),
  suffers: phrases(
    "me (?:ha|han|habeis|has|hais|esta|estan|estais|van a|vais a|va a) (?:vuelto a |seguido )?[a-z]+(?:d[oa]|ndo|r|to|cho)",
    "me (?:cobran|cobraron|cobro|cortaron|cortan|llego|llega|llegan|dijeron|dicen|dijo|mandaron|mandan|enviaron|cancelaron|siguen|sigue|vino|viene|quitaron|devuelven|devolvieron|subieron|descont\\w+|prometieron|depositan|hicieron|instalaron|regresan|atendieron)",
    "nos (?:ha|han|cobran|cortaron|llego|dijeron|cancelaron)|le ha (?:venido|llegado)|les? (?:van a|va a) (?:cortar|cobrar)",
    "(?:llevo|llevamos|estoy|estamos) (?:\\w+ ){0,3}(?:esperando|sin|intentando|pagando|desde)|llevo (?:dias|semanas|meses|horas|una|dos|tres|\\w+ (?:dias|minutos|meses|horas))",
  ),
  gives_identification: phrases(
    "(?:mi|el mio|la mia|el|la|los) (?:numero(?: de \\w+)?|dni|nif|direccion|correo|telefono|codigo|cedula|rut|poliza|cuenta|pedido|movil|celular|matricula|apellido|fecha de nacimiento|clave) (?:es|son)(?: el| la)?",
    "mi nombre es (?!.{0,60}en que)|me llamo|soy (?:el|la|yo|su|cliente|soci[oa]|titular|paciente|alumn[oa]|usuari[oa]|abonad[oa])",
    "(?:esta|va|sale|vino|estara) a (?:mi nombre|nombre de mi|nombre de)|a mi nombre|si soy yo|es el (?:seis|nueve|\\d)",
    "se l[oa] (?:digo|doy|puedo dar)|te l[oa] (?:digo|doy)|no l[oa] tengo a (?:la )?mano",
  ),
  asks_favour: phrases(
    "(?:me|nos) (?:puede|puedes|podria|podrias|pueden|podes) (?:ayudar|ayudarme|explicar|aclarar)|ayudarme|(?:me|nos) ayud(?:a|e)n?",
    "(?:me|nos) (?:puede|puedes|pueden|podria|podrias|podrian|podeis|podes) (?:usted )?(?!decir (?:su|tu|el)|dar (?:su|tu|el)|indicar|facilitar|proporcionar|confirmar (?:su|el|la|los)|brindar|regalar|dictar|decir el)\\w+",
    "(?:pueden|podrian|podeis|tienen|teneis|van a|vais a|hacen|haceis|venden|aceptan) (?:ustedes )?(?:\\w+ )?\\w+ ?(?:\\?)?",
    "(?:pongam?e|pongamel[oa]|hagam?e|hagal[oa]|hagalo|cambiem?el[oa]|cambielas|mandem?e|mandamel[oa]|deme cita|pongame|hagame el favor|cancelel[oa])",
    "(?:se puede|puedo|podemos|podria|hay alguna (?:forma|manera)) (?!ayudar|preguntar|ofrecer|tomar|servir|saber el motivo|confirmar)\\w+",
    "para pedir|para preguntar|para saber|para ver si|para que me|por si (?:me|pueden)",
  ),
  asks_price_or_time: phrases(
    "(?:y )?cuanto (?:cuesta|tarda|tardan|tardaria|vale|es|me|seria|sale|tengo que|van a|me costaria|dinero|plazo|tiempo)",
    "(?:y )?(?:cuando|que dia|a que hora|hasta que hora|para cuando) (?:me|llega|llegara|va a|vienen|estaria|estara|puedo|podria|abren|cierran|estan|van|empieza|lo)",
    "por que (?:me|no|nos|se|tengo|la|el)|tengo que (?:pagar|ir|llevar|hacer|firmar|pedir|esperar|llamar|mandar)|y (?:si|eso|con eso|el|la|que hago|ahora que) (?:se|me|no|cuanto|cubre|hago|ya|dinero)",
    "(?:me|nos) (?:lo |la )?(?:cubre|cubren|cobran|devuelven|regresan|descuentan|compens\\w+|van a (?:descontar|devolver|compensar|cobrar|dar))",
    "entonces (?:me|yo|ya|tengo|puedo|el|cuando)|o sea que|tiene algun coste|donde esta eso|hasta cuanto",
  ),
  complains: phrases(
    "(?:ya )?(?:he llamado|llame|hemos llamado|he hablado|hable) (?:ya |ayer |antes |con |varias |la semana |el |tres |dos |como )",
    "(?:su|tu|un|una|vuestr[oa]|otr[oa]) companer[oa] (?:me|suy[oa]|tuy[oa]|vuestr[oa]|dijo|de usted)|(?:estoy|estamos) pagando|yo pago",
    "(?:verguenza|vergonzos[oa]|increible|inaceptable|barbaridad|indignante|indignad[oa]|hart[oa]|cansad[oa] de|tomadura|ladrones|estafa|robo|fatal|injusto|el colmo)",
    "(?:es|va) la (?:segunda|tercera|cuarta|quinta|\\w+) vez que|siempre (?:igual|lo mismo)|(?:nadie|ninguno) (?:me|nos|responde|contesta|aviso|hace)|otra vez",
    "(?:hablar|pongame) con (?:un|su|el|tu) (?:supervisor|responsable|encargado|jefe|superior|gerente)|pongo una (?:queja|reclamacion|denuncia)|oficina del consumidor|en consumo",
    "(?:eso )?(?:me|nos) dijeron|yo no tengo la culpa|no es (?:mi|nuestra) culpa|si yo (?:no|ya|lo|la|tengo|pago)|pero si (?:yo|mi|nosotros|ya|a mi|estuve|me)|mas les vale",
  ),
  thanks_for_help: phrases(
    "(?:muchas|muchisimas|mil|un millon de|gracias) (?:de )?gracias(?: (?:por (?:su|la|tu|todo|vuestra) ?(?:ayuda|atencion|amabilidad|informacion)?|de verdad|muy amable))?",
    "muy amable|gracias por (?:su|la|tu|todo|vuestra) ?(?:ayuda|atencion|amabilidad|informacion)?|se lo agradezco|que (?:rapidez|alivio|bien)|menos mal",
    "(?:no|nada)(?: nada)? mas(?: gracias)?|(?:eso|eso era|seria|es|era) todo|(?:nada mas|con eso|ninguna)(?: gracias)?",
  ),
  own_people: phrases(
    "mi (?:mujer|marido|hijo|hija|madre|padre|esposa|esposo|hermano|hermana|vecin[oa]|suegr[oa]|novi[oa]|abuel[oa]|ti[oa]|cunad[oa]|niet[oa]|pareja|nino|nina|bebe|perr[oa]|gat[oa]|asesor|jefe)",
    "(?:los ninos|el nino|la nina|en mi casa|trabajo desde casa|teletrabajo|laburo)",
  ),
  fetches: phrases(
    "(?:espere|espera|un momento|un segundo|a ver|dejeme|deje|deja) (?:que )?(?:l[oae]s? |me )?(?:busco|saco|cojo|apunto|traigo|pongo las gafas|agacho|encuentro|mire|anoto)",
    "(?:lo|la) (?:busco|saco|tengo (?:aqui|delante|aca)) (?:en|del|de la)?|que (?:lo|la) (?:busco|apunto|cojo|saco)|tengo aqui (?:el|la)|ya (?:lo hice|esta|lo he hecho)",
    "vale vale|ah (?:vale|bueno|ya|ok|okey)|(?:pues|bueno) (?:pues|nada|venga|vale)|venga (?:vale|gracias|pues)|vaya",
  ),
  says_own_things: phrases(
    "mis? (?!nombre es|companer|supervisor|parte|jef)[a-z]{3,}",
    "yo (?:no|ya|lo|la|tengo|pago|pague|quiero|trabajo|estuve|creia|hice|solo)",
  ),
};
