import { phrases } from "../plain-words.ts";
import type { Lexicon } from "./cue-names.ts";
import { spanishAgent } from "./spanish-agent.ts";
import { spanishCustomer } from "./spanish-customer.ts";

export const spanish: Lexicon = {
  cues: { ...spanishAgent, ...spanishCustomer },
  bareAnswer: /^(?:(?:si|hola|alo|bueno|diga|digame|quien (?:es|habla)|a ver|hello|oigo|mande|residencia)[ .?]*){1,3}$/,
  machine: phrases(
    "(?:marque|pulse|oprima|digite|presione|teclee|diga) (?:el |la |la tecla )?(?:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|\\d)",
    "(?:todos )?nuestros (?:agentes|operadores|asesores|ejecutivos|gestores) (?:\\w+ ){0,3}(?:estan|se encuentran) ocupad\\w+",
    "(?:permanezca|mantengase) a la espera|su llamada es (?:muy )?importante|despues de la senal|deje su mensaje|buzon de voz",
    "le atenderemos en (?:breve|unos)|sera atendid[oa] (?:en|por)|tiempo (?:estimado )?de espera",
  ),
  callsForCompany: phrases(
    "(?:le|te|les|os|la|lo) (?:llamo|llamamos|hablo|hablamos|marco|marcamos|contacto|contactamos|estamos llamando|estoy llamando) (?:de|del|desde|de parte|por parte|en nombre|en relacion)",
    "(?:le|te|les) (?:llamo|llamamos|hablamos|marco|contactamos) (?:para|por|porque) (?:\\w+ ){0,3}(?:su|tu|ofrecerle|ofrecerte|informarle|recordarle|recordarte|confirmarle|confirmar|hacerle|hacerte|comentarle)",
    "(?:el|mi) motivo de (?:mi|la|esta|nuestra) llamada|motivo de (?:mi|nuestra) llamada",
    "gracias por atender(?:me|nos|la|mi)\\w*|(?:le|te) llamamos|(?:le|te) (?:hablo|llamo) de (?:la|el)",
    "estamos (?:llamando|ofreciendo|contactando)",
  ),
  asksForPerson: phrases(
    "(?:hablo|hablamos|tengo el gusto de hablar|estoy hablando|podria hablar|puedo hablar|me comunico) con (?!quien|ustedes|alguien|un |una |el gimnasio|la ferreteria|los de|el de|la de|informatica|recepcion)",
    "(?:es usted|eres) (?:don|dona|el senor|la senora|[a-z]+ ?\\?)|se encuentra (?:el|la|don|dona)",
    "(?:esta|estaria) (?:el senor|la senora|don|dona)",
  ),
  businessOpening:
    /^(?!(?:si|hola|muy buen[oa]s|buen[oa]s|mire|perdon|oiga|gracias|vale|quer|llam|soy)\b)(?:[a-z0-9]+ ){1,6}(?:buen[oa]s(?: dias| tardes| noches)?|digame|dime|diga|dígame|en que|recepcion)\b/,
};
