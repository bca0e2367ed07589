import type { Phrases } from "./topics.ts";

/** What is said in every call in English. */
export const phrases: Phrases = {
  greetings: [
    "Good morning, thank you for calling {company}, my name is {agent}, how can I help you today?",
    "{company} customer service, you are speaking with {agent}. What can I do for you?",
    "Hello and welcome to {company}. This is {agent} speaking, how may I help?",
    "Thanks for calling {company}, this is {agent}. How can I assist you?",
    "Good afternoon, {company} support, {agent} here. How can I help you?",
    "You are through to {company}, my name is {agent}. What is your call about today?",
  ],
  pickUp: ["Hello?", "Yes, hello?", "Hello, who is it?"],
  outboundGreetings: [
    "Good morning, am I speaking with {customer}? This is {agent} calling from {company}.",
    "Hello, this is {agent} from {company}. Is this a good moment to talk?",
    "Good afternoon, my name is {agent} and I am calling on behalf of {company}.",
  ],
  businessGreetings: [
    "Good morning, {business}, how can I help you?",
    "{business}, good afternoon, this is {customer} speaking. What can I do for you?",
  ],
  askName: [
    "I can look into that for you. Could I have your full name, please?",
    "Of course. May I take your name and your postcode, please?",
    "I am sorry to hear that. Who am I speaking with, please?",
    "Let me check. Can you give me the name on the account?",
  ],
  giveName: [
    "Yes, it is {customer}.",
    "My name is {customer}, and the account ends in {digits}.",
    "It should be under {customer}.",
    "{customer}, and my number ends in {digits}.",
  ],
  hold: [
    "Thank you. Please hold for a moment while I bring up your details.",
    "Bear with me one moment, I am just opening your file.",
    "Can I put you on hold for a minute while I check with my colleagues?",
  ],
  holdAnswer: ["Sure, no problem.", "Okay, I will wait.", "Yes, that is fine."],
  back: [
    "Thank you for waiting.",
    "Thanks for holding, I have it here now.",
    "Right, I have your file in front of me.",
  ],
  transfer: [
    "I am going to transfer you to the right department, please stay on the line.",
    "My colleague in the technical team can help you with that, I will put you through.",
  ],
  transferAnswer: ["All right, thank you.", "Okay, I hope I do not have to explain it all again."],
  secondGreeting: [
    "Hello, this is {second} from the technical team. My colleague told me about your case.",
    "Good morning, you are speaking with {second} now. I see that you were transferred to me.",
  ],
  menu: [
    "Welcome to {company}. For billing, press one. For technical support, press two. For anything else, please stay on the line. This call may be recorded.",
    "Thank you for calling {company}. All our agents are busy. Please hold, your call is important to us.",
  ],
  anythingElse: [
    "Is there anything else I can help you with?",
    "Can I do anything else for you today?",
    "Do you have any other questions?",
  ],
  nothingElse: [
    "No, that was all, thank you.",
    "No, that is everything. You have been very kind.",
    "No, thanks, that is it.",
  ],
  close: [
    "Thank you for calling {company}, have a nice day.",
    "You are welcome. Thank you for your trust in {company}, goodbye.",
    "It was a pleasure. Have a good day, {customer}.",
  ],
  bye: ["Bye.", "Thank you, goodbye.", "You too, bye bye."],
  backChannels: ["Uh huh.", "Yes.", "Okay.", "Right.", "I see."],
  third: [
    [
      "Sorry, this is the husband. I was here when it happened, and it was already late in the evening.",
      "Thank you, sir. Then I will write that down as well.",
    ],
    [
      "Hello, I am her daughter. She does not hear very well, so I will listen in if you do not mind.",
      "Not at all, I will speak to both of you.",
    ],
  ],
  voicemail: [
    "Hello, this is a message for {customer}. This is {agent} from {company}. I am calling about your request from last week. We have found a solution and would like to talk to you about it. Please call us back when you have a moment. Our lines are open every day from nine in the morning until eight in the evening. Thank you and goodbye.",
    "Hi, my name is {customer}. I tried to reach you twice this week and nobody answered. I am still waiting for an answer about my case, and I would like somebody to call me back today. My number ends in {digits}. It is quite urgent because I am leaving on Friday. Thank you.",
  ],
  fill: {
    company: ["Northwind Energy", "Blue River Telecom", "Harbor Insurance", "Silver Oak Bank", "Green Valley Water"],
    business: ["Garden Street Dental Clinic", "Miller and Sons Workshop", "The Old Mill Hotel"],
    agent: ["Laura", "Michael", "Susan", "David", "Karen", "Peter", "Emma", "James"],
    second: ["Robert", "Helen", "Steven", "Alice"],
    customer: ["John Carter", "Mary Collins", "Thomas Baker", "Anna Fisher", "Paul Turner", "Linda Brooks"],
    digits: ["four seven two nine", "one eight five three", "nine zero six two", "three three seven one"],
    amount: ["eighty seven dollars", "forty two dollars", "one hundred and twenty dollars", "sixty five dollars"],
    month: ["January", "March", "June", "September", "November"],
    day: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
    time: ["nine in the morning", "half past ten", "three in the afternoon", "five o'clock"],
  },
};
