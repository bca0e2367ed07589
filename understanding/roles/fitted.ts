/** Written by `npm run fit-roles` from 1650 drawn calibration calls; edit those instead. */

/** What one more of a cue says for the agent, in log-odds; in the order of CUES. */
export const WEIGHTS: readonly number[] = [
  1.603, // greets_for_company
  1.8013, // offers_help
  1.8006, // offers_more_help
  1.5765, // asks_identification
  0.6208, // asks_details
  1.2, // holds
  1.189, // looks_up
  0.9106, // sees_in_system
  1.191, // acts_for_other
  1.0282, // promises
  1.0421, // quotes_terms
  0.9051, // apologises
  1.0196, // closes_for_company
  0.3996, // addresses_formally
  0.6903, // instructs
  0.4422, // obliges
  1.4, // transfers
  0.8307, // names_their_things
  0.3994, // figures_for_other
  -1.13, // states_purpose
  -1.1157, // wants
  -0.8116, // describes_problem
  -1.1038, // own_things
  -1.0261, // suffers
  -0.8987, // gives_identification
  -0.8323, // asks_favour
  -0.8263, // asks_price_or_time
  -0.7197, // complains
  -0.606, // thanks_for_help
  -0.9105, // own_people
  -0.4058, // fetches
  -0.6463, // says_own_things
  1.4124, // opens
  0.5, // speaks_first
  -1.2065, // answers_identification
];

export const CONFIDENCE = {
  intercept: -0.8111,
  slopes: [1.033, 1.3448, 1.1628],
};
