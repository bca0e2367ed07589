import test from "ava";
import { SettingsError } from "../../process/settings.ts";
import { schema, workerConfig } from "../../workflows/config.ts";

const base = {
  ESCRIBA_OBJECT_STORE: "file:///tmp/objects",
  ESCRIBA_DATABASE_URL: "postgres://localhost/escriba",
  ESCRIBA_SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
};

test("serves every queue unless told otherwise", (t) => {
  t.deepEqual(workerConfig(base).queues, [
    "transcripts",
    "webhooks",
    "fetch",
    "media",
    "speech",
    "speech-short",
    "language",
  ]);
  t.deepEqual(workerConfig({ ...base, ESCRIBA_QUEUES: " media, speech,media " }).queues, ["media", "speech"]);
});

test("a queue that is none is an error that names the known ones", (t) => {
  for (const queues of ["speach", ",", "media,languages"]) {
    const error = t.throws(() => workerConfig({ ...base, ESCRIBA_QUEUES: queues }), { instanceOf: SettingsError });
    t.regex(error.message, /known are transcripts, webhooks, fetch, media, speech, speech-short, language/);
  }
});

test("only the transcripts and webhooks queues need a database, and only they get one", (t) => {
  const { ESCRIBA_DATABASE_URL: _, ...without } = base;
  t.throws(() => workerConfig(without), { message: /ESCRIBA_DATABASE_URL: the transcripts queue needs a database/ });
  t.throws(() => workerConfig({ ...without, ESCRIBA_QUEUES: "fetch,webhooks" }), {
    message: /ESCRIBA_DATABASE_URL: the webhooks queue needs a database/,
  });
  t.is(workerConfig({ ...without, ESCRIBA_QUEUES: "media" }).database, null);
  t.is(workerConfig({ ...base, ESCRIBA_QUEUES: "speech" }).database, null);
});

test("workers of media and speech want the object store and nothing secret", (t) => {
  for (const queues of ["media", "speech,speech-short", "language", "fetch"]) {
    const config = workerConfig({ ESCRIBA_OBJECT_STORE: "s3://calls", ESCRIBA_QUEUES: queues });
    t.like(config, { database: null, webhooks: null, drainToken: null });
    t.is(config.temporal.apiKey, null);
  }
});

test("only the webhooks queue needs the secrets' key, and says what is wrong with it", (t) => {
  const { ESCRIBA_SECRETS_KEY: key, ...without } = base;
  t.throws(() => workerConfig(without), { message: /ESCRIBA_SECRETS_KEY: the webhooks queue needs it/ });
  t.is(workerConfig({ ...without, ESCRIBA_QUEUES: "transcripts,fetch" }).webhooks, null);
  for (const wrong of ["secret", "AAAA", `${key},short`, ","]) {
    t.throws(() => workerConfig({ ...without, ESCRIBA_SECRETS_KEY: wrong }), {
      message: /ESCRIBA_SECRETS_KEY: must be 32 bytes in base64/,
    });
  }
  const other = Buffer.alloc(32, 2).toString("base64");
  t.is(workerConfig({ ...base, ESCRIBA_SECRETS_KEY: `${key}, ${other}` }).webhooks?.keys.length, 2);
});

test("mail goes to a server or a directory, and only by SMTP", (t) => {
  t.like(workerConfig(base).webhooks?.mail, { smtpUrl: null, directory: null });
  const mail = { ESCRIBA_SMTP_URL: "smtps://u:p@mail.example.com", ESCRIBA_MAIL_FROM: "Avisos <a@example.com>" };
  t.like(workerConfig({ ...base, ...mail }).webhooks?.mail, {
    smtpUrl: "smtps://u:p@mail.example.com",
    from: "Avisos <a@example.com>",
  });
  t.throws(() => workerConfig({ ...base, ESCRIBA_SMTP_URL: "https://mail.example.com" }), {
    message: /ESCRIBA_SMTP_URL: must be an smtp/,
  });
});

test("a network that is none is named", (t) => {
  t.throws(() => workerConfig({ ...base, ESCRIBA_WEBHOOK_NETWORKS: "10.0.0.0/8,10.0.0.1" }), {
    message: /ESCRIBA_WEBHOOK_NETWORKS: "10.0.0.1"/,
  });
  t.throws(() => workerConfig({ ...base, ESCRIBA_AUDIO_URL_NETWORKS: "10.0.0.0/8,intranet" }), {
    message: /ESCRIBA_AUDIO_URL_NETWORKS: "intranet"/,
  });
});

test("every setting is described", (t) => {
  for (const [name, field] of Object.entries(schema.shape)) t.truthy(field.description, name);
});
