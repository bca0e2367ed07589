/** What is asked for the group `insight`. Written for large models and small ones: short, one idea a sentence. */

export const TOPICS_CLOSED = {
  shape: '[{"label": one of the labels below, "relevance": 0 to 1}]',
  about: (labels: readonly string[]) =>
    `What the customer called about, the most important first, at most five. Only labels of this list: ${labels.join(", ")}.`,
};

export const TOPICS_OPEN = {
  shape: '[{"label": "one to four words", "relevance": 0 to 1}]',
  about: "What the call is about, the most important first, at most five, in words that occur in the call.",
};

export const SUMMARY = {
  bullets: {
    shape: '["one sentence", …]',
    about: "A summary in two to six short sentences: why the customer calls, what was done, what remains.",
  },
  paragraph: {
    shape: '"text"',
    about: "A summary in one paragraph of two to five sentences: why the customer calls, what was done, what remains.",
  },
  headline: { shape: '"text"', about: "A headline of at most twelve words that says what the call was about." },
  /** The client's own words about its calls; not the caller's. */
  context: (context: string) => `What the company says about its calls, to be used for the summary only: ${context}`,
};

export const ACTIONS = {
  shape: '[{"text": "what is to be done", "owner": "name as said" or null, "due": "time as said" or null}]',
  about:
    "Every task that somebody promised or was given. `owner` and `due` in exactly the words of the call; null when nobody said who or when. [] when there is none.",
};

export const SENTIMENT = {
  shape:
    '{"overall": "positive" | "neutral" | "negative", "turns": [{"turn": number, "sentiment": "positive" | "negative"}]}',
  about:
    "How the customer feels, by what the customer says. `turns`: the number of each customer turn that is clearly positive or negative; leave out those that are neutral. Say nothing about the agent.",
};
