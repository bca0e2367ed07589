import test from "ava";
import { sherpaTokens } from "../../../bench/asr/sherpa.ts";

test("sherpa-onnx's vocabulary: bytes in base64 by number, a space for the low line, a byte for a byte token", (t) => {
  const lines = sherpaTokens({ "▁t": 260, "<0xFF>": 258, "<unk>": 0, é: 300 }).split("\n");
  t.deepEqual(
    lines.map((line) =>
      line.split(" ").map((cell, i) => (i === 0 ? Buffer.from(cell, "base64").toString("latin1") : cell)),
    ),
    [["<unk>", "0"], ["\xFF", "258"], [" t", "260"], [Buffer.from("é").toString("latin1"), "300"], [""]],
  );
});
