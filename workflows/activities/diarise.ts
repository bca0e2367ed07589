import { Context } from "@temporalio/activity";
import { diarise as findSpeakers } from "../../speech/diarization/diarise.ts";
import {
  DamagedVoiceprints,
  decodeVoiceprints,
  joinVoiceprints,
  type Voiceprints,
} from "../../speech/diarization/voiceprints.ts";
import type { SpeakerTurns } from "../../speech/types.ts";
import { keys } from "../../storage/keys.ts";
import type { MediaSteps } from "../steps.ts";
import { readBytes, readObject, readPlan, writeObject } from "./objects.ts";
import type { MediaDependencies } from "./prepare.ts";

/** No speakers to tell apart: nothing, or nothing readable, was written down about the voices of some window. */
const UNAVAILABLE: SpeakerTurns = { version: 1, speakers: 0, turns: [], warnings: ["diarization_unavailable"] };

/** The voiceprints that `recognise` stored → `speakers.json`. Made once; the same objects give the same speakers. */
export function diarise({ store, metrics }: Pick<MediaDependencies, "store" | "metrics">): MediaSteps["diarise"] {
  return async ({ transcriptId }) => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const known = await readObject<SpeakerTurns>(store, keys.speakers(transcriptId), signal);
    if (known) return { speakers: known.speakers };
    const { chunks } = await readPlan(store, transcriptId, signal);
    let whole = true;
    const read = async function* (): AsyncGenerator<Voiceprints> {
      for (const { windows } of chunks) {
        // A chunk has eight windows or so: few enough to ask for together.
        const objects = await Promise.all(
          windows.map(({ index }) => readBytes(store, keys.voices(transcriptId, index), signal)),
        );
        const present = objects.filter((bytes) => bytes !== null);
        if (present.length < windows.length) {
          whole = false;
          return;
        }
        context.heartbeat("diarise");
        yield joinVoiceprints(present.map(decodeVoiceprints));
      }
    };
    const found = await findSpeakers(read).catch((error: unknown) => {
      // No repeat would find another object there.
      if (error instanceof DamagedVoiceprints) return UNAVAILABLE;
      throw error;
    });
    const turns = whole ? found : UNAVAILABLE;
    await writeObject(store, keys.speakers(transcriptId), turns);
    metrics.diarised(turns.speakers);
    return { speakers: turns.speakers };
  };
}
