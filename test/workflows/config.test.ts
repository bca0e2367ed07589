import test from "ava";
import { SettingsError } from "../../process/settings.ts";
import { schema, workerConfig } from "../../workflows/config.ts";

const base = { ESCRIBA_OBJECT_STORE: "file:///tmp/objects", ESCRIBA_DATABASE_URL: "postgres://localhost/escriba" };

test("serves every queue unless told otherwise", (t) => {
  t.deepEqual(workerConfig(base).queues, ["transcripts", "fetch", "media", "speech", "speech-short"]);
  t.deepEqual(workerConfig({ ...base, ESCRIBA_QUEUES: " media, speech,media " }).queues, ["media", "speech"]);
});

test("a queue that is none is an error that names the known ones", (t) => {
  for (const queues of ["speach", ",", "media,webhooks"]) {
    const error = t.throws(() => workerConfig({ ...base, ESCRIBA_QUEUES: queues }), { instanceOf: SettingsError });
    t.regex(error.message, /known are transcripts, fetch, media, speech, speech-short/);
  }
});

test("only the transcripts queue needs a database, and only it gets one", (t) => {
  const { ESCRIBA_DATABASE_URL: _, ...without } = base;
  t.throws(() => workerConfig(without), { message: /ESCRIBA_DATABASE_URL: the transcripts queue needs a database/ });
  t.is(workerConfig({ ...without, ESCRIBA_QUEUES: "media" }).database, null);
  t.is(workerConfig({ ...base, ESCRIBA_QUEUES: "speech" }).database, null);
});

test("a network that is none is named", (t) => {
  t.throws(() => workerConfig({ ...base, ESCRIBA_AUDIO_URL_NETWORKS: "10.0.0.0/8,intranet" }), {
    message: /ESCRIBA_AUDIO_URL_NETWORKS: "intranet"/,
  });
});

test("every setting is described", (t) => {
  for (const [name, field] of Object.entries(schema.shape)) t.truthy(field.description, name);
});
