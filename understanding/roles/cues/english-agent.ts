import { phrases } from "../plain-words.ts";
import type { AgentCue } from "./cue-names.ts";

const IDENTIFIERS =
  "(?:name|first|last|full|account|phone|telephone|number|policy|order|tracking|member|customer|reference|confirmation|" +
  "email|address|zip|zipcode|postcode|postal|date of birth|birthday|birth|social|pin|password|security|license|plate|" +
  "booking|claim|invoice|serial|model|employee|student|company|card|agreement|service|citation|case|ticket|bag|domain|id|" +
  "callback|contact|mailing|billing|street|unit|insurance|loyalty)";
const I_WILL =
  "(?:ill|i will|im going to|im gonna|i am going to|im|i can|i could|i have|ive|ill go ahead and|let me|well|we will|we can|were going to|weve|ill just|ill get|i just|lets|i do|i would)";

/** English, what the company's side says. */
export const englishAgent: Partial<Record<AgentCue, RegExp>> = {
  greets_for_company: phrases(
    "(?:thank you|thanks)(?: so much| again)? for (?:calling|contacting|reaching|holding|choosing|phoning|ringing|waiting|calling in)",
    "welcome to (?!the)\\w+",
    "(?:youre|you are) (?:speaking|through|talking) (?:with|to)|youve reached|you have reached",
    "customer (?:service|care|support|relations|services)|technical support|tech support|member services|claims department|front desk|help ?desk|service (?:center|desk)",
    "my name is \\w+(?: \\w+)? (?:and )?(?:how|may|can|who)|on a recorded line",
    "this is \\w+(?: \\w+)? (?:speaking|how (?:can|may)|with|in|from|at|on a|how)(?! calling)",
    "(?:who do i have the pleasure of|who am i) (?:speaking|talking)",
  ),
  offers_help: phrases(
    "(?:be of|any) (?:assistance|service)|what (?:can|may) (?:i|we) (?:help|assist|do)|to better (?:assist|help|serve) you|so (?:that )?i can (?:help|assist|better|pull|find|look)",
    "how (?:can|may|could) (?:i|we) (?:help|assist|direct|be of)|how (?:can|may) i",
    "what (?:can|could|may) (?:i|we) (?:do|help|get|assist)|what (?:brings you|seems to be|is the|are you) (?:calling|problem|issue|trouble)",
    "(?:can|may) i help you|what do you need help|whats (?:going on|happening|up|your query|your question|the problem|the issue)(?: today)?|tell me (?:whats|what is|whats been|a little|more)",
    "(?:id|i would|ill|i will|im|i can|well|we can) (?:be )?(?:more than |very )?(?:happy to|glad to|definitely|certainly|gladly|absolutely|love to)? ?(?:help|assist)(?: you)?",
    "happy to help|lets (?:take a look|see what|sort|get (?:that|this|you))|how (?:are you|is your day|s your day|s it going)",
  ),
  offers_more_help: phrases(
    "(?:is|was) there anything else|anything else (?:i|we|you|today|that|for)|any other (?:questions|concerns|issues|issue|thing)",
    "anything else ?\\?|what else can i|(?:do you )?have any (?:other|further|more) questions|does that (?:help|answer|make sense|work for you)",
  ),
  asks_identification: phrases(
    "(?:would|do) you mind (?:telling|giving|confirming|verifying|spelling|providing)|(?:may|can|could) i (?:please )?(?:verify|confirm) (?:your|the|that)|i(?:ll| will| just) (?:have|need) to (?:verify|ask you|confirm)",
    `(?:can|could|may|might) (?:i|we) (?:please )?(?:just )?(?:also )?(?:have|get|take|grab|ask|ask for|start with) (?:please )?(?:your|the|a|an|both|just|for) (?:\\w+ ){0,3}${IDENTIFIERS}`,
    `(?:can|could|would|will) you (?:please )?(?:just )?(?:also )?(?:give|tell|provide|verify|confirm|spell|read|repeat|state|share)(?: me| us| back| with me)? (?:please )?(?:out )?(?:your|the|that|what)`,
    `(?:whats|what is|what was) (?:your|the) (?:\\w+ ){0,2}${IDENTIFIERS}`,
    "(?:who am i|whom am i|who do i have|am i) (?:speaking|talking|the pleasure)|and (?:who|you are|your name|your full|your date|your last|your first|the name)|what name",
    "(?:for|due to) (?:security|verification|privacy)(?: purposes| reasons)?|to verify (?:your|the|that)|verify (?:your|the) (?:account|identity|address|pin|last)",
    "(?:the )?last (?:four|4)(?: digits)?(?: of)?(?: your| the)?|(?:are you|youre) the account holder|is (?:this|that) (?:the )?(?:account holder|under your)",
    `do you have (?:your|the|a|an) (?:\\w+ ){0,2}(?:number|id|code|card|policy|reference)(?: \\w+){0,3}`,
    "(?:name|date of birth|phone number|address|postcode|the street|number|email) ?\\?|what name|how do you spell|whats the best (?:number|phone|email)|(?:good|best) (?:callback |contact )?number",
    "i(?:ll| will) (?:just )?need (?:your|the|some|to verify|to get|a few)|your full (?:name|address)",
  ),
  asks_details: phrases(
    "have you (?:tried|been|checked|already|got|had|noticed|restarted|ever)|did you (?:try|check|get|receive|notice|complete|make|do|see|travel)",
    "(?:do|did|are|is|would|were|have) you (?:still|see|seeing|own|know|want|like|prefer|happen|calling|able|currently|using|a current)",
    "would you like|when did (?:you|it|this)|what (?:color|error|kind|type|time works|part|address|day|size|month)|which (?:month|one|part|plan)|does (?:that|this|it) (?:work|sound|say)",
    "would (?:that|you be able|you mind)|is (?:it|that|this) (?:the|under|correct|okay|plugged|a|right)|is that correct|correct ?\\?|how many (?:passengers|people|in your|are)|pickup or|is your \\w+",
  ),
  holds: phrases(
    "(?:can|may|could|would it be okay if|do you mind if|mind if) i (?:put|place) you|(?:would|do) you mind holding|i appreciate (?:you )?(?:your patience|holding|waiting)|sorry to keep you",
    "(?:put|place) you on (?:a )?(?:brief |quick |short )?hold|please hold|hold (?:the line|please|for)|bear with me|stay on the line|hold tight",
    "(?:one|just a|just one) (?:moment|second|sec|minute) (?:please|while|for me|and|let me)|one moment|give me (?:just )?(?:a|one) (?:moment|second|minute)",
    "(?:thank you|thanks|appreciate) (?:so much )?(?:for )?(?:holding|waiting|your patience|your time|being patient|verifying)|appreciate your (?:patience|business|understanding)|sorry (?:for|about) the (?:wait|hold|delay)",
  ),
  looks_up: phrases(
    "let me (?:just )?(?:go ahead and )?(?:check|look|pull|see (?:what|if|here)|take a look|verify|review|get that|find out|bring|access|confirm|run|do that|look into|see whats)",
    "(?:ill|i will|im going to|im) (?:just )?(?:check|checking|look|looking|pull|pulling|run|running|review|reviewing|take a look|bring|verify)",
    "(?:while|as) i (?:check|look|pull|get|review|bring|access|verify)|look into (?:that|this|it)|pull (?:that|it|this|your|up)|take a (?:quick )?look",
    "lets (?:see|try|check|have a look|take a look)",
  ),
  sees_in_system: phrases(
    "i (?:can |do )?see (?:here |that |it here|you|your|the|it|a |an|two|both|where|someone|dont see)|im (?:showing|seeing)|i show|i(?:ve| have) (?:got )?(?:your|you|it|that|the) (?:account|right here|here|up|pulled|information|listed|order|reservation)",
    "(?:our|the|my) (?:records|system|screen|computer|notes|file)(?: shows?| says?| indicates?| is showing)?|on (?:my|our) (?:end|side|screen)|according to",
    "(?:it )?looks like (?:you|your|the|its|it|there|that|we|last)|its (?:showing|saying here|telling me)|it shows|on (?:your|the) (?:account|file|plan|policy)|found (?:it|your|you|the)|im not (?:seeing|showing)",
    "(?:theres|there is) (?:a|an|already) (?:note|outage|mast|charge|balance|fault|hold)|your (?:account|order|package|balance|bill|payment|claim|appointment) (?:is|was|has|shows|balance)",
  ),
  acts_for_other: phrases(
    "i(?:ve| have) (?:just |already )?(?:gone ahead|taken care|made a note|put (?:that|a|in)|let (?:them|the))|(?:thats|its|that is) (?:all )?(?:been )?taken care of",
    `${I_WILL} (?:also |just |now |already |go ahead and |certainly |definitely |be )*(?:send|sending|sent|email|emailing|emailed|text|texting|texted|mail|issue|issuing|issued|process|processing|processed|schedule|scheduling|scheduled|book|booked|booking|refund|refunding|refunded|credit|crediting|credited|cancel|cancelled|canceled|cancelling|update|updated|updating|escalate|escalated|escalating|arrange|arranged|open|opened|opening|create|created|raise|raised|set (?:you|that|up|it)|note|noting|add|added|adding|submit|submitted|file|filed|remove|removed|removing|apply|applied|applying|waive|waived|reset|unlock|block|blocked|activate|activated|reverse|reversed|push|pushed|resend|forward|get (?:you|that|this|some|an|your|it)|put (?:you|that|a|in|it|some)|offer|reschedule|replace|order|expedite|transfer|connect|walk you|replace|restore|turned it|see what|start|help|do is|make (?:sure|a note)|leave|dispatch|request|requested)`,
    "(?:thats|its|youre|that has|that is|youve|you are|youll) (?:been |all |now |all been )?(?:set|booked|done|activated|cancelled|canceled|scheduled|updated|refunded|taken care|confirmed|sorted|on the list|down for|processed|submitted|all set)",
    "what i (?:can|could|am going to|will) do|i can (?:do|get|have|offer|give|squeeze)|we (?:can|could|do|have|would|offer|accept|take) (?!not)",
    "(?:go ahead|all right|okay|perfect|great) (?:so )?(?:and )?i(?:m|ve|ll| have| will| am)",
  ),
  promises: phrases(
    "(?:you|youll|you will|you should|you can expect to|youre going to|you may) (?:should |also |then )?(?:receive|get a|get an|be getting|see (?:a|the|that|it|an|your)|be (?:charged|billed|refunded|notified|able|contacted)|hear)",
    "(?:well|we will|someone|theyll|an? (?:engineer|technician|adjuster|manager|driver|representative|supervisor)|the (?:technician|engineer|driver|area manager)) (?:will |be |should |is going to )?(?:call|contact|reach|email|be (?:there|out|in touch)|send|let you|give you|arrive|get back)",
    "(?:your|the) (?:confirmation|case|reference|ticket|claim|order|tracking) (?:number|code)?(?: is|s)|case number is|number is #?\\d{4,}",
    "(?:within|in|up to|takes?|about|around|allow) (?:the next )?(?:\\w+ )?(?:to )?(?:\\w+ )?(?:business|working) days|twenty four hours|(?:refund|credit|card|package|bill|statement) (?:will|should|takes)",
    "itll (?:be|take|have|show)|it (?:will|should|usually|typically) (?:be|take|takes|arrive|show|post)|(?:should|will) (?:arrive|be there|be delivered)",
  ),
  quotes_terms: phrases(
    "im afraid (?:that|we|its|the|i|you|this|our|there)|unfortunately (?:we|that|the|our|i|its|this|you|there)|at this time we|as (?:per|part of) (?:the|our|your)",
    "(?:our|company) (?:policy|policies|terms|system|website|records|hours|rates?|technicians?|engineers?|department|team|procedure|agents|office|warranty|app)",
    "(?:terms and conditions|in the agreement|the contract|non refundable|prior authorization|business days|grace period|manufacturers warranty|notice period|proof of purchase|under warranty)",
    "(?:theres|there is|there would be|thatd be|there will be|theres also) (?:a|an|no) (?:\\w+ ){0,3}(?:fee|charge|cost|limit|penalty|copay|deductible|discount|notice|form|deposit|wait)",
    "(?:call|line|conversation) (?:is|may|will|can|might) (?:be )?(?:being )?(?:recorded|monitored)|for quality",
    "we (?:have|offer|do|can|dont|require|need|charge|close|open|accept|ask|are open|only|recommend)|were (?:open|here|currently|experiencing|closed|offering)|wed (?:need|have|be|recommend|reconnect)",
    "(?:youd|you would|youll|you will) (?:have|need|want|be|owe|just|upload|only) (?:to )?(?!able)|youre (?:entitled|eligible|covered|required)|you(?:re| are) (?:on a|welcome to|currently)",
    "i(?:ve| have) (?:got )?(?:\\w+ ){0,2}(?:monday|tuesday|wednesday|thursday|friday|saturday|tomorrow|openings?|available|seven or|at (?:two|three|nine|ten))|the (?:soonest|earliest) (?:i|we)",
    "on your plan|with (?:that|this|your) plan|under (?:your|the) (?:policy|plan|agreement)|only if",
  ),
  apologises: phrases(
    "(?:im |i am |were |so |very |really |we are |im so |im very )?sorry (?:to hear|about|for|youre|that|you had|you are|to see|this|the)",
    "(?:i |we |my |our |again i |do )+(?:sincerely |truly |do |really )?apolog(?:ize|ise|ies|y|ised|ized)|(?:my|our) apologies|for the (?:inconvenience|trouble|confusion|delay)",
    "i (?:completely |totally |absolutely |fully |can |do |certainly )*(?:understand|appreciate|hear) (?:your|how|that|you|why|the|completely|this)|i understand|that (?:must|sounds) (?:be )?(?:frustrating|awful|concerning|terrible)|oh (?:no|dear|goodness)",
    "youre (?:absolutely |completely )?right|i know its frustrating",
  ),
  closes_for_company: phrases(
    "(?:thank you|thanks)(?: so much| again)? for (?:calling|contacting|choosing|being (?:a|with|our)|your (?:business|loyalty|call|patience|time|order)|shopping|banking|letting us|flying|staying|using|joining|verifying)",
    "(?:have|enjoy) (?:a |an |the |your )(?:very )?(?:great|good|nice|wonderful|lovely|blessed|fantastic|pleasant|rest|weekend|evening|day|one|afternoon|awesome|new)",
    "(?:my|its been my|it was my|it was a) pleasure|youre (?:very |both |most |so )*welcome|(?:dont hesitate|feel free) to|take care|you bet|any ?time|no worries|we appreciate|appreciate your",
    "(?:brief |short |quick )?survey|glad (?:i|we|that) (?:could|got|was)|well see you|see you (?:at|on|saturday|then|monday|tuesday|thursday|friday)",
  ),
  addresses_formally: phrases("(?:sir|maam|mam|madam)", "(?:mr|mrs|ms|miss|mister) [a-z]+"),
  instructs: phrases(
    "(?:go ahead and|please|now|first|then|next|just|could you|can you|if you could|if you can|try to|you can|id like you to|i need you to|youll want to|want you to) (?:please |try |go )?(?:unplug\\w*|plug|restart\\w*|reboot\\w*|press|click|go (?:to|into|back|ahead)|open|close|turn|enter|type|select|tap|log|sign|check|disconnect|reset|power|hold|wait|download|scroll|send|fill|bring|keep|upload|submit|reply|call us|give us|visit|read|take|look|put|schedule|renew|set|remove|change|update|use)",
    "(?:unplug|plug it|restart|tap|click) (?:on |it|the|that|your|in)|is (?:it|the \\w+) plugged|under (?:settings|reports|penalties)|in the (?:dashboard|app|menu|settings|corner)|bring (?:that|your|it|him|her)|you should see",
  ),
  obliges: phrases(
    "(?:certainly|absolutely|of course|not a problem|no problem|sure thing|definitely|my pleasure|wonderful|awesome|excellent|perfect|great|fantastic|gotcha|understood|lovely|all right|alright) (?:i|ill|im|ive|let|so|thank|and|may|thanks|we|can|now|one|what|that)",
    "i(?:d| would) be (?:happy|glad|more than)|just to (?:confirm|clarify|verify|let you know)|to confirm|rest assured|as a courtesy|i(?:d| would) (?:recommend|suggest)|i wouldnt",
    "thank you (?:mr|mrs|ms|miss|for that|for verifying|so much for|sir|maam|very much (?:mr|ms|mrs))|thanks for (?:that|verifying|confirming|your patience)",
  ),
  transfers: phrases(
    "(?:transfer|connect|direct|put|forward|pass|send|move) (?:you|your call) (?:over |through |back |straight )?(?:to|with|over|through)|transferring you|putting you through|get you (?:over )?to (?:the|our|a|someone)|to our \\w+ department",
  ),
  names_their_things: phrases(
    "your (?!website|company|system|policy|help|time|people|service|app|driver|technicians?|supervisor|manager|store|customers?|office|hours|side|name again|colleague|agent)[a-z]+",
    "yours|for you|with you|you guys(?! lost| sold| are| close| charged)",
  ),
  figures_for_other: phrases(
    "(?:its|thats|thatll be|that comes to|your total is|total of|itd be|itll be|its going to be|balance of) (?:\\w+ ){0,4}(?:dollars?|pounds?|euros?|bucks|cents)",
    "for (?:\\w+ ){1,3}(?:dollars|pounds|a month)|flat rate|plus (?:tax|parts|labor)",
  ),
};
