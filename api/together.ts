/** Most questions in one run: a statement's time is what others of its key wait. */
const MOST = 64;

interface Asked<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

interface Line<Question, Answer> {
  waiting: Asked<Question, Answer>[];
  running: boolean;
  gathering: NodeJS.Timeout | NodeJS.Immediate | null;
}

/**
 * Questions of one key that would wait for each other anyway, behind one lock of the database, go in one run: while one
 * run is under way the next ones gather. Each gets its own answer. A run that fails is repeated question by question, so
 * that one cannot fail its neighbours.
 */
export class Together<Question, Answer> {
  readonly #lines = new Map<string, Line<Question, Answer>>();
  readonly #run: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #gatherMs: number;

  /** `run` answers in order. With `gatherMs` nothing goes before that has passed, or `hurry` is called. */
  constructor(run: (questions: readonly Question[]) => Promise<readonly Answer[]>, gatherMs = 0) {
    this.#run = run;
    this.#gatherMs = gatherMs;
  }

  ask(key: string, question: Question): Promise<Answer> {
    let line = this.#lines.get(key);
    if (!line) {
      line = { waiting: [], running: false, gathering: null };
      this.#lines.set(key, line);
    }
    const { waiting } = line;
    const answer = new Promise<Answer>((resolve, reject) => waiting.push({ question, resolve, reject }));
    this.#gather(key, line);
    return answer;
  }

  /** What has gathered goes now. */
  hurry(key: string): void {
    const line = this.#lines.get(key);
    if (line && !line.running) void this.#go(key, line);
  }

  #gather(key: string, line: Line<Question, Answer>): void {
    if (line.running || line.gathering) return;
    const go = () => void this.#go(key, line);
    line.gathering = this.#gatherMs === 0 ? setImmediate(go) : setTimeout(go, this.#gatherMs);
  }

  async #go(key: string, line: Line<Question, Answer>): Promise<void> {
    if (line.gathering && "refresh" in line.gathering) clearTimeout(line.gathering);
    else if (line.gathering) clearImmediate(line.gathering);
    line.gathering = null;
    line.running = true;
    const asked = line.waiting.splice(0, MOST);
    await this.#answer(asked);
    line.running = false;
    if (line.waiting.length === 0) this.#lines.delete(key);
    else this.#gather(key, line);
  }

  /** Never rejects. */
  async #answer(asked: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(asked.map(({ question }) => question));
      if (answers.length !== asked.length) throw new Error(`${answers.length} answers to ${asked.length} questions`);
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      if (asked.length > 1) await Promise.all(asked.map((one) => this.#answer([one])));
      else asked[0]?.reject(error);
    }
  }
}
