/** What is asked for the group `safety`. */

export const MODERATION = {
  shape:
    '[{"category": "violence" | "hate" | "self_harm" | "sexual" | "drugs" | "weapons", "severity": 0 to 1, "excerpt": "words of the call"}]',
  about:
    "Every passage with threats or acts of violence, hate against a group, self-harm, sexual content, illegal drugs or weapons. `excerpt` repeats the words exactly as they stand. An angry customer or a complaint is none. [] when there is none.",
};

/** Asked about the words alone, away from the call, where nothing that was said in it has a voice. */
export const PROFANITY_REVIEW = {
  shape: '["word", …]',
  about: "Which of these words and expressions are swear words or insults in their language? [] when none is.",
};

export const PROFANITY = {
  shape: '["word", …]',
  about: "Every swear word or insult, exactly as it stands in the call. [] when there is none.",
};
