import { phrases } from "../plain-words.ts";
import type { Lexicon } from "./cue-names.ts";
import { englishAgent } from "./english-agent.ts";
import { englishCustomer } from "./english-customer.ts";

export const english: Lexicon = {
  cues: { ...englishAgent, ...englishCustomer },
  bareAnswer:
    /^(?:(?:hello|hi|yeah|yes|hey|hello there|who is this|whos this|whos calling|speaking|\w+ residence)[ .?]*){1,3}$/,
  machine: phrases(
    "(?:press|dial|say|enter) (?:zero|one|two|three|four|five|six|seven|eight|nine|pound|star|\\d|your)",
    "your call (?:is (?:very )?important|will be answered|has been placed)|(?:our|all) (?:\\w+ ){0,2}(?:representatives|agents|operators|advisors|associates|lines|advisers) are (?:currently |all )?(?:busy|assisting|helping|on)",
    "(?:next available|estimated wait|in the order|at the tone|after the (?:beep|tone)|leave (?:a|your) message|main menu|voicemail|voice mail|please stay on the line|listen carefully)",
    "for (?:\\w+ ){1,3}(?:press|say|dial)",
  ),
  callsForCompany: phrases(
    "(?:im|i am|were|we are|just|this is \\w+) (?:just )?calling (?:\\w+ )?(?:from|on behalf|with|for|you from|you about|about your|regarding your|to (?:remind|confirm|let you|offer|inform|follow|tell you|see if youd|talk to you|verify))",
    "calling (?:from|on behalf of|regarding your|about your|to (?:remind|confirm your|follow up with you|let you know))|the reason (?:for (?:my|our|the|todays) call|im calling you|i am calling you)",
    "(?:thanks|thank you) for (?:your time|taking (?:my|the|our) call)|is (?:now|this) a good time|do you have a (?:few minutes|minute|moment|second)(?: to| for|\\s?\\?)|take (?:a|just a) (?:minute|moment) of your time|(?:itll|this will) only take",
  ),
  asksForPerson: phrases(
    "(?:am i|may i|can i|could i) (?:speaking|speak|talk|talking) (?:with|to) (?!a |an |someone|somebody|the|your|my|about)\\w+|is (?:this|that) (?:mr|mrs|ms|miss|[a-z]+ ?\\?|[a-z]+ [a-z]+ ?\\?)|is (?:mr|mrs|ms|miss) \\w+|(?:trying to reach|looking for) (?:mr|mrs|ms|a)",
  ),
  businessOpening:
    /^(?!(?:yes|yeah|hi|hey|hello|thanks|okay|um|uh|im|i|my|so|well)\b)(?:[a-z0-9]+ ){1,6}(?:good (?:morning|afternoon|evening)|speaking|how (?:can|may)|this is|support|here|can i help|reception|service|pickup)\b/,
};
