import type { Carriers } from "./carriers.ts";

/** Nothing is tuned on these; only their figures are looked at. */
export const enHeldOut: Carriers = {
  NATIONAL_ID: [
    ["A: I'll need your social to pull up the file.", "C: Right, so that's {}."],
    ["C: Do you need my national insurance? It's {}."],
    ["A: Can you verify the social security number on the account?", "C: Uh, yes ma'am, {}."],
    ["A: NI number?", "C: Let me find it. {}."],
    ["C: The SSN for my husband is {}."],
  ],
  BANK_ACCOUNT: [
    ["A: Which bank account should we pay it into?", "C: The Barclays one, {}."],
    ["A: Could you read out the account number from your check?", "C: At the bottom it says {}."],
    ["C: I'd like to change my bank details, the new account is {}."],
    ["C: Wire it to my IBAN, {}."],
    ["A: And your savings account number?", "C: One second. {}."],
  ],
  CARD: [
    ["A: Whenever you're ready, the sixteen digits.", "C: Here we go, {}."],
    ["C: Somebody cloned my card. It's {}."],
    ["A: And how would you like to pay?", "C: Mastercard. {}."],
    ["C: Take it off the card ending... well, here's the whole number, {}."],
    ["A: I just need the credit card you booked with.", "C: That'd be {}."],
  ],
  PASSPORT: [
    ["C: For the visa, my passport number's {}."],
    ["A: Could you read me the passport number, top right corner?", "C: So it says {}."],
    ["A: Do you have a passport?", "C: I do, {}."],
    ["C: Passport? Yeah: {}."],
  ],
  LICENSE_PLATE: [
    ["A: And the reg number of the car?", "C: That's {}, a grey Astra."],
    ["C: I'm broken down on the M6, registration {}."],
    ["A: What does the license plate say?", "C: {}."],
    ["C: The other driver's plate was {}."],
    ["A: Can I have the tag number?", "C: Tag is {}."],
  ],
  PHONE: [
    ["A: In case we get cut off, what number can I call?", "C: Oh, use {}."],
    ["C: Could the engineer ring me on {} before he comes?"],
    ["A: What's your cell?", "C: Okay so it's {}."],
    ["C: My landline's {}."],
    ["A: I've got {} as your contact telephone, correct?", "C: That's it."],
    ["C: Try my work phone, {}."],
  ],
  EMAIL: [
    ["A: Where do you want the confirmation emailed?", "C: To {}."],
    ["C: It's under my husband's email, {}."],
    ["A: Can you spell your email for me?", "C: Of course, {}."],
    ["C: I never got it, my address is {}."],
  ],
  DATE_OF_BIRTH: [
    ["A: For security, date of birth?", "C: Yep, {}."],
    ["A: When were you born?", "C: {}."],
    ["C: The patient was born {}."],
    ["A: And what's the policyholder's birthday, including the year?", "C: That would be {}."],
    ["C: My D O B is {}."],
  ],
  USERNAME: [
    ["A: What username shows on the screen?", "C: It shows {}."],
    ["C: I sign in with the username {}."],
    ["A: Do you remember your user name?", "C: I think it's {}."],
    ["C: The login they gave me is {}, but it won't work."],
  ],
  PASSWORD: [
    ["A: And what have you been entering as the password?", "C: I've been putting {}."],
    ["C: I always use the same password, {}."],
    ["A: Your new password is {}. Please change it.", "C: Will do."],
    ["C: The pin for the SIM card is {}."],
  ],
};
