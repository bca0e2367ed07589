import type { Topic } from "./topics.ts";

/** What calls in English are about. */
export const topics: Topic[] = [
  {
    name: "billing",
    split: "development",
    open: [
      "Yes, hello. I am calling about my bill. It went up to {amount} this month and I do not understand why.",
      "Hi, I just received my invoice for {month} and there is a charge of {amount} that I did not expect.",
      "Good morning. You have charged me twice for {month} and I would like my money back.",
    ],
    questions: [
      [
        ["Do you have the invoice in front of you?"],
        ["Yes, I am looking at it right now.", "I have it here on my phone."],
      ],
      [
        ["Which line of the bill are you asking about?", "Can you tell me which charge you mean?"],
        ["It says additional services, and then {amount}.", "The third line, it only says adjustment."],
      ],
      [
        ["Did you change your plan in the last two months?"],
        ["No, I have had the same plan for years.", "I did, but they told me the price would stay the same."],
      ],
    ],
    doubts: [
      [
        ["So am I going to get that money back or not?", "And when will I see the refund?"],
        ["Yes, we will return the full amount within five working days.", "The refund will be on your next bill."],
      ],
      [
        ["Will this happen again next month?", "Can you make sure that it does not happen again?"],
        [
          "No, I have removed the service from your account.",
          "I have put a note on your file so that it stays the same.",
        ],
      ],
    ],
    resolve: [
      "I can see what happened. The discount ended in {month}, so the system charged the normal price. I will correct it now.",
      "You are right, there was a mistake on our side. I have opened a claim and cancelled the charge.",
    ],
    outbound: [
      "I am calling because your last payment of {amount} was returned by your bank.",
      "That is strange, there should be enough money in that account. I will have to look at it tonight.",
    ],
  },
  {
    name: "internet",
    split: "development",
    open: [
      "Hello, my internet has not been working since {day} and I work from home.",
      "Hi, the connection keeps dropping every few minutes. It is really annoying.",
      "Good morning, I have no line at all. The box shows a red light.",
    ],
    questions: [
      [
        ["Have you tried turning the router off and on again?", "Did you already restart the router?"],
        ["Yes, three times already.", "I did that this morning and nothing changed."],
      ],
      [
        ["What colour is the light on the front of the router?"],
        ["The first one is green and the second one is blinking red.", "They are all orange, I think."],
      ],
      [
        ["Does it happen with the cable as well, or only over the wireless network?"],
        ["I only use the wireless network.", "It is the same with the cable."],
      ],
    ],
    doubts: [
      [
        ["How long is this going to take?", "Do I have to be at home for that?"],
        ["The technician can come on {day} at {time}.", "Yes, somebody over eighteen has to be at home."],
      ],
      [
        ["Am I going to be charged for the visit?", "And who pays for the days without internet?"],
        ["No, the repair is free of charge.", "We will take those days off your next bill."],
      ],
    ],
    resolve: [
      "I have tested your line from here and the signal is very weak. I am going to send you a technician.",
      "I have reset the port on our side. Please wait two minutes and look at the lights again.",
    ],
    outbound: [
      "I am calling to tell you that fibre is now available in your street, at the same price as your current plan.",
      "I am happy with what I have, to be honest. Does it really cost the same?",
    ],
  },
  {
    name: "delivery",
    split: "development",
    open: [
      "Hi, I ordered a washing machine two weeks ago and it still has not arrived.",
      "Hello, your driver left my parcel with a neighbour that I do not know.",
      "Good afternoon, the package came today but the box was open and something is missing.",
    ],
    questions: [
      [
        ["Could you read me the order number, please?", "Do you have the order number at hand?"],
        ["Yes, it ends in {digits}.", "One second. It is {digits}."],
      ],
      [
        ["Is the delivery address still the same?"],
        ["Yes, nothing has changed.", "I moved in {month}, but I told you about it."],
      ],
      [
        ["Did the driver leave a note at the door?"],
        ["No, there was nothing in the letterbox.", "There was a note, but I cannot read the name on it."],
      ],
    ],
    doubts: [
      [
        ["Can you bring it on {day}?", "Could they come after {time}?"],
        [
          "I can book that for you, between two and six in the afternoon.",
          "Yes, I will add that to the delivery note.",
        ],
      ],
      [
        ["And what if it does not come this time?", "What do I do with the broken one?"],
        [
          "Then we will refund the order and you keep the voucher.",
          "The driver will take it back, you do not have to pay for it.",
        ],
      ],
    ],
    resolve: [
      "The order is in our warehouse in the south. I have marked it as urgent and it leaves tomorrow.",
      "I am very sorry about that. I will send you a new one today, free of charge.",
    ],
    outbound: [
      "I am calling about your order. The model you chose is no longer available and we would like to offer you another one.",
      "Oh, that is a pity. Is the other one the same size?",
    ],
  },
  {
    name: "appointment",
    split: "held-out",
    open: [
      "Hello, I need to change an appointment. I cannot come on {day}.",
      "Hi, I would like to see the doctor this week if that is possible.",
      "Good morning, I got a letter that says my appointment was cancelled, and nobody told me why.",
    ],
    questions: [
      [["Have you been to our clinic before?"], ["Yes, I was there in {month}.", "No, it is my first time."]],
      [
        ["Would the morning or the afternoon suit you better?", "Which day would be good for you?"],
        ["The morning, if possible before {time}.", "Any day but {day}."],
      ],
      [["Is it for you or for somebody else?"], ["It is for my mother, she is eighty one years old.", "For me."]],
    ],
    doubts: [
      [
        ["Do I have to bring anything with me?", "Should I bring the old results?"],
        ["Just your insurance card and a list of your medicines.", "Yes, please, and come ten minutes early."],
      ],
      [
        ["Where exactly do I have to go?", "Is there a place to park?"],
        [
          "It is on the second floor, on the left of the lift.",
          "There is a car park behind the building, the first hour is free.",
        ],
      ],
    ],
    resolve: [
      "I have a free place on {day} at {time}. I have written it down for you and you will get a message.",
      "The doctor was ill that day. I can offer you {day} at {time} instead.",
    ],
    outbound: [
      "I am calling to remind you of your appointment on {day} at {time}.",
      "Oh, I had forgotten about it completely. Could we move it to next week?",
    ],
  },
  {
    name: "insurance",
    split: "held-out",
    open: [
      "Hello, I had a small accident with the car yesterday and I need to report it.",
      "Hi, there is water coming through my kitchen ceiling, and I believe I am insured for that.",
      "Good afternoon, I sent you a claim in {month} and I have not heard anything since.",
    ],
    questions: [
      [
        ["First of all, is everybody all right?", "Was anybody hurt?"],
        ["Yes, luckily it is only the metal.", "Nobody was hurt, it was just a shock."],
      ],
      [
        ["When did it happen exactly?", "Can you tell me the day and the time?"],
        ["Yesterday, at about {time}.", "On {day}, late in the evening."],
      ],
      [
        ["Could you send us some photographs of the damage?"],
        ["Yes, my son has taken a few.", "I can do that tonight."],
      ],
    ],
    doubts: [
      [
        ["Do I have to pay something myself?", "How much of it do I have to pay?"],
        ["Your policy has an excess of {amount}.", "Nothing in this case, because it was not your fault."],
      ],
      [
        ["May I call my own plumber?", "Can I choose the workshop?"],
        ["Yes, but keep the invoice, please.", "You can, although ours would be faster."],
      ],
    ],
    resolve: [
      "I have opened the claim, the number ends in {digits}. An expert will call you before {day}.",
      "Everything is in the file now. We will send somebody to look at the damage on {day}.",
    ],
    outbound: [
      "I am calling because your home policy ends in {month} and we have prepared an offer for you.",
      "To tell you the truth, I have been looking at other companies. What would it cost?",
    ],
  },
  {
    name: "card",
    split: "held-out",
    open: [
      "Hi, I have lost my wallet and I need to block my card right away.",
      "Hello, there is a payment of {amount} on my account that I never made.",
      "Good morning, the cash machine swallowed my card on {day}.",
    ],
    questions: [
      [
        ["What are the last four numbers of the card?"],
        ["They are {digits}.", "I think {digits}, I do not have it here."],
      ],
      [
        ["When did you use it for the last time?"],
        ["On {day}, at the petrol station.", "This morning in a supermarket."],
      ],
      [
        ["Do you recognise a payment of {amount} in a restaurant?"],
        ["No, I was not even in the city.", "Yes, that one was me."],
      ],
    ],
    doubts: [
      [
        ["How do I pay until the new one comes?", "Can I take out money without the card?"],
        ["You can use the one in the application on your phone.", "Yes, with your identity card in any branch."],
      ],
      [
        ["When will I get the new card?", "Will the number stay the same?"],
        ["It takes about five working days.", "No, for your safety it will be a new one."],
      ],
    ],
    resolve: [
      "The card is blocked from this moment. Nobody can use it any more.",
      "I have marked the payment as not yours. The money will be back in your account by {day}.",
    ],
    outbound: [
      "I am calling because we have seen an unusual payment of {amount} with your card in another country.",
      "Really? I have been at home the whole week. Please stop it.",
    ],
  },
];
