/** A `tokenizer.json` whose tokens are words. */
export const WORDS = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: "Whitespace" },
  post_processor: null,
  decoder: null,
  model: { type: "WordLevel", vocab: { "[UNK]": 0, hola: 1 }, unk_token: "[UNK]" },
};
