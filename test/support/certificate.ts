import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface Identity {
  /** PEM. */
  key: string;
  cert: string;
}

export interface Authority {
  /** PEM of the authority itself: what a client must trust. */
  cert: string;
  /** A server's identity for these DNS names and addresses. */
  issue(names: string[]): Identity;
  /** A client's identity, as an API server reads it: the common name is the user, each organization a group. */
  issueTo(user: string, groups?: string[]): Identity;
}

/** A certificate authority of a test's own (X.509 v3, ECDSA P-256), without a program that another machine may lack. */
export function createAuthority(name = "Escriba test authority"): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = { name: distinguishedName([["2.5.4.3", name]]), key: privateKey };
  // basicConstraints, critical: CA.
  const isAuthority = sequence(oid("2.5.29.19"), BOOLEAN_TRUE, octets(sequence(BOOLEAN_TRUE)));
  const issue = (subject: Buffer, extension?: Buffer) => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return {
      key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      cert: certificate(subject, pair.publicKey, own, extension),
    };
  };
  return {
    cert: certificate(own.name, publicKey, own, isAuthority),
    issue: (names) => {
      const alternatives = sequence(oid("2.5.29.17"), octets(sequence(...names.map(generalName))));
      return issue(distinguishedName([["2.5.4.3", names[0] ?? ""]]), alternatives);
    },
    issueTo: (user, groups = []) => {
      const organizations = groups.map((group): [string, string] => ["2.5.4.10", group]);
      return issue(distinguishedName([...organizations, ["2.5.4.3", user]]));
    },
  };
}

function certificate(
  subject: Buffer,
  key: KeyObject,
  issuer: { name: Buffer; key: KeyObject },
  extension?: Buffer,
): string {
  const algorithm = sequence(oid("1.2.840.10045.4.3.2")); // ecdsa-with-SHA256
  const body = sequence(
    tagged(0xa0, Buffer.from([0x02, 0x01, 0x02])), // version 3
    tagged(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)])), // serial number
    algorithm,
    issuer.name,
    sequence(time("200101000000Z"), time("491231235959Z")),
    subject,
    key.export({ type: "spki", format: "der" }),
    ...(extension ? [tagged(0xa3, sequence(extension))] : []),
  );
  const signature = sign("sha256", body, createPrivateKey(issuer.key.export({ type: "pkcs8", format: "pem" })));
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

const BOOLEAN_TRUE = Buffer.from([0x01, 0x01, 0xff]);
const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const octets = (content: Buffer) => tagged(0x04, content);
const time = (utc: string) => tagged(0x17, Buffer.from(utc));
/** Attribute types and their values, e.g. 2.5.4.3 the common name and 2.5.4.10 an organization. */
const distinguishedName = (attributes: [type: string, value: string][]) =>
  sequence(...attributes.map(([type, value]) => tagged(0x31, sequence(oid(type), tagged(0x0c, Buffer.from(value))))));

/** An address (context tag 7) or a DNS name (context tag 2). */
function generalName(name: string): Buffer {
  const parts = name.split(".").map(Number);
  const isAddress = parts.length === 4 && parts.every((part) => part >= 0 && part < 256);
  return isAddress ? tagged(0x87, Buffer.from(parts)) : tagged(0x82, Buffer.from(name));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
}
