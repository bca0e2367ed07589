import { randomBytes } from "node:crypto";
import test from "ava";
import { createSecretBox, newWebhookSecret, SecretUnreadable } from "../../webhooks/secrets.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
const secret = newWebhookSecret();

test("a secret has its prefix and 32 random characters", (t) => {
  t.regex(secret, /^whsec_[0-9A-Za-z]{32}$/);
  t.not(newWebhookSecret(), secret);
});

test("what is sealed opens with its key and its owner, and shows nothing", (t) => {
  const box = createSecretBox([first]);
  const sealed = box.seal(secret, "wh_1");
  t.is(box.open(sealed, "wh_1"), secret);
  t.false(sealed.includes(secret.slice(6, 14)));
  t.notDeepEqual(box.seal(secret, "wh_1"), sealed);
  t.throws(() => box.open(sealed, "wh_2"), { instanceOf: SecretUnreadable });
});

test("a changed byte anywhere is noticed", (t) => {
  const box = createSecretBox([first]);
  const sealed = box.seal(secret, "wh_1");
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    t.throws(() => box.open(changed, "wh_1"), { instanceOf: SecretUnreadable }, `byte ${at}`);
  }
  for (const short of [Buffer.alloc(0), sealed.subarray(0, 20), sealed.subarray(0, 33)]) {
    t.throws(() => box.open(short, "wh_1"), { instanceOf: SecretUnreadable });
  }
});

test("the first key seals, all open, and a key that is gone is named by its id alone", (t) => {
  const old = createSecretBox([first]).seal(secret, "wh_1");
  const both = createSecretBox([second, first]);
  t.is(both.open(old, "wh_1"), secret);
  t.false(both.isCurrent(old));
  t.true(both.isCurrent(both.seal(secret, "wh_1")));
  const error = t.throws(() => createSecretBox([second]).open(old, "wh_1"), { instanceOf: SecretUnreadable });
  t.regex(error.message, /^no key of ESCRIBA_SECRETS_KEY has the id [0-9a-f]{8} of the secret of wh_1$/);
  t.false(error.message.includes(first.toString("hex").slice(0, 8)));
});
