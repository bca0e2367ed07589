/** What is asked about who is who. */

export const SPEAKER_ROLES = {
  shape: '{"0": "agent" | "customer" | "unknown", "1": …}, every speaker of the call once',
  about: [
    "What each speaker is. An agent works for the company, office or practice of the call and serves the others;",
    "a customer is served: a client, patient, guest, citizen or whoever speaks for one. Several speakers may be agents, as",
    "when a call is transferred, and several may be customers. Go by what they say, not by who speaks first: either side",
    "may have called. A machine that reads a menu is unknown, and so is everybody where no company is part of the call,",
    "or where the call does not tell.",
  ].join(" "),
};

export const ROLES_CERTAIN = {
  shape: "true | false",
  about:
    "True when the call leaves no doubt. False when it could be the other way round, or when the same speaker number seems to be used for two people.",
};
