import { SingleBar } from "cli-progress";

/** What standard error has in common with a test's stream. */
export interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** A byte count that grows toward a total, in one bar on a terminal and in a plain line now and then elsewhere. */
export interface Bar {
  update(label: string, done: number, total: number): void;
  stop(): void;
}

const MEGABYTE = 1e6;
/** Without a terminal a line is written at each of these shares of the whole. */
const PLAIN_STEP = 0.25;

export function byteBar(screen: Screen & NodeJS.WritableStream): Bar {
  return screen.isTTY ? terminalBar(screen) : plainBar(screen);
}

function terminalBar(screen: NodeJS.WritableStream): Bar {
  let bar: SingleBar | undefined;
  return {
    update(label, done, total) {
      if (!bar) {
        bar = new SingleBar({
          stream: screen,
          format: "  {label} {bar} {percentage} % of {megabytes} MB",
          hideCursor: true,
          barsize: 30,
        });
        bar.start(total, done, { label, megabytes: (total / MEGABYTE).toFixed(0) });
        return;
      }
      bar.setTotal(total);
      bar.update(done, { label, megabytes: (total / MEGABYTE).toFixed(0) });
    },
    stop() {
      bar?.stop();
      bar = undefined;
    },
  };
}

function plainBar(screen: Screen): Bar {
  let label = "";
  let written = 0;
  return {
    update(next, done, total) {
      if (next !== label) {
        label = next;
        written = -1;
      }
      const step = total > 0 ? Math.floor(done / total / PLAIN_STEP) : 0;
      if (step <= written) return;
      written = step;
      screen.write(
        `  ${label}: ${(done / MEGABYTE).toFixed(0)} of ${(total / MEGABYTE).toFixed(0)} MB (${Math.floor((100 * done) / (total || 1))} %)\n`,
      );
    },
    stop() {},
  };
}

/** A status that changes while the seconds pass: one line written over itself on a terminal, plain lines elsewhere. */
export interface StatusLine {
  show(status: string): void;
  stop(): void;
}

/** Without a terminal an unchanged status is said again this often. */
const PLAIN_EVERY_MS = 15_000;

/** `now` in milliseconds, from any starting point. */
export function statusLine(screen: Screen, label: string, now = () => performance.now()): StatusLine {
  const start = now();
  let shown = "";
  let shownAt = Number.NEGATIVE_INFINITY;
  const text = (status: string) => `  ${label}: ${status}, ${((now() - start) / 1_000).toFixed(0)} s`;
  return {
    show(status) {
      if (screen.isTTY) {
        screen.write(`\r\x1b[K${text(status)}`);
      } else if (status !== shown || now() - shownAt >= PLAIN_EVERY_MS) {
        screen.write(`${text(status)}\n`);
        shownAt = now();
      }
      shown = status;
    },
    stop() {
      if (screen.isTTY && shown) screen.write("\r\x1b[K");
    },
  };
}
