import test from "ava";
import { byteBar, type Screen, statusLine } from "../../embedded/progress.ts";

function screen(isTTY: boolean): Screen & { written: string[] } {
  const written: string[] = [];
  return { isTTY, written, write: (text) => written.push(text) };
}

test("without a terminal a download is a few plain lines", (t) => {
  const to = screen(false);
  const bar = byteBar(to as never);
  for (let done = 0; done <= 100; done += 1) bar.update("whisper-base: fetching", done * 1e6, 100e6);
  bar.update("whisper-base: converting", 0, 10e6);
  bar.stop();
  t.deepEqual(to.written, [
    "  whisper-base: fetching: 0 of 100 MB (0 %)\n",
    "  whisper-base: fetching: 25 of 100 MB (25 %)\n",
    "  whisper-base: fetching: 50 of 100 MB (50 %)\n",
    "  whisper-base: fetching: 75 of 100 MB (75 %)\n",
    "  whisper-base: fetching: 100 of 100 MB (100 %)\n",
    "  whisper-base: converting: 0 of 10 MB (0 %)\n",
  ]);
});

test("without a terminal a status is said when it changes, and again after 15 s", (t) => {
  let now = 0;
  const to = screen(false);
  const line = statusLine(to, "call.ogg", () => now);
  for (const [at, status] of [
    [0, "queued"],
    [500, "queued"],
    [1_000, "processing"],
    [15_500, "processing"],
    [16_000, "processing"],
  ] as const) {
    now = at;
    line.show(status);
  }
  line.stop();
  t.deepEqual(to.written, [
    "  call.ogg: queued, 0 s\n",
    "  call.ogg: processing, 1 s\n",
    "  call.ogg: processing, 16 s\n",
  ]);
});

test("on a terminal the status is one line that is gone at the end", (t) => {
  const to = screen(true);
  const line = statusLine(to, "call.ogg", () => 0);
  line.show("queued");
  line.show("processing");
  line.stop();
  t.true(to.written.every((text) => text.startsWith("\r\x1b[K") && !text.includes("\n")));
  t.is(to.written.at(-1), "\r\x1b[K");
});
