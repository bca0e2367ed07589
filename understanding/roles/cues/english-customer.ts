import { phrases } from "../plain-words.ts";
import type { CustomerCue } from "./cue-names.ts";

/** English, what the caller's side says. */
export const englishCustomer: Partial<Record<CustomerCue, RegExp>> = {
  states_purpose: phrases(
    "(?:im|i am|i was|was|just|were) (?:just )?calling (?:because|about|to|in|regarding|on|with|for|cause|since)(?! (?:remind|confirm your|let you|offer|inform|follow))|the reason (?:im|i am|for my) call\\w*",
    "i(?:ve| have|ve got| got| had|m having| am having|ve been having| keep having|m trying| was trying| am trying| need) (?:a|an|some|this|to|another) ?(?:little |quick |slight )?(?:problem|question|issue|trouble|reservation|appointment|charge|complaint|concern|claim|bill|tooth|dishwasher|letter|ticket|couple)",
    "having (?:some |a lot of |a )?(?:trouble|issues?|problems?|difficult\\w+)|i was (?:wondering|hoping|told|trying|looking|just talking)|i wanted to (?:know|ask|see|check|find|report|cancel|add|change|talk|make)|just (?:checking|wondering|wanted)",
    "so (?:what happened is|basically|heres the|i|my)|hoping (?:you|to|i)|(?:what it is|the thing is|heres the thing)",
  ),
  wants: phrases(
    "i(?:d| would)(?: really)? (?:like|love|rather|prefer)(?: to)? (?!you to|to help|to offer|to verify)|i (?:just )?(?:want|wanted|need|needed)(?: to| a| an| my| some| it| help| you)? (?!to (?:verify|confirm|get your|let you)|your|you to)\\w+",
    "we(?:d| would) like|(?:speak|talk) (?:to|with) (?:a|an|your|the|someone|somebody|my|another)|cancel my|return (?:it|this|my)|dispute|(?:file|make|filing|making) a (?:complaint|claim)",
    "can i (?:get|have|talk|speak|use|pay|change|move|cancel|do|still|add|put|make|book|start|just|return|come|see|ask|order)(?! (?:your|the name|the number|the phone|both|you|a (?:phone|good)))",
  ),
  describes_problem: phrases(
    "i dont (?:understand|get (?:it|why|how)|recognize|recognise|know (?:why|what|how|if|where))|im (?:confused|worried|stuck|locked out|unable|not able)|how come",
    "(?:isnt|not|wasnt|arent|never|doesnt|dont|wont|cant|couldnt|didnt|stopped|quit|keeps?|kept|hasnt|havent|werent) (?:been |even |actually |really |seem to |be )?(?:work(?:ing|s|ed)?|get(?:ting)?|connect\\w*|load\\w*|turn\\w*|cool\\w*|charg\\w*|arriv\\w*|receiv\\w*|show(?:ed|ing)?|com(?:e|ing)|go(?:ing)?|respond\\w*|start\\w*|let|dropp\\w*|open\\w*|log|print\\w*|deliver\\w*|gotten|got|recognize|recogni[sz]e|make|authorize|order|ring\\w*|freez\\w*|crash\\w*)",
    "(?:broken|busted|leaking|dead|cracked|frozen|damaged|missing|lost|stolen|slow|shut off|cut off|dropping|glitch\\w*|blank|acting up|went out|burst|soaked|warped|fraud\\w*|wrong|red light|error|expired) ?",
    "(?:no|without|lost) (?:service|internet|signal|power|water|hot water|connection|dial tone|heat|reception|pressure)|its (?:just |still |been |really |not )(?:down|out|blinking|stuck|saying|not|black|off|red)|(?:my|the) \\w+ (?:wont|isnt|doesnt|stopped|keeps|has been|s been)",
    "since (?:yesterday|last|this|monday|tuesday|wednesday|thursday|friday|saturday|sunday|then|that)|(?:for|about|like) (?:a|two|three|four|five|six|\\w+) (?:days|weeks|months|hours)|(?:last night|this morning|yesterday|the other day)",
  ),
  own_things: phrases(
    "my (?:line|internet|bill|order|package|account|card|phone|router|modem|car|truck|service|claim|appointment|subscription|policy|plan|house|home|address|number|email|wifi|broadband|signal|flight|bag|suitcase|luggage|ticket|reservation|booking|credit|debit|checking|savings|bank|money|refund|payment|statement|balance|password|computer|laptop|screen|site|website|data|insurance|prescription|deposit|mortgage|membership|garage|kitchen|knee|tooth|receipt|meter|property|rent|loan|check|cab|app|tv|box|registration|medication|doctor|accountant|neighbors?|contract|electricity|gas|boiler|washer|fridge|oven|passport|student|points|shipment|delivery|license|application|shoes|coat|daughters?|sons?|kids?)",
    "mine(?:s)?|of mine",
  ),
  suffers: phrases(
    "(?:i|ive|we|weve) (?:already )?(?:called|spoke|spoken|talked|emailed|written|complained) (?:to|with|you|yesterday|before|last|about|twice|in|back|already|earlier|on|three|this)",
    "i (?:was|got|keep (?:getting|being)|am being|have been|ve been|been|m being|kept) (?:also |just |\\w+ )?(?:charged|billed|told|overcharged|double|disconnected|hung|transferred|promised|getting|given|sent|cut|locked)|ive been (?:waiting|on hold|trying|without|a customer|calling|told|having|with)",
    "(?:they|you|you guys|you people|somebody|someone|nobody|no one|he|she|the (?:driver|guy|lady|technician|last person)) (?:\\w+ )?(?:charged|billed|told|said|promised|sent|cancelled|canceled|lost|came|comes|showed|shows|hung|took|installed|never|didnt|cut|kept|keep|replied|helped|delivered|ve kept|have kept)(?: me| us)?",
    "i (?:just )?(?:lost|paid|bought|ordered|returned|received|noticed|tried|called|signed|switched|moved|rented|dropped|sent|opened|forgot|changed|put|placed|booked|purchased|sold|took|woke|mailed|emailed|got (?:a|an|my|this)|never|did (?:that|already)|already)",
    "we (?:paid|got|never|havent|tried|ordered|bought|cant|called|dont have|did|were|lost)",
  ),
  gives_identification: phrases(
    "my (?:\\w+ )?(?:name|number|account|account number|phone number|date of birth|birthday|address|email|email address|zip|zip code|postcode|order number|policy number|member id|id|pin|last name|first name|social)(?: number)?(?: is|s)? (?!and how|how may|how can|and i(?:m| am) calling)(?!.{0,30}how (?:can|may))",
    "(?:its|thats|it is|that is|it should be|its under|under) (?:in |under |spelled )?(?:my (?:name|husbands|wifes|account)|(?:\\w+ )?(?:at (?:gmail|yahoo|hotmail|outlook|example)|dot com))|at (?:gmail|yahoo|hotmail|outlook|example|mailbox) dot com",
    "(?:yes|yeah|sure|yep|ok|okay|uh|um)? ?(?:its|it is|thats) (?:zero|oh|one|two|three|four|five|six|seven|eight|nine|\\d)|i dont have (?:it|that|my)|(?:in|under) my (?:husband|wife|name|mother|father|dad|mom)\\w*|this is (?:her|him|she|he)|speaking ?\\.",
    "i(?:m| am) (?:a|an) (?:customer|patient|member|student|existing|long|loyal|sophomore|premium)|im (?:the account holder|her husband|his wife|on the account|on there)",
  ),
  asks_favour: phrases(
    "(?:can|could|would|will) (?:you|u|somebody|someone)(?: guys)?(?: please| just| maybe)? (?:help|tell me (?:why|what|how|if|when|where)|explain|send (?:me|it|somebody|someone|that)|fix|change|refund|put (?:me|that|it)|make|cancel|check (?:on|if|my|that)|take (?:it|that|this) off|give me (?:a|some|my)|transfer|connect|let me|do (?:that|anything|something)|look|schedule me|reset|remove|waive|add|get (?:me|someone|it)|just|resend|mail|call me)",
    "is there (?:any|a) (?:way|chance|possibility|discount|reason|fee for|charge for|interest)|do you (?:have|guys|take|know (?:why|when|how|what|if)|sell|offer|carry|deliver)(?! (?:your|the|a (?:policy|phone|pen)|an? \\w+ number))",
    "(?:can|should|could|may) i (?!help|assist|have your|get your|ask|take|verify|get the name|have the|get you|offer|just get|direct|do for|please)\\w+|do i (?:need|have|get|still|just|owe|qualify|want)|will i|am i (?:going|gonna|able|being|still|supposed)|should i|how do i|where do i|what do i|what should i|what am i|how can i (?!help|assist)",
    "(?:put|get) me (?:through|in|on)|please (?:help|send me|just|fix)|would it be possible|help me",
  ),
  asks_price_or_time: phrases(
    "(?:and )?(?:how much|how long|how late|how soon|how many days|what time|when) (?:is|are|will|would|does|do|did|can|should|have|s|until|till|am|exactly)(?! (?:you notice|you first|did you|you like))",
    "why (?:was|is|did|am|do|are|does|cant|didnt|wasnt|isnt|would|should|has|have)|what (?:about|if|happens|would|does that|are you|the heck|do you mean)|is (?:that|it|this) (?:going|gonna|free|covered|extra|included)",
    "so (?:i|will i|it|thats|can|do i|am i|does|this|what|youre saying|the|you)|and (?:do|will|what|when|how|is|can|if|you wont|its|that|then)|wait (?:what|when|so|a)|does (?:it|that) (?:cost|include|cover|mean)",
    "(?:what|that)(?:s| is| would| will) (?:that|it|this|gonna|going to) (?:cost|be|run)|is there (?:a charge|interest|anything)|get (?:my money|it|that|a refund|any money|back)",
  ),
  complains: phrases(
    "your (?:website|driver|technician|app|people|colleague|guy|guys|competitor|machine|automated)\\w*",
    "(?:ridiculous|unacceptable|frustrat(?:ed|ing)|fed up|sick of|unbelievable|outrageous|terrible|awful|horrible|insane|crazy|joke|upset|annoy\\w+|disappoint\\w+|scam|rip ?off|unreal|furious|disgusting|nightmare|not fair|nonsense|driving me)",
    "(?:second|third|fourth|fifth|\\w+) time (?:i|ive|this|that|calling)|every (?:time|month|day|evening)|(?:manager|supervisor)|nobody|no one|every single|over and over|again and again",
    "(?:thats|it is|its) not (?:my|our|fair|right|what)|i (?:should|shouldnt) (?:have|be|not)|i (?:cant|dont|wont|couldnt) (?:\\w+ )?(?:pay|believe|afford|understand|wait|do this|even|want)|(?:oh )?(?:man|boy|come on|seriously|geez|ugh|ouch|blimey|wow|whoa|phew|thank god)",
    "i(?:m| am) (?:paying|not happy|really|pretty|so|very|going to|gonna|not going|never|just|kind of)|im (?:calling|switching|done|out|getting)",
  ),
  thanks_for_help: phrases(
    "(?:thank you|thanks) (?:so much|very much|a lot|a bunch|a million|for (?:your|all|the|helping|everything|nothing)(?: help| your help)?)(?! for (?:calling|verifying|holding|waiting|your patience))|youve been (?:very |so |really |a )?(?:helpful|great|big)|(?:really |i )appreciate (?:it|that|your help|you)|cheers",
    "(?:no|nope|nah) (?:that|thats|i think|im|thank|thanks|maam|sir|its|nothing)(?: is| s)?(?: it| all| everything| good| set| you)?|thats (?:all|it|everything|great|good|fine|perfect|about it)(?: i needed)?|im (?:good|all set|fine|set)|that(?:ll| will) be all|(?:you|you too|youre a) (?:too|lifesaver)",
    "(?:sounds|thats|looks|works) (?:good|great|fine|perfect|okay|amazing|for me)|that works|ill take it|perfect ?\\.|great ?\\.|awesome ?\\.|lovely ?\\.",
  ),
  own_people: phrases(
    "(?:my|our) (?:wife|husband|son|daughter|mother|father|mom|mum|dad|kids?|kid|sister|brother|boss|neighbou?rs?|roommate|family|baby|dog|cat|girlfriend|boyfriend|partner|grand\\w+|friend|accountant|lawyer|landlord|brother|aunt|uncle|in laws?|children|parents|stepson|nephew|niece|cousin)s?",
    "work from home|im at (?:work|home|the airport)|i work|im moving|(?:im|i am) (?:driving|traveling|travelling|on vacation|retired|elderly|pregnant)",
  ),
  fetches: phrases(
    "(?:let me|hang on|hold on|one (?:second|sec|minute)|wait|just a (?:second|minute|sec)) (?:let me |i |while i |im |its |i gotta |ill )?(?:find|get|grab|look for|put|try|write|go|see if i|think|dig|read|turn|gotta|need|have to|trying|need to|pull over)(?! (?:that|your|you|into|up))|let me (?:find|grab|write|get (?:it|my|a pen)|put my|think|try that|go get)",
    "i have (?:it|the|my) (?:right here|in front|here|on my|receipt)|got it|here it is|there it is|(?:okay|ok|alright) (?:done|im (?:in|there|looking|turning|plugging)|it says|it worked|its (?:on|off|out|back)|i see|i did|i pressed|it came)",
    "(?:uh|um|er|yeah|yep|yup|nope|mhm|mm|ok) (?:its|so|the|i|my|yeah|ok|okay)|oh (?:okay|ok|good|great|wow|thats|really|thank|i see|no|cool|right|yes|there|my)|i (?:think|guess|suppose|believe|mean|dont know|figured|hope|see) ",
  ),
  says_own_things: phrases(
    "my (?!name is|pleasure|apologies|supervisor|manager|system|screen|end|colleague|computer|team|notes|understanding)[a-z]+",
    "(?:me|myself|us)",
  ),
};
