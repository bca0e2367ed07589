import type { Term } from "./terms.ts";

/** A place in the trie, reached by some bytes; `lead` is the last of them. */
export interface TriePlace {
  node: Node;
  lead: number;
}

interface Node {
  next: Map<number, Node>;
  term?: Term;
}

/**
 * Spellings of terms as bytes of UTF-8 in lower case, with and without their accents. Byte-level, because Whisper's
 * tokens are pieces of bytes: any way of cutting a term into tokens, in any case, walks the same way here.
 */
export class TermTrie {
  readonly root: TriePlace = { node: { next: new Map() }, lead: 0 };

  constructor(terms: Iterable<Term>) {
    for (const term of terms) {
      const written = term.text.toLowerCase();
      const bare = written.normalize("NFD").replace(/\p{Mn}/gu, "");
      for (const spelling of [written, bare]) {
        let { node } = this.root;
        for (const byte of Buffer.from(spelling)) {
          const next = node.next.get(byte) ?? { next: new Map() };
          node.next.set(byte, next);
          node = next;
        }
        node.term ??= term;
      }
    }
  }

  /** Where a token's bytes lead from a place; null when no term goes on like that. */
  walk({ node, lead }: TriePlace, bytes: Uint8Array, from = 0): TriePlace | null {
    let here = node;
    let last = lead;
    for (let i = from; i < bytes.length; i++) {
      const byte = lowerCase(bytes[i] as number, last);
      const next = here.next.get(byte);
      if (!next) return null;
      here = next;
      last = byte;
    }
    return { node: here, lead: last };
  }
}

/** ASCII and Latin-1 capitals, the latter being the second byte after C3. */
function lowerCase(byte: number, lead: number): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  if (lead === 0xc3 && byte >= 0x80 && byte <= 0x9e && byte !== 0x97) return byte + 0x20;
  return byte;
}
