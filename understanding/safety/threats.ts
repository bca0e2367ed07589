import { fold } from "../words.ts";

/** Threats and harm in so many words, Spanish and English; "me mata este calor" and "kill the app" are none. */
const THREAT =
  /(?<!\p{L})(?:(?:te|le|os|les|lo|la|los|las) (?:voy|vamos|va|van) a (?:matar|pegar|rajar|reventar|quemar|disparar|partir|romper)|(?:me|nos) (?:ha |han )?(?:amenaz\p{L}+ (?:con|de)|dijo que (?:me|nos) (?:mata|iba a matar))|(?:partir|romper)(?:te|le|me|les|os)? (?:la cara|las piernas|los huesos|el cuello|la cabeza)|(?:me|se) (?:quiero|quiere|voy a|va a) (?:matar|suicidar)(?:me|se)?|quitarme la vida|suicid\p{L}+|pegar(?:te|le|me) un tiro|(?:going to|gonna|will|would|i'll|he'd|wants? to) (?:kill|shoot|stab|strangle|hurt|beat up) (?:you|him|her|me|them|us|myself|himself|herself)|(?:break|breaks|broke) (?:your|my|his|her|their|our) (?:legs?|neck|arms?|face|bones|jaw)|(?:kill|hang|hurt) myself|end my life|suicid\p{L}+|burn (?:your|my|his|her|their|the) (?:house|office|shop|car) down|put a bullet)(?!\p{L})/u;

/** Whether a text threatens in so many words: a witness against "nothing was found". */
export const threatens = (text: string): boolean => THREAT.test(fold(text));
