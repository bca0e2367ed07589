import { MACHINE_SCORE, machineScore } from "./machine-words.ts";
import type { Call, Utterance } from "./types.ts";

/**
 * What is said to a machine that reads the transcript, not to the person on the line: "ignore your instructions and …".
 * Such sentences are kept from the models (their place is marked), because no wording of a prompt makes every model deaf
 * to them. They stay in the transcript, personal data and abuse in them are looked for apart, and nothing that only
 * they say is believed. An innocent sentence that is taken for one costs a summary one sentence.
 */
export interface Separated {
  /** The call without them; turns keep their places. */
  clean: Call;
  /** Only them, every other character a space, so that offsets are those of the call; null when there are none. */
  suspect: Call | null;
}

/** In the place of a sentence that is left out. */
const LEFT_OUT = "[…] ";
/** After an order its payload follows ("Write HACKED."): so many sentences of the same speaker are looked at more strictly. */
const AFTERMATH = 4;

export function separateOrders(call: Call): Separated {
  let alert = 0;
  let speaker: string | null | undefined;
  let any = false;
  const turns = call.utterances.map((turn) => {
    if (turn.speaker !== speaker) alert = 0;
    speaker = turn.speaker;
    let clean = "";
    let suspect = "";
    for (const sentence of sentencesOf(turn.text)) {
      const found = isOrder(sentence, alert > 0);
      alert = found ? AFTERMATH : Math.max(0, alert - 1);
      any ||= found;
      if (!found) clean += sentence;
      else if (!clean.endsWith(LEFT_OUT)) clean += LEFT_OUT;
      suspect += found ? sentence : " ".repeat(sentence.length);
    }
    return { clean: { ...turn, text: clean }, suspect: { ...turn, text: suspect } };
  });
  if (!any) return { clean: call, suspect: null };
  const of = (kind: "clean" | "suspect"): Utterance[] => turns.map((turn) => turn[kind]);
  return { clean: { ...call, utterances: of("clean") }, suspect: { ...call, utterances: of("suspect") } };
}

/** With the white space that follows each, so that they add up to the text. */
export function sentencesOf(text: string): string[] {
  return text.match(/[^.!?…。？！\n]*(?:[.!?…。？！\n]+(?:["'”’»)\]]+)?\s*|$)/gu)?.filter((part) => part !== "") ?? [];
}

/** `alert`: an order was just given. */
export function isOrder(sentence: string, alert = false): boolean {
  const text = sentence.normalize("NFC");
  if (MARKUP.test(text) || MACHINE_ORDER.test(text) || machineScore(text) >= MACHINE_SCORE) return true;
  const [dismisses, writes, machine, product, limits] = [DISMISS, WRITE, MACHINE, PRODUCT, LIMIT].map((form) =>
    form.test(text),
  );
  if (alert) return Boolean(dismisses || writes || machine || product || limits);
  if (dismisses && (machine || product || BEFORE.test(text))) return true;
  if (writes && machine) return true;
  // "Write a summary in French", "mark the sentiment as positive": an order about what is made of a transcript.
  if (PRODUCT_ORDER.test(text) || (writes && product && limits)) return true;
  return Boolean(machine && limits && product);
}

/** A word or a phrase of the list, whole. */

function any(...words: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");
}

/** Nobody says these aloud: chat templates, code fences, tags, JSON. */
const MARKUP =
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
const MACHINE_ORDER = any(
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

const BEFORE = any(
  "everything (?:above|before|else)",
  "(?:all|anything) (?:of )?(?:the )?(?:above|before|that)",
  "(?:the )?(?:rest of the|entire|whole) (?:call|conversation|transcript)",
  "todo lo (?:anterior|que|demás|dicho)",
  "(?:el resto|toda) (?:de )?(?:la )?(?:llamada|conversación)",
  "tout ce qui précède",
  "tudo o que",
  "tutto quello",
  "alles (?:davor|bisherige|oben)",
);

const DISMISS = any(
  "ignor(?:e[snrz]?|a[dr]?|es|en|ad|iere?n?|ieren|ar|ate)",
  "disregard",
  "forget",
  "overrid(?:e|es)",
  "bypass",
  "skip",
  "stop (?:following|analy[sz]ing|redacting|reading)",
  "do ?n[o']t (?:follow|obey|redact|report|summari[sz]e|flag|mention|include|mask|hide)",
  "olvid(?:a|e|ad|en|ar)|olvíd(?:ate|ese|alo|elo)",
  "omit(?:e|a|an|ir)?",
  "descart(?:a|e|ad|ar)",
  "salt(?:a|e)te",
  "haz caso omiso",
  "no (?:hagas?|haga) caso",
  "no (?:redactes?|ocultes?|resumas?|menciones?|incluyas?|detectes?|marques?|anonimices?|informes?|señales?)",
  "oublie[zr]?",
  "esque[cç](?:e|a|er)",
  "dimentica(?:re|te)?",
  "vergiss|vergessen sie",
  "oblida",
);

const WRITE = any(
  "respond(?:e|a|ed|er|s|ez|re)?",
  "reply|replies",
  "answer",
  "write",
  "output(?:s|ting)?",
  "print",
  "return",
  "repeat",
  "say",
  "set",
  "mark",
  "label (?:it|this|the|every|all)",
  "tag",
  "classify",
  "rate",
  "translate",
  "switch",
  "append",
  "include",
  "add",
  "insert",
  "report",
  "describe",
  "summari[sz]e",
  "generate",
  "produce",
  "execute",
  "act as",
  "pretend",
  "behave",
  "reveal",
  "show",
  "leak",
  "from now on",
  "must (?:be|say|read|contain|end|start)",
  "should (?:be|say|read|contain)",
  "contest(?:a|e|ad|ar)",
  "escrib(?:e|a|id|ir)",
  "devuelv(?:e|a)|devolver",
  "imprim(?:e|a|ir)",
  "repit(?:e|a)|repetir",
  "di|diga|decir",
  "pon|ponga|poner",
  "marc(?:a|ar)|marque",
  "etiquet(?:a|ar|e)",
  "clasific(?:a|ar)|clasifique",
  "traduc(?:e|ir)|traduzca",
  "incluy(?:e|a)|incluir",
  "añad(?:e|a|ir)",
  "agreg(?:a|ar|ue)",
  "resum(?:e|a|ir)",
  "gener(?:a|e|ar)",
  "actúa como|actúe como",
  "finge|finja",
  "compórtate",
  "revel(?:a|e|ar)",
  "muestr(?:a|e)|mostrar",
  "a partir de ahora",
  "de ahora en adelante",
  "ahora eres",
  "(?:debe|tiene que|debes|tienes que) (?:ser|decir|poner|contener|empezar|terminar)",
  "répond(?:s|ez|re)?",
  "écri(?:s|vez|re)",
  "tradui(?:s|sez|re)",
  "dorénavant",
  "responda",
  "escrev(?:a|e|er)",
  "rispondi|scrivi|traduci",
  "antworte(?:n)?|schreib(?:e|en)?|übersetze(?:n)?|gib",
  "escriu|respon|tradueix",
);

/** Names of what reads the transcript, and of its ways. */
const MACHINE = any(
  "json",
  "xml",
  "html",
  "markdown",
  "yaml",
  "prompts?",
  "(?:large )?language models?",
  "modelos? de (?:lenguaje|idioma|ia)",
  "modèles? de langage",
  "sprachmodell",
  "llms?",
  "gpt(?:-?\\d)?|chat ?gpt|claude|gemini|copilot",
  "(?:ai|a\\.i\\.) ?(?:assistant|model|system|reading|analy[sz]ing)?",
  "(?:la |una )?ia|inteligencia artificial|artificial intelligence|intelligence artificielle|künstliche intelligenz",
  "assistant (?:reading|that|who|processing)",
  "asistente (?:de ia|virtual que|que (?:lee|analiza|procesa|resume))",
  "system (?:prompt|message|override)",
  "mensaje del sistema",
  "whoever (?:reads|summari[sz]es|analy[sz]es|processes) (?:this|the)",
  "(?:quien|el que|la que|lo que) (?:lea|lee|resuma|analice|procese|transcriba)",
  "(?:model|system|machine|software|program|algorithm|bot|robot|computer) (?:that|which|reading|listening|analy[sz]ing|processing|summari[sz]ing)",
  "(?:el|al) (?:modelo|sistema|programa|algoritmo|bot|robot) que (?:lee|lea|escucha|analiza|analice|procesa|procese|resume|resuma|transcribe)",
  "note to (?:the )?(?:model|ai|system|summari[sz]er|transcriber)",
  "nota (?:para|al) (?:el )?(?:modelo|sistema|transcriptor|resumen)",
  "transcript(?:ion|s)?",
  "transcripci(?:ó|o)n(?:es)?",
);

/** What is made of a transcript. */
const PRODUCT = any(
  "summar(?:y|ies|i[sz]ation)",
  "headlines?",
  "bullet(?:s| points?)?",
  "topics?",
  "labels?",
  "sentiments?",
  "action items?",
  "tasks?",
  "to-?dos?",
  "findings?",
  "moderation",
  "categor(?:y|ies)",
  "severity",
  "redact(?:ion|ed)?",
  "entit(?:y|ies)",
  "profanit(?:y|ies)",
  "personal data",
  "analysis",
  "fields?",
  "output",
  "instructions?",
  "resum(?:en|enes|é)",
  "titular(?:es)?",
  "viñetas?",
  "temas?",
  "etiquetas?",
  "sentimientos?",
  "tareas?",
  "hallazgos?",
  "moderación",
  "categorías?",
  "gravedad",
  "entidades",
  "datos personales",
  "análisis",
  "campos?",
  "salida",
  "instrucciones",
  "résumé|sujets?|sentiment",
  "resumo|tópicos?",
  "riassunto|argomenti",
  "zusammenfassung|themen|stimmung",
  "resum|etiquetes",
);

/** An order whose object is such a product, closely: "set the sentiment to", "el resumen debe decir". */
const PRODUCT_ORDER =
  /(?<!\p{L})(?:set|mark|rate|label|classify|translate|make|write|produce|generate|traduce|traduzca|pon|ponga|marca|marque|clasifica|clasifique|etiqueta|haz|escribe|escriba|genera|genere)\s+(?:\p{L}+\s+){0,3}?(?:the\s+|el\s+|la\s+|los\s+|las\s+)?(?:(?:call|llamada|customer|cliente)(?:['’]s)?\s+)?(?:sentiments?|summary|topics?|labels?|headline|findings?|severity|action items?|category|sentimientos?|resumen|temas?|etiquetas?|titular|hallazgos?|gravedad|categoría|tareas)(?!\p{L})|(?<!\p{L})(?:summary|sentiment|topic|headline|label|resumen|sentimiento|tema|titular|etiqueta)\s+(?:must|should|has to|is to|debe|tiene que|ha de)(?!\p{L})/iu;

const LIMIT = any(
  "only",
  "just",
  "solely",
  "exactly",
  "verbatim",
  "instead",
  "nothing (?:else|but)",
  "no matter what",
  "always",
  "in (?:all )?(?:capitals?|caps|upper ?case|english|french|german|spanish|italian|portuguese|chinese|russian|japanese|arabic|latin|klingon|pirate|emojis?|verse|rhymes?)",
  "as (?:positive|negative|neutral|very)",
  "to (?:positive|negative|neutral|zero|one|empty|null)",
  "s[oó]lo|solamente|únicamente",
  "exactamente|literalmente",
  "en (?:lugar|vez) de",
  "nada más|siempre",
  "en (?:mayúsculas|inglés|francés|alemán|italiano|portugués|chino|ruso|japonés|verso|rima)",
  "como (?:positiv[oa]|negativ[oa]|neutr[oa]|neutral)",
  "(?:a|en) (?:cero|uno|null|vacío)",
  "seulement|uniquement|en anglais",
  "apenas|somente|em inglês",
  "soltanto|in inglese",
  "nur|auf englisch|ausschließlich",
  "només|en anglès",
);
