import { AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import { Frame, SoftwareResampleContext } from "node-av/lib";
import { SAMPLE_RATE } from "../types.ts";
import { CorruptAudio } from "./errors.ts";
import { StereoMix } from "./stereo-mix.ts";

/** Room for one conversion, in samples a channel: the longest frame there is (FLAC's 65,535) at the lowest rate. */
const CAPACITY = 262_144;
const RATES = { lowest: 4_000, highest: 768_000 };
const MOST_CHANNELS = 32;

/**
 * Turns decoded frames of any rate and layout into 16 kHz mono. FFmpeg resamples, channel by channel; the mix is
 * ours: the plain mean, because each channel of a recorded call is a voice of equal weight (FFmpeg's matrix would
 * turn down the side and rear channels of a surround layout). Two channels of opposite phase are not averaged away:
 * see StereoMix.
 */
export class Mono {
  readonly #write: (samples: Int16Array) => void;
  readonly #mix = new Int16Array(CAPACITY);
  #resampler: Resampler | undefined;
  readonly #stereo = new StereoMix();
  #difference = 0;
  #sum = 0;
  #energy = 0;
  /** Samples written since the last change of the source's shape, and what they should be. */
  #written = 0;
  #expected = 0;

  /** `write` gets a view that is reused by the next call. */
  constructor(write: (samples: Int16Array) => void) {
    this.#write = write;
  }

  /**
   * True when the channels do not all carry the same sound: their difference has more than a thousandth (−30 dB) of
   * their energy. Copies of one channel differ by nothing, even behind a lossy codec; two sides of a call by all. A
   * copy that is turned upside down is a copy too.
   */
  get channelsDiffer(): boolean {
    return Math.min(this.#difference, this.#sum) > 0.001 * this.#energy;
  }

  push(frame: Frame): void {
    // WAV without a speaker mask: the resampler refuses channels without a place, and any place will do.
    if (frame.channelLayout.order !== AV_CHANNEL_ORDER_NATIVE) {
      const nbChannels = frame.channels;
      frame.channelLayout = { nbChannels, order: AV_CHANNEL_ORDER_NATIVE, mask: (1n << BigInt(nbChannels)) - 1n };
    }
    if (!this.#resampler?.fits(frame)) {
      this.end();
      this.#resampler = new Resampler(frame);
    }
    this.#expected += (frame.nbSamples / frame.sampleRate) * SAMPLE_RATE;
    this.#drain(frame);
  }

  /** Silence in place of a packet that was lost. */
  pause(seconds: number): void {
    this.#expected += seconds * SAMPLE_RATE;
    this.#emit(this.#mix.fill(0).subarray(0, Math.round(seconds * SAMPLE_RATE)));
  }

  /** Writes what the resampler still holds, to the exact length of what went in. */
  end(): void {
    if (this.#resampler) this.#drain(null);
    this.#resampler?.free();
    this.#resampler = undefined;
    const missing = Math.round(this.#expected) - this.#written;
    if (missing > 0) this.#emit(this.#mix.fill(0, 0, Math.min(missing, CAPACITY)).subarray(0, missing));
    this.#written = 0;
    this.#expected = 0;
  }

  #drain(frame: Frame | null): void {
    const count = this.#resampler?.convert(frame) ?? 0;
    if (count > 0) this.#emit(this.#mixed(count));
  }

  #emit(samples: Int16Array): void {
    // The resampler's tail may round up by a sample; the count of the source decides.
    const room = Math.max(0, Math.round(this.#expected) - this.#written);
    const kept = samples.length > room ? samples.subarray(0, room) : samples;
    this.#written += kept.length;
    if (kept.length > 0) this.#write(kept);
  }

  #mixed(count: number): Int16Array {
    const channels = this.#resampler?.channels ?? [];
    const mix = this.#mix;
    const scale = 32_768 / channels.length;
    const [first, second] = channels;
    if (!first) return mix.subarray(0, 0);
    if (!second) {
      for (let i = 0; i < count; i++) mix[i] = clip((first[i] as number) * scale);
    } else {
      if (channels.length === 2) {
        this.#stereo.mix(first, second, count, (i, value) => {
          mix[i] = clip(value * 32_768);
        });
      } else {
        for (let i = 0; i < count; i++) {
          let sum = 0;
          for (const channel of channels) sum += channel[i] as number;
          mix[i] = clip(sum * scale);
        }
      }
      for (const channel of channels.slice(1)) this.#compare(first, channel, count);
    }
    return mix.subarray(0, count);
  }

  #compare(left: Float32Array, right: Float32Array, count: number): void {
    let difference = 0;
    let sum = 0;
    let energy = 0;
    for (let i = 0; i < count; i++) {
      const l = left[i] as number;
      const r = right[i] as number;
      difference += (l - r) * (l - r);
      sum += (l + r) * (l + r);
      energy += l * l + r * r;
    }
    if (!Number.isFinite(energy)) return;
    this.#difference += difference;
    this.#sum += sum;
    this.#energy += energy;
  }
}

/** Float files may hold anything, NaN too. */
function clip(value: number): number {
  if (!(value > -32_768)) return value <= -32_768 ? -32_768 : 0;
  return value < 32_767 ? Math.round(value) : 32_767;
}

/** FFmpeg's resampler from one rate, sample format and layout to planar float at 16 kHz. */
class Resampler {
  readonly channels: Float32Array[];
  readonly #context = new SoftwareResampleContext();
  readonly #out = new Frame();
  readonly #shape: string;

  constructor(frame: Frame) {
    const layout = frame.channelLayout;
    const { nbChannels } = layout;
    if (frame.sampleRate < RATES.lowest || frame.sampleRate > RATES.highest || nbChannels > MOST_CHANNELS)
      throw new CorruptAudio(`audio of ${nbChannels} channels at ${frame.sampleRate} Hz is not accepted`);
    this.#shape = shapeOf(frame);
    const format = frame.format as Parameters<SoftwareResampleContext["allocSetOpts2"]>[4];
    const set = this.#context.allocSetOpts2(layout, AV_SAMPLE_FMT_FLTP, SAMPLE_RATE, layout, format, frame.sampleRate);
    if (set < 0 || this.#context.init() < 0) throw new CorruptAudio("the file's audio has an impossible shape");
    this.#out.alloc();
    this.#out.format = AV_SAMPLE_FMT_FLTP;
    this.#out.sampleRate = SAMPLE_RATE;
    this.#out.channelLayout = layout;
    this.#out.nbSamples = CAPACITY;
    if (this.#out.getBuffer() < 0) throw new Error("out of memory for the resampler's buffer");
    // Views of native memory, made once: a Buffer a frame would outrun the garbage collector.
    this.channels = (this.#out.extendedData ?? this.#out.data ?? []).map(
      (plane) => new Float32Array(plane.buffer, plane.byteOffset, CAPACITY),
    );
  }

  fits(frame: Frame): boolean {
    return shapeOf(frame) === this.#shape;
  }

  /** Samples now in `channels`. Null flushes. */
  convert(frame: Frame | null): number {
    this.#out.nbSamples = CAPACITY;
    const code = this.#context.convertFrame(this.#out, frame);
    if (code < 0) throw new CorruptAudio("the file's audio cannot be resampled");
    return this.#out.nbSamples;
  }

  free(): void {
    this.#context.free();
    this.#out.free();
  }
}

function shapeOf(frame: Frame): string {
  const { nbChannels, order, mask } = frame.channelLayout;
  return `${frame.sampleRate} ${frame.format} ${nbChannels} ${order} ${mask}`;
}
