import type { TranscriptResponse } from "./client.ts";

/** A completed transcript as a person reads it: who said what when, then what was found out and what it cost. */
export function readable(file: string, transcript: TranscriptResponse): string {
  const lines = (transcript.utterances ?? []).map(
    ({ speaker, speakerRole, text, start, end }) =>
      `  ${clock(start)} – ${clock(end)}  ${label(speaker, speakerRole)}${text}`,
  );
  const { language = "und", language_confidence = 0, audio_duration = 0, speech_duration = 0 } = transcript;
  const facts: [string, string][] = [
    ["Transcript", transcript.id],
    ["Language", `${language} (confidence ${language_confidence.toFixed(2)})`],
    ["Duration", `${seconds(audio_duration)}, of which ${seconds(speech_duration)} of speech`],
    ["Billed", `${transcript.billed_duration ?? 0} s`],
    ["Cost", `${(transcript.usage?.total_eur ?? 0).toFixed(6)} EUR`],
    ["Warnings", transcript.warnings?.length ? transcript.warnings.join(", ") : "none"],
  ];
  return [
    file,
    "",
    ...(lines.length > 0 ? lines : ["  (no speech)"]),
    "",
    ...facts.map(([name, value]) => `  ${name.padEnd(12)}${value}`),
    "",
  ].join("\n");
}

function label(speaker: string | null, role: "agent" | "customer" | null): string {
  if (role) return role === "agent" ? "Agent: " : "Customer: ";
  return speaker === null ? "" : `Speaker ${speaker}: `;
}

/** `3:07.4`, with hours from one hour on. */
export function clock(at: number): string {
  const tenths = Math.round(at * 10);
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  const minutes = Math.floor(tenths / 600);
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
