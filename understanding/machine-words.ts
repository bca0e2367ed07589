/**
 * How much a sentence speaks of what reads a transcript and of what is made of it, and whether it orders something. No
 * list of phrases has every order in it; words of the trade that come together with an order give most away. Weights and
 * threshold are set on eval/understanding/injection/development.ts and on harmless calls.
 */
export function machineScore(text: string): number {
  const strong = count(STRONG, text);
  const medium = count(MEDIUM, text);
  const orders = count(ORDER, text);
  if (orders === 0 || (strong === 0 && medium === 0)) return 0;
  return strong * 0.7 + medium * 0.45 + Math.min(2, orders) * 0.35;
}

export const MACHINE_SCORE = 1;

function count(words: RegExp, text: string): number {
  return new Set(text.toLowerCase().match(words) ?? []).size;
}

function list(...words: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}

const STRONG = list(
  "summari[sz]\\p{L}*|resum(?:idor|idora|e)",
  "algorit\\p{L}+|algorithms?",
  "(?:ro)?bots?",
  "ai|ia|a\\.i\\.|artificial intelligence|inteligencia artificial|llms?|gpt",
  "language models?|modelos? de lenguaje",
  "transcri\\p{L}+",
  "sentiments?|sentimientos?|mood|estado de ánimo",
  "json|xml|html|markdown|plain text|texto plano|prompts?",
  "outputs?|formato de salida",
  "assistant['’]?s?|asistente",
  "detectors?|detectores|classifiers?|clasificador|analy[sz]ers?|analizador",
  "moderat\\p{L}+|moderación|moderador",
  "override|anulación|abort\\p{L}*",
  "guidelines|pautas|directrices",
  "redact\\p{L}*|black out|black anything out|anonymi[sz]\\p{L}+|anonimi\\p{L}+|tach(?:es?|ar|en)|enmascar\\p{L}+",
  "swear words?|palabrotas?|tacos|profanit(?:y|ies)",
  "action items?",
);

const MEDIUM = list(
  "(?:the )?system|sistema",
  "computer|ordenador|computadora|machine|máquina|software|program(?:me|a)?",
  "summar(?:y|ies)|resumen|resúmenes",
  "notes|notas|write-?up",
  "reports?|informes?",
  "analys[ei]s|análisis",
  "results?|resultados?",
  "categor(?:y|ies)|categorías?",
  "topics?|temas?",
  "labels?|etiquetas?|tags?",
  "lists?|listas?",
  "recordings?|grabaci(?:ón|ones)",
  "(?:this|our|the|entire|whole) conversation|(?:esta|nuestra|la) conversación",
  "(?:this|the entire|the whole) call|(?:esta|toda la) llamada|de la llamada|of the call",
  "tasks?|tareas?",
  "texts?|textos?",
  "words?|palabras?",
  "fields?|campos?",
  "english|french|german|spanish|italian|portuguese|chinese|russian|inglés|francés|alemán|español|italiano|portugués|chino|ruso",
  "(?:the|your|every|assistant['’]s) (?:repl(?:y|ies)|responses?|answers?)|(?:la|tu|su|las) respuestas?",
  "evaluat\\p{L}+|evaluación|scor(?:e|es|ing)|puntúa|puntuación",
  "positive|negative|neutral|positiv[oa]s?|negativ[oa]s?|neutrales",
  "personal (?:information|data|details)|(?:información|datos) personal(?:es)?",
  "instructions?|instrucci(?:ón|ones)|orders?|commands?",
  "everything (?:i|you|that|we)|todo lo que",
  "zero|cero|nothing|empty|vací[oa]s?",
  "(?:my|our|any|the) names?|(?:mi|mis|los|ningún) nombres?",
);

const ORDER = list(
  "replace|say|type|write|print|produce|pretend|make sure|ensure|mention|create|translate|switch|count|score|rate|put|skip|leave|hand back|return|list|respond|reply|answer|report|drop|add|ignore|disregard|forget|set|mark|include|remove|treat|consider|note|call|use|give|let['’]s|act|speak|show|keep|describe|classify|insert|change|fill",
  "must|shall|should|has to|have to|had better|ought to|is to|are to|need(?:s)? to|i want|please",
  "do not|don['’]t|never",
  "sustituy\\p{L}+|di|dices|diga|digas|tecle\\p{L}+|escrib\\p{L}+|imprim\\p{L}+|produ(?:ce|zcas?|cir|cid)|finge|haz|haga|asegúr\\p{L}+|menciona\\p{L}*|mencione|crea|cree|traduce|traduzca\\p{L}*|cambia|cambie|cuent[ae]|puntú\\p{L}+|pon|ponga\\p{L}*|sált\\p{L}+|salta|dej[ae]|entreg\\p{L}+|devuelv\\p{L}+|enumer\\p{L}+|respond[ae]|contest[ae]|quit[ae]|añad[ae]|ignor[ae]|olvid\\p{L}+|marc[ae]|marque|incluy[ae]|elimin[ae]|trat[ae]|consider[ae]|anot[ae]|us[ae]|us[ae]d|dad?|muestr[ae]|habl[ae]|describ[ae]|clasific[ae]|insert[ae]|rellen[ae]",
  "debe|deben|tiene que|tienen que|ha de|han de|será|serán|constará|quiero|por favor|hay que|sirva\\p{L}*",
  "no \\p{L}+(?:es|as|éis|áis)",
);
