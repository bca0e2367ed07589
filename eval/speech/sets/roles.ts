import { Random } from "../../random.ts";
import type { MakeSet } from "./build.ts";
import { castFor } from "./calls/cast.ts";
import { LANGUAGES } from "./calls/language.ts";
import { produced } from "./calls/play.ts";
import { KINDS, writeScript } from "./calls/script.ts";
import { kept, type Wanted } from "./keep.ts";

/** A language and split: calls whose roles must be found, and of each other kind some that must be left alone. */
const INBOUND = 50;
const OTHERS = 5;

/**
 * Short calls of half a minute. In an inbound call the roles can be known; the other kinds hold what misleads: two
 * agents, a menu, one voice only, a company that is itself called.
 */
export const roles: MakeSet = (making) => kept(roleCalls(INBOUND, OTHERS), making);

export function roleCalls(inbound: number, others: number): Wanted[] {
  return LANGUAGES.flatMap((language) =>
    (["development", "held-out"] as const).flatMap((split) =>
      KINDS.flatMap((kind) =>
        Array.from({ length: kind === "inbound" ? inbound : others }, (_, i) => {
          const id = `roles-${language}-${split}-${kind}-${i + 1}`;
          const random = new Random(id);
          const script = writeScript({ kind, language, split, length: "brief", random });
          return produced({
            id,
            set: "roles",
            script,
            cast: castFor(script, split, i % 2 === 0, random),
            narrow: i % 4 < 2,
            facts: { expectation: kind === "inbound" ? "attributed" : "null-or-warned" },
          });
        }),
      ),
    ),
  );
}
