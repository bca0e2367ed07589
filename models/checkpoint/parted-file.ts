import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Files laid end to end, read by position: a checkpoint that its publisher cut into parts stays where it is. */
export class PartedFile {
  readonly #parts: { fd: number; start: number; end: number }[] = [];
  readonly size: number;

  constructor(paths: readonly string[]) {
    let start = 0;
    for (const path of paths) {
      const fd = openSync(path, "r");
      const end = start + fstatSync(fd).size;
      this.#parts.push({ fd, start, end });
      start = end;
    }
    this.size = start;
  }

  /** Throws RangeError when the range leaves the file. The buffer is fresh, so any typed array may view it. */
  read(position: number, length: number): ArrayBuffer {
    if (!(position >= 0 && length >= 0 && position + length <= this.size)) {
      throw new RangeError(`bytes ${position} to ${position + length} of a file of ${this.size}`);
    }
    const buffer = new ArrayBuffer(length);
    for (const { fd, start, end } of this.#parts) {
      let from = Math.max(position, start);
      const to = Math.min(position + length, end);
      while (from < to) {
        const count = readSync(fd, new Uint8Array(buffer, from - position, to - from), 0, to - from, from - start);
        if (count === 0) throw new RangeError("the file became shorter while it was read");
        from += count;
      }
    }
    return buffer;
  }

  close(): void {
    for (const { fd } of this.#parts.splice(0)) closeSync(fd);
  }
}
