import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import test from "ava";
import { trustedCertificates } from "../../storage/certificates.ts";
import { createAuthority } from "../support/certificate.ts";

test("a company's authorities are added to Node's; a file that holds none is named", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "escriba-certificates-"));
  t.teardown(() => rm(directory, { recursive: true }));
  const file = join(directory, "authorities.pem");
  const [one, two] = [createAuthority("One").cert, createAuthority("Two").cert];
  await writeFile(file, `# ours\n${one}\n${two}`);
  const trusted = (await trustedCertificates(file)) ?? [];
  t.is(trusted.length, getCACertificates("default").length + 2);
  t.deepEqual(trusted.slice(-2), [one.trim(), two.trim()]);
  t.is(await trustedCertificates(null), undefined);
  for (const text of ["", "no certificate", one.replace(/\n.{20}/, "\nAAAA")]) {
    await writeFile(file, text);
    await t.throwsAsync(trustedCertificates(file), { message: /authorities\.pem/ }, text);
  }
  await t.throwsAsync(trustedCertificates(join(directory, "none.pem")), { message: /none\.pem cannot be read/ });
});
