/** Written by `npm run fit-roles` from 1650 drawn calibration calls; edit those instead. */

/** What one more of a cue says for the agent, in log-odds; in the order of CUES. */
export const WEIGHTS: readonly number[] = [
  1.6027, // greets_for_company
  1.8016, // offers_help
  1.8006, // offers_more_help
  1.5778, // asks_identification
  0.6208, // asks_details
  1.2, // holds
  1.1889, // looks_up
  0.9084, // sees_in_system
  1.1891, // acts_for_other
  1.0282, // promises
  1.0423, // quotes_terms
  0.9048, // apologises
  1.0175, // closes_for_company
  0.3994, // addresses_formally
  0.6901, // instructs
  0.4422, // obliges
  1.4, // transfers
  0.8285, // names_their_things
  0.3994, // figures_for_other
  -1.128, // states_purpose
  -1.1155, // wants
  -0.8107, // describes_problem
  -1.1038, // own_things
  -1.0255, // suffers
  -0.8986, // gives_identification
  -0.8347, // asks_favour
  -0.8266, // asks_price_or_time
  -0.7195, // complains
  -0.6078, // thanks_for_help
  -0.9104, // own_people
  -0.4059, // fetches
  -0.645, // says_own_things
  1.4118, // opens
  0.5, // speaks_first
  -1.2079, // answers_identification
];

export const CONFIDENCE = {
  intercept: -0.789,
  slopes: [1.0357, 1.3073, 1.2318],
};
