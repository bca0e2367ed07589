import { type FileHandle, open, readFile } from "node:fs/promises";

/** 16-bit mono audio. */
export interface Sound {
  rate: number;
  samples: Int16Array<ArrayBuffer>;
}

/** Reads a 16-bit mono PCM WAV file; anything else is an error, because the bench's inputs are known. */
export async function readWav(path: string): Promise<Sound> {
  const bytes = await readFile(path);
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WAVE") {
    throw new Error(`${path} is not a WAV file`);
  }
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    at += 8;
    if (name === "fmt ") {
      const [format, channels, bits] = [
        bytes.readUInt16LE(at),
        bytes.readUInt16LE(at + 2),
        bytes.readUInt16LE(at + 14),
      ];
      if (format !== 1 || channels !== 1 || bits !== 16) throw new Error(`${path} is not 16-bit mono PCM`);
      rate = bytes.readUInt32LE(at + 4);
    } else if (name === "data") {
      const length = Math.min(size, bytes.length - at) >> 1;
      // A copy, because Int16Array needs an even offset and the file's buffer promises none.
      return { rate, samples: new Int16Array(Uint8Array.from(bytes.subarray(at, at + 2 * length)).buffer) };
    }
    at += size + (size & 1);
  }
  throw new Error(`${path} has no data`);
}

/** Doubles the rate: every second sample is the old one, the others by a 32-tap windowed sinc. */
export function doubleRate({ rate, samples }: Sound): Sound {
  const HALF = 16;
  const taps = Float64Array.from({ length: 2 * HALF }, (_, k) => {
    const x = k - HALF + 0.5;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * Math.cos((Math.PI * x) / (2 * HALF)) ** 2;
  });
  const out = new Int16Array(2 * samples.length);
  for (let i = 0; i < samples.length; i++) {
    out[2 * i] = samples[i] as number;
    let sum = 0;
    for (let k = 0; k < taps.length; k++) sum += (taps[k] as number) * (samples[i + k - HALF + 1] ?? 0);
    out[2 * i + 1] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return { rate: 2 * rate, samples: out };
}

/** Writes a WAV file of unknown length piece by piece, so that hours of audio never sit in memory. */
export class WavWriter {
  readonly #file: FileHandle;
  readonly #rate: number;
  /** Samples written so far. */
  length = 0;

  private constructor(file: FileHandle, rate: number) {
    this.#file = file;
    this.#rate = rate;
  }

  static async create(path: string, rate: number): Promise<WavWriter> {
    const writer = new WavWriter(await open(path, "w"), rate);
    await writer.#file.write(Buffer.alloc(44), 0, 44, 0);
    return writer;
  }

  async write(samples: Int16Array): Promise<void> {
    await this.#file.write(
      Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
      0,
      samples.byteLength,
      44 + 2 * this.length,
    );
    this.length += samples.length;
  }

  async close(): Promise<void> {
    const header = Buffer.alloc(44);
    header.write("RIFF", 0, "latin1");
    header.writeUInt32LE(36 + 2 * this.length, 4);
    header.write("WAVEfmt ", 8, "latin1");
    header.writeUInt32LE(16, 16);
    header.writeUInt16LE(1, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt32LE(this.#rate, 24);
    header.writeUInt32LE(2 * this.#rate, 28);
    header.writeUInt16LE(2, 32);
    header.writeUInt16LE(16, 34);
    header.write("data", 36, "latin1");
    header.writeUInt32LE(2 * this.length, 40);
    await this.#file.write(header, 0, 44, 0);
    await this.#file.close();
  }
}

export async function writeWav(path: string, rate: number, samples: Int16Array): Promise<void> {
  const writer = await WavWriter.create(path, rate);
  await writer.write(samples);
  await writer.close();
}

/** Two channels of one length, left and right. */
export async function writeStereo(path: string, rate: number, [left, right]: [Int16Array, Int16Array]): Promise<void> {
  const samples = new Int16Array(2 * left.length);
  for (let i = 0; i < left.length; i++) {
    samples[2 * i] = left[i] as number;
    samples[2 * i + 1] = right[i] as number;
  }
  await writeWav(path, rate, samples);
  const file = await open(path, "r+");
  const header = Buffer.alloc(12);
  header.writeUInt16LE(2, 0); // channels
  header.writeUInt32LE(rate, 2);
  header.writeUInt32LE(4 * rate, 6); // bytes a second
  header.writeUInt16LE(4, 10); // bytes a sample of both
  await file.write(header, 0, 12, 22);
  await file.close();
}
