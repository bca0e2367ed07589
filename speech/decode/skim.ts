import { AV_PKT_FLAG_DISCARD } from "node-av/constants";
import { Frame, Packet } from "node-av/lib";
import type { AudioStream } from "./demux.ts";

/** Packets at either end whose true length only the decoder knows: encoder delay, padding, edit lists. */
const EDGE = 32;
/** Packets that the decoder hears before the tail, so that codecs which lean on the packet before are warm. */
const WARM_UP = 16;
const KEPT = WARM_UP + EDGE;

/**
 * The length in seconds that decoding the whole stream would give, for little more than the price of reading it. The
 * packets at both ends are decoded; those in the middle say their duration, which is what a decoder makes of them.
 * A file whose first packets show otherwise is decoded whole. Stops once the length is beyond `limit` seconds.
 */
export async function skimLength(
  stream: AudioStream,
  limit: number,
  beat: (seconds: number) => Promise<void> | undefined,
): Promise<number> {
  const packets = Array.from({ length: KEPT }, newPacket);
  const frame = newFrame();
  let decoded = 0;
  let ticks = 0;
  let honest = true;
  const decode = (packet: Packet | null) => {
    const before = decoded;
    const fine = stream.decode(packet, frame, ({ nbSamples, sampleRate }) => {
      decoded += nbSamples / sampleRate;
    });
    if (!fine && packet) decoded += lostSeconds(packet, stream);
    return decoded - before;
  };
  const seconds = () => decoded + ticks * stream.tick;
  try {
    let read = 0;
    for (; ; read++) {
      const packet = slot(packets, read);
      // In its place stands the oldest packet kept; from here on it belongs to the middle.
      if (read >= EDGE + KEPT && honest) ticks += duration(packet);
      packet.unref();
      if (seconds() > limit || !stream.read(packet)) break;
      if (read < EDGE || !honest) {
        const heard = decode(packet);
        if (read >= EDGE / 2 && Math.abs(heard - duration(packet) * stream.tick) * stream.rate > 0.5) honest = false;
      }
      if (read % 256 === 0) await beat(seconds());
    }
    if (honest && read > EDGE) {
      const first = Math.max(EDGE, read - KEPT + 1);
      const cut = first > EDGE;
      if (cut) stream.flush();
      for (let index = first; index < read; index++) {
        const packet = slot(packets, index);
        const warming = cut && index < first + WARM_UP;
        const before = decoded;
        decode(packet);
        if (warming) {
          decoded = before;
          ticks += duration(packet);
        }
      }
    }
    decode(null);
    return seconds();
  } finally {
    for (const packet of packets) packet.free();
    frame.free();
  }
}

/** In ticks of the stream. A packet outside an edit list is decoded for the sake of the next one and not heard. */
function duration(packet: Packet): number {
  return packet.size === 0 || (packet.flags & AV_PKT_FLAG_DISCARD) !== 0 ? 0 : Number(packet.duration);
}

/** Longer than any packet of sound; a longer claim is not to be filled. */
const LONGEST_PACKET = 5;

/** Seconds that a packet would have lasted, had it been decodable: silence takes its place, so that the clock holds. */
export function lostSeconds(packet: Packet, stream: AudioStream): number {
  return Math.min(LONGEST_PACKET, Math.max(0, duration(packet) * stream.tick));
}

function slot(packets: Packet[], index: number): Packet {
  return packets[index % packets.length] as Packet;
}

export function newPacket(): Packet {
  const packet = new Packet();
  packet.alloc();
  return packet;
}

export function newFrame(): Frame {
  const frame = new Frame();
  frame.alloc();
  return frame;
}
