import {
  type ChatHistoryItem,
  type ChatWrapper,
  getLlama,
  type Llama,
  type LlamaContextSequence,
  LlamaGrammar,
  LlamaGrammarEvaluationState,
  LlamaJsonSchemaGrammar,
  type LlamaModel,
  LlamaText,
  resolveChatWrapper,
  SpecialToken,
  type Token,
} from "node-llama-cpp";
import { grammarSchema } from "./json-schema.ts";
import {
  type ChatCall,
  ChatFailure,
  type ChatFormat,
  type ChatMessage,
  type ChatModelSettings,
  type ChatResult,
  type Piece,
} from "./protocol.ts";
import { StopStrings } from "./stop-strings.ts";
import { TokenText } from "./token-text.ts";

/** Tokens of a prompt that are read at a time: between them the caller hears of it and may stop it. */
const PROMPT_STEP = 512;

export type Answer = Omit<ChatResult, "residentBytes">;

export interface Listening {
  onText: (piece: Piece) => void;
  onBeat: () => void;
  signal: AbortSignal;
}

/** A chat model with one sequence (a window's worth of keys and values) for each chat at a time. */
export class ChatModel {
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #wrapper: ChatWrapper;
  readonly #window: number;
  readonly #free: LlamaContextSequence[];

  private constructor(llama: Llama, model: LlamaModel, window: number, sequences: LlamaContextSequence[]) {
    this.#llama = llama;
    this.#model = model;
    this.#wrapper = resolveChatWrapper(model);
    this.#window = window;
    this.#free = sequences;
  }

  /** Throws ChatFailure `modelUnusable`. */
  static async load({ path, threads, window, chats }: ChatModelSettings): Promise<ChatModel> {
    try {
      // Never built or downloaded at run time: what npm installed for this platform is there, or it is not.
      const llama = await getLlama({
        gpu: false,
        build: "never",
        skipDownload: true,
        progressLogs: false,
        logLevel: "error" as never,
        maxThreads: threads,
      });
      // Not mapped: where llama.cpp lays the weights out anew for the processor, the mapped file would stay as well.
      const model = await llama.loadModel({ modelPath: path, useMmap: false, defaultContextFlashAttention: true });
      const contextSize = Math.min(window, model.trainContextSize ?? window);
      const context = await model.createContext({ contextSize, sequences: chats, threads, batchSize: PROMPT_STEP });
      const sequences = Array.from({ length: chats }, () => context.getSequence({ contextShift: NO_SHIFT }));
      return new ChatModel(llama, model, contextSize, sequences);
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      throw new ChatFailure("modelUnusable", `the chat model cannot be loaded on this machine: ${reason}`, {
        cause: error,
      });
    }
  }

  /**
   * Answers a chat. Throws ChatFailure `promptTooLong` or `schemaRefused`, or the signal's reason. The same call gives
   * the same text as long as it is alone: chats side by side share their matrix products, whose last digits differ.
   */
  async answer(call: ChatCall, { onText, onBeat, signal }: Listening): Promise<Answer> {
    const { tokens, stops, stopTokens } = this.#prompt(call.messages);
    const left = this.#window - tokens.length;
    if (left < 1) {
      throw new ChatFailure(
        "promptTooLong",
        `the messages are ${tokens.length} tokens and the model's window is ${this.#window}, of which the answer needs at least one`,
      );
    }
    const grammar = this.#grammar(call.format);
    const maxTokens = Math.min(call.maxTokens ?? left, left);
    const sequence = this.#free.pop();
    if (!sequence) throw new Error("more chats at a time than sequences");
    try {
      // From an empty state: keys and values that another chat left would be reused, and change the last digits.
      await sequence.clearHistory();
      const last = await this.#read(sequence, tokens, onBeat, signal);
      const letters = new TokenText(this.#model);
      const stop = new StopStrings([...call.stop, ...stops]);
      let completionTokens = 0;
      let finishReason: Answer["finishReason"] = "stop";
      const tell = (text: string) => onText({ text, promptTokens: tokens.length, completionTokens });
      const say = (piece: string) => {
        const shown = stop.push(piece);
        if (shown) tell(shown);
      };
      for await (const token of sequence.evaluate(last, {
        temperature: call.temperature,
        topP: call.topP,
        topK: 0,
        seed: call.seed,
        ...(grammar && {
          grammarEvaluationState: new LlamaGrammarEvaluationState({ model: this.#model, grammar }),
        }),
      })) {
        signal.throwIfAborted();
        if (stopTokens.has(token)) break;
        completionTokens++;
        say(letters.push(token));
        onBeat();
        if (stop.stopped) break;
        if (completionTokens >= maxTokens) {
          finishReason = "length";
          break;
        }
      }
      say(letters.end());
      const rest = stop.end();
      if (rest) tell(rest);
      return { finishReason, promptTokens: tokens.length, completionTokens };
    } finally {
      this.#free.push(sequence);
    }
  }

  /** The model's own template. What callers write stays text: special tokens in it have no power. */
  #prompt(messages: readonly ChatMessage[]): { tokens: Token[]; stops: string[]; stopTokens: Set<Token> } {
    const chatHistory = messages.map(historyItem);
    chatHistory.push({ type: "model", response: [] });
    const { contextText, stopGenerationTriggers } = this.#wrapper.generateContextState({ chatHistory });
    const { tokenizer } = this.#model;
    const stops: string[] = [];
    const stopTokens = new Set<Token>();
    for (const trigger of stopGenerationTriggers) {
      const [token, ...more] = trigger.tokenize(tokenizer);
      if (trigger.values.every((value) => typeof value === "string")) stops.push(trigger.values.join(""));
      else if (token !== undefined && more.length === 0) stopTokens.add(token);
    }
    // The wrappers always begin with a BOS token; of models made without one it would be the first word twice.
    const [first, ...rest] = contextText.values;
    const withoutBos =
      first instanceof SpecialToken && first.value === "BOS" && !this.#model.tokens.shouldPrependBosToken;
    const text = withoutBos ? LlamaText(rest) : contextText;
    return { tokens: text.tokenize(tokenizer), stops, stopTokens };
  }

  /** Reads all but the last tokens of the prompt; answers those, with which the answer begins. */
  async #read(
    sequence: LlamaContextSequence,
    tokens: Token[],
    onBeat: () => void,
    signal: AbortSignal,
  ): Promise<Token[]> {
    let at = 0;
    for (; at + PROMPT_STEP < tokens.length; at += PROMPT_STEP) {
      signal.throwIfAborted();
      await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + PROMPT_STEP));
      onBeat();
    }
    signal.throwIfAborted();
    return tokens.slice(at);
  }

  #grammar(format: ChatFormat): LlamaGrammar | undefined {
    if (format.type === "text") return undefined;
    if (format.type === "json_object") return this.#jsonObject;
    const schema = grammarSchema(format.schema);
    try {
      const { grammar } = new LlamaJsonSchemaGrammar(this.#llama, schema as never);
      return new LlamaGrammar(this.#llama, { grammar: grammar.replace(TRAILING_LINES, "") });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ChatFailure("schemaRefused", `the JSON schema cannot be followed: ${reason}`, { cause: error });
    }
  }

  get #jsonObject(): LlamaGrammar {
    return new LlamaGrammar(this.#llama, { grammar: JSON_OBJECT });
  }
}

/**
 * node-llama-cpp ends its schema grammars with four line breaks, for models that cannot end their turn. Ours can, and
 * an answer must not run out of tokens after its last brace.
 */
const TRAILING_LINES = / "\\n\\n\\n\\n" \[\\n\]\*(?=\n|$)/;

/**
 * Any JSON object (RFC 8259). Between tokens at most one space or one line break with its indentation, because small
 * models like to go on with white space for ever.
 */
const JSON_OBJECT = String.raw`root ::= object
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (member ("," ws member)*)? ws "}"
member ::= string ":" " "? value
array ::= "[" ws (value ("," ws value)*)? ws "]"
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt/] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?
ws ::= (" " | "\n" " "{0,12})?
`;

/** The window is never exceeded, so nothing may ever be pushed out of it unnoticed. */
const NO_SHIFT = {
  strategy: () => {
    throw new Error("the chat ran over its window");
  },
};

function historyItem({ role, content }: ChatMessage): ChatHistoryItem {
  if (role === "assistant") return { type: "model", response: [content] };
  return { type: role, text: content };
}
