import { any } from "./order-words.ts";

/** Nobody says these aloud: chat templates, code fences, tags, JSON. */
export const MARKUP =
  /<\/?[a-z|!][^>]*>|‹\/?[a-z|]|\[\/?INST\]|```|<\||\|>|###|\{\s*["“]|^\s*(?:system|assistant|developer|user)\s*:|<<SYS>>/iu;

const READER_EN =
  "(?:system|program(?:me)?|software|computer|machine|algorithm|summari[sz]er|analy[sz]er|analysis|ai|a\\.i\\.|artificial intelligence|(?:language )?model|bot|robot|assistant|transcriber|transcription|administrator|developer|filter)";
const READER_ES =
  "(?:sistema|programa|software|ordenador|computadora|máquina|algoritmo|análisis|ia|inteligencia artificial|modelo(?: de lenguaje)?|bot|robot|asistente|transcriptor|transcripción|administrador|desarrollador|filtro)";
const NOTES_EN =
  "(?:(?:automatic|automated|call|written) (?:notes|record|report)|(?:notes|record|report|write-?up|summary|minutes) (?:of|on|about|for|from) (?:this|the|our|my) (?:call|conversation)|write(?:s|-| )up (?:of )?(?:this|the))";
const NOTES_ES =
  "(?:(?:notas?|actas?|informes?|registros?) automátic[oa]s?|(?:notas?|acta|informe|registro|resumen) (?:de|sobre) (?:la|esta|nuestra|mi) (?:llamada|conversación))";

/** Enough by themselves. */
export const MACHINE_ORDER = any(
  // To whom it is said.
  `(?:messages?|notes?|updates?|orders?|instructions?|commands?|notices?|attention|memo) (?:for|to|from|by|of) (?:the |any |an |every |whatever |your )?(?:\\p{L}+ )?${READER_EN}`,
  `${READER_EN} (?:update|override|notice|instruction|order|command|message|reset)`,
  `(?:mensajes?|notas?|avisos?|órdenes|orden|instrucción|instrucciones|comandos?|actualización|atención) (?:para|al?|del?|desde|por) (?:el |la |los |las |cualquier |toda? )?(?:\\p{L}+ )?${READER_ES}`,
  `(?:if|since|because|as) you(?:['’]re| are) (?:an? |the |some )?(?:\\p{L}+ )?${READER_EN}`,
  `(?:si|como|ya que|puesto que) (?:eres|es usted|sois) (?:una? |el |la )?(?:\\p{L}+ )?${READER_ES}`,
  `(?:dear|hey|hello|listen|attention|warning) ${READER_EN}`,
  `(?:querid[oa]|oye|hola|escucha|atención) ${READER_ES}`,
  `(?:any|every|whatever|whichever|the) ${READER_EN} (?:that|which|who) (?:reads?|is reading|makes?|writes?|listens?|is listening|analy[sz]es?|processes|summari[sz]es?|hears?|gets?|looks?)`,
  `(?:cualquier|todo|el|la|al) ${READER_ES} que (?:lea|lee|haga|hace|escriba|escribe|escuche|escucha|analice|analiza|procese|procesa|resuma|resume|oiga|reciba|mire)`,
  "(?:who|what)ever (?:reads?|rates?|summari[sz]es?|analy[sz]es?|process(?:es)?|transcribes?|writes? (?:up|down)|listens to) (?:this|the|these|my)",
  "(?:quien|quienquiera que|el que|lo que) (?:lea|valore|resuma|analice|procese|transcriba|redacte|escuche|evalúe|puntúe) (?:esto|esta|este|la|el|mi)",
  "(?:from (?:now|here|this (?:point|moment)) on(?:wards?)?|henceforth)(?: \\p{L}+)?,?(?: \\p{L}+){0,2} (?:answers?|repl(?:y|ies)|respond|speak|talk|write|output|say)",
  "(?:a partir de (?:ahora|aquí|este momento)|de ahora en adelante|desde ahora)(?: \\p{L}+)?,?(?: \\p{L}+){0,2} (?:contest|respond|responde|habl|escrib|di|imprim)\\p{L}*",
  "(?:end|start|beginning) of (?:the |this )?(?:transcript(?:ion)?|call|conversation|data|input|document)",
  "(?:fin|final|comienzo) de (?:la |esta )?(?:transcripción|llamada|conversación|entrada)",
  "(?:real|actual|true|verdader[oa]s?) (?:instructions?|tasks?|instrucciones|instrucción|tareas?)|instrucci(?:ón|ones) de verdad",
  // What it is to be.
  "you are (?:no longer|not) (?:an? |the )?\\p{L}+",
  "you(?:['’]re| are) (?:now )?(?:an? )?\\p{L}+(?: called \\p{L}+)?,? so (?:speak|talk|write|answer|act|behave)",
  "ya no (?:eres|es usted) (?:una? |el |la )?\\p{L}+",
  "(?:ahora )?eres (?:una? )?\\p{L}+,? así que (?:habla|escribe|contesta|responde|actúa|compórtate)",
  // Its answer and the parts of it.
  "(?:your|its) (?:only |whole |entire |next |final )?(?:answers?|outputs?|responses?|repl(?:y|ies)) (?:to|is|are|must|should|shall|will|has|have|needs?|consists?)",
  "(?:tu|tus|su|sus) (?:única |próxima )?(?:respuestas?|salidas?) (?:a|es|son|será|serán|debe|deben|tiene|ha|consiste)",
  "(?:all|every|each|any)(?: of)?(?: the| your)? (?:output|fields?|answers?|outputs)",
  "(?:todos los|cada|cualquier) (?:campos?|respuestas?)",
  "(?:leave|return|give|deliver|send back|answer with|reply with|output|keep)(?: \\p{L}+){0,4} (?:empty|blank|null|no entit(?:y|ies)|no findings?|nothing at all)",
  "(?:empty|blank) (?:lists?|arrays?|objects?|fields?|strings?|findings?)",
  "(?:deja|dejad|deje|devuelve|devolved|devuelva|responde|responda|contesta|entrega)(?: \\p{L}+){0,4} (?:vacías?|vacíos?|en blanco|nul[oa]s?)",
  "listas? vacías?|campos? vacíos?|no (?:devuelvas?|des|entregues?|pongas?) (?:ningun[oa]s? )?(?:entidad(?:es)?|hallazgos?|etiquetas?|nada)",
  "(?:new|next|begin|start|other|real) (?:new )?task\\b(?! force)|nueva tarea",
  // Notes, ratings, topics, filters.
  `(?:tag|rate|label|mark|classify|categori[sz]e|score|file|flag|etiqueta|etiquete|valora|valore|califica|califique|clasifica|clasifique|marca|marque|puntúa|puntúe|cataloga|catalogue) (?:this|the|my|our|esta|la|mi|nuestra) (?:whole |entire )?(?:call|conversation|transcript|llamada|conversación|transcripción)`,
  "(?:only |main |sole |single )(?:topic|subject|label|theme) (?:of|for|in) (?:this|the|my) (?:call|conversation)",
  "(?:único|principal|sólo) (?:tema|asunto|motivo|etiqueta) (?:de|en) (?:la|esta|mi) (?:llamada|conversación)",
  "(?:am|is|are|was|be) (?:to be )?(?:rated|scored|labell?ed|tagged|classified|marked|described) as",
  "(?:me|le|lo|la) (?:ponga|pongan|pongas|valore|valoren|valores|califique|califiques|clasifique|marque|marques|puntúe) como",
  "(?:my|the customer['’]?s?|mi|el) (?:sentiment|sentimiento)",
  "(?:all|every|each|todos los|cada) (?:turns?|turnos?|utterances?)",
  "(?:privacy|profanity|swear(?:ing| word)?|content|moderation|personal data|redaction) filter|filter (?:has to|must|should|shall|is to)",
  "filtro de (?:privacidad|palabrotas|tacos|insultos|contenido|moderación|datos)|filtro (?:tiene que|debe|ha de)",
  "(?:do not|don['’]t|never|no need to|stop|without) (?:redact|mask|anonymi[sz]e|censor|hide|blank|bleep)(?:ing)?(?: out)?(?: \\p{L}+){0,3} (?:names?|data|details|numbers?|transcript|words?|swear|anything in)",
  "no (?:redact|enmascar|anonimic|anonimiz|censur|ocult|tach|borr|tap)\\p{L}+(?: \\p{L}+){0,3} (?:nombres?|datos|números?|transcripción|palabras?)",
  `${NOTES_EN}(?: \\p{L}+){0,3},? (?:must|should|shall|has to|have to|is|are|will|has|say|says|add|put|write|include)`,
  `(?:when|if|once|as) you (?:write|summari[sz]e|transcribe|analy[sz]e|process|report|note|redact|classify|label)(?: \\p{L}+){0,2} (?:this|the|our|my) (?:call|conversation|transcript|recording)`,
  `(?:for|in|into|to) (?:the )?(?:record and (?:for )?)?(?:the )?${NOTES_EN}`,
  `${NOTES_ES}(?: \\p{L}+){0,3},? (?:debe|deben|tiene|tienen|es|será|serán|ha|han|hágal[oa]s?|hazl[oa]s?|que|di|pon|añade|incluye|únicamente|sólo|solo|en)`,
  `(?:cuando|si|al) (?:redactes?|redacte|resumas?|resuma|transcribas?|analices?|analice|proceses?|escribas?|clasifiques?)(?: \\p{L}+){0,4} (?:llamada|conversación|transcripción|grabación)`,
  `(?:en|para|a) las? ${NOTES_ES}`,
  "todo lo que (?:escribas|escriba|generes|devuelvas|respondas|contestes)",
  "you are now",
  "developer mode",
  "jail ?break",
  "do anything now",
  "new instructions",
  "(?:previous|prior|earlier|above|system|original|your) (?:instructions?|prompts?|rules|guidelines|orders)",
  "instrucciones (?:anteriores|previas|originales|del sistema)",
  "(?:tus|sus|nuevas|las anteriores) (?:instrucciones|directrices|órdenes)",
  "(?:note|message|attention|memo|instructions?) (?:to|for) (?:the |any |an )?(?:ai|model|language model|summari[sz]er|transcriber|machine|bot|assistant)",
  "(?:nota|mensaje|aviso|atención) (?:para|al|a) (?:la |el )?(?:ia|modelo|inteligencia artificial|transcriptor|máquina|bot|asistente)",
  "modo (?:desarrollador|dios)",
  "instructions? (?:précédentes?|antérieures?)",
  "nouvelles instructions",
  "instruções (?:anteriores|prévias)",
  "novas instruções",
  "istruzioni precedenti",
  "nuove istruzioni",
  "(?:vorherigen?|bisherigen?|obigen?|neuen?) (?:anweisungen?|instruktionen)",
  "instruccions anteriors",
);
