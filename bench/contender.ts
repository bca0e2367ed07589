import { Conversation } from "../test/support/conversation.ts";

/** What a contender is asked: one recording or many. Model loading happens before the first question. */
export interface Question {
  /** 16 kHz mono WAV. */
  file?: string;
  /** Instead of `file`: recordings of their own, each of which becomes a transcript of its own. */
  files?: string[];
  /** ISO 639-1, for contenders that cannot tell it themselves. */
  language: string;
  [setting: string]: unknown;
}

export interface Answer {
  /** From the path to the last word (of the last file): decoding included, loading of models excluded. */
  seconds: number;
  text: string;
  /** One a file, where `files` were asked. */
  texts?: string[];
  /** Null when the contender does not tell. */
  language: string | null;
  [figure: string]: unknown;
}

/** A recogniser in a process of its own that stays up over all the runs. */
export type Contender = Conversation<Question, Answer>;

/** Resolves when the process has loaded its models. */
export function startContender(
  name: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Contender> {
  return Conversation.start<Question, Answer>(name, command, args, env);
}
