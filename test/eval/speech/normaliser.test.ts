import test from "ava";
import { startNormaliser } from "../../../eval/speech/measure/normaliser.ts";

test("both published normalisers, each for its languages", async (t) => {
  const normaliser = await startNormaliser();
  t.teardown(() => normaliser.close());
  t.deepEqual(await normaliser.words(["Mr. Smith's colour: it's twenty-one, uh, per cent!", ""], "en"), [
    ["mister", "smith", "is", "color", "it", "is", "21%"],
    [],
  ]);
  t.deepEqual(await normaliser.words(["¿Qué tal, Señor? [risas] Marque 1."], "es"), [
    ["que", "tal", "senor", "marque", "1"],
  ]);
  t.deepEqual(await normaliser.words(["Où est-il (rires)?"], "fr"), [["ou", "est", "il"]]);
});
