import { plainSentiment } from "../polarity.ts";
import type { Call } from "../types.ts";
import { fold, isContent, wordsOf } from "../words.ts";
import type { LABELS } from "./taxonomy.ts";

type Label = (typeof LABELS)[number];

/** At most so many content words are said in a call without content. */
const NO_CONTENT = 25;

/**
 * Beginnings of words, Spanish and English, of which a call that is about a label has one at least: wide, for they are no judge of
 * topics, which is the model's, but a witness against a label of which nobody spoke.
 */
const MONEY =
  "factur|recib|cobr|pag[oaué]|cuota|importe|preci|tarif|cargo|euro|peso|deud|deb[eo]|impag|devol|devuel|reembols|abon|domicil|tarjet|descuent|plan|caro|dinero|banc|cuent|bill|invoice|charg|pay|paid|fee|pric|cost|refund|debt|owe|money|dollar|pound|direct debit|card|rate|credit|bank|account";
const CONTRACT =
  "contrat|alta|baja|porta|permanen|renov|renuev|titular|cambi|cancel|promo|ofert|tarif|compañ|compan|poliz|suscri|dar(?:se|me)? de|servicio|numero|linea|plan|contract|sign|switch|port|renew|holder|name|chang|offer|deal|polic|subscri|leav|provider|service|number|line";
const TECHNICAL =
  "internet|wi-?fi|router|fibra|linea|señal|senal|cobertur|tele|equip|instal|averi|funcion|conex|conect|tecnic|movil|aparat|decodif|lent|cort|config|mega|luz|luces|error|app|web|ordenador|broadband|fib|line|signal|coverage|tv|box|device|install|fault|work|connect|engineer|technic|phone|slow|drop|set|outage|down|broke|computer|replac|light|speed";
const INFORMATION =
  "product|servici|inform|saber|pregunt|ofert|model|duda|consult|cuanto|horari|know|question|ask|offer|how much|tell me|hours|wonder|service";
const ACCOUNT =
  "cuent|dato|direcci|correo|telefon|nombre|contraseñ|contrasen|usuari|acces|entrar|clave|app|web|account|detail|address|e-?mail|name|password|log|access|phone|number|pin";
const LOGISTICS =
  "cita|envi|entreg|pedid|paquet|recog|repart|visit|tecnic|lleg|mensajer|mañana|manana|hora|appointment|deliver|order|parcel|packag|pick|courier|driver|visit|engineer|arriv|com[ei]|ship|tomorrow|book|slot|collect";
const ROAD =
  "grua|carreter|coche|carro|averi|rueda|bateri|asisten|remolc|accident|parad|tirad|tow|road|car|van|breakdown|broke|tyre|tire|batter|assist|stuck|accident|garage|taller";
const INSURANCE =
  "segur|poliz|siniestr|parte|cobertur|cubr|daño|dano|accident|golpe|perit|rob|indemn|chocó|choco|insur|polic|claim|cover|damag|accident|crash|drove|stolen|adjust|theft|flood|leak|fuga";
const COMPLAINT =
  "quej|reclam|hart|vergüenz|verguenz|inacept|indign|mal|nadie|esper|tard|llev[oa]|otra vez|lament|enfad|rot|desastre|segunda vez|tercera vez|complain|fed up|unaccept|disappoint|rude|terribl|late|nobody|no one|wait|again|not happy|bad|soak|awful|angry|unhappy|frustrat|wrong|still";

const REASONS: Record<string, string> = {
  billing: MONEY,
  contract: CONTRACT,
  tech: TECHNICAL,
  info: INFORMATION,
  account: ACCOUNT,
  logistics: LOGISTICS,
  assistance: ROAD,
  insurance: INSURANCE,
  complaint: COMPLAINT,
  escalation_supervisor:
    "supervis|responsable|encargad|superior|jef[ea]|gerent|manager|boss|escalat|in charge|above you",
  retention:
    "baja|irme|me voy|compañ|compan|cancel|competen|ofert|descuent|qued|leav|switch|provider|competitor|offer|discount|stay|keep",
  sales_upsell:
    "ofert|promo|contrat(?:ar|e|en|aria)(?!\\p{L})|añad|anad|ofrec|ampli|mejor|descuent|paquet|por solo|offer|upgrad|add|packag|deal|discount|extra|bundle",
  survey: "encuest|del (?:1|uno|cero|0) al|satisfac|opini|survey|scale (?:of|from)|one to (?:five|ten)|opinion",
  call_misdirected:
    "equivoc|departament|no es aqui|no corresponde|no llevamos|otro (?:numero|telefono)|wrong|department|another (?:number|company)|not (?:us|here)",
  call_transfer:
    "paso|pasar|transf|departament|compañer|companer|put you through|department|colleague|connect you|pass you",
};

const PATTERNS = new Map(
  Object.entries(REASONS).map(([label, words]) => [label, new RegExp(`(?<!\\p{L})(?:${words})`, "u")]),
);

/** Kinds of calls in which their matter is spoken of all the time, so that one turn alone is no reason for the label. */
const SPOKEN_OF: readonly Label[] = ["survey", "sales_upsell", "retention"];

/** Whether anything that people say in a call gives a reason for a label. Of other languages nothing is known: true. */
export function hasReason(label: Label, { language, utterances }: Call): boolean {
  if (language !== "es" && language !== "en") return true;
  const text = utterances.map((turn) => fold(turn.text)).join("\n");
  if (label === "call_no_content") return wordsOf(text).filter(({ folded }) => isContent(folded)).length <= NO_CONTENT;
  if (label === "compliment")
    return utterances.some(({ speakerRole, text }) => speakerRole !== "agent" && plainSentiment(text) === "positive");
  const pattern = PATTERNS.get(label) ?? PATTERNS.get(label.split("_")[0] as string);
  if (!pattern || !SPOKEN_OF.includes(label)) return pattern?.test(text) ?? true;
  return utterances.filter((turn) => pattern.test(fold(turn.text))).length > 1;
}
