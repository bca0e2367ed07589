import { ModelError } from "../errors.ts";

/** A class or function that the pickle names. It is never looked up, let alone called: only its name is known here. */
export class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** What a REDUCE would have made: the name of the function and its arguments, uncalled. */
export class Made {
  readonly by: string;
  readonly values: readonly unknown[];
  constructor(by: string, values: readonly unknown[]) {
    this.by = by;
    this.values = values;
  }
}

/** What stands in another member of the archive (torch: `("storage", type, key, location, count)`). */
export class Elsewhere {
  readonly id: unknown;
  constructor(id: unknown) {
    this.id = id;
  }
}

/** An object under construction: where MARK stood. */
const MARK = Symbol("mark");

/**
 * Reads a pickle of protocol 2 as torch.save writes it into plain data: maps, arrays, text, numbers, and the three
 * classes above for what Python would import, call or look up. Nothing is imported or called, whatever the pickle asks
 * for. Opcodes that torch.save does not write are refused. Throws ModelError.
 * @see https://github.com/python/cpython/blob/main/Lib/pickletools.py
 */
export function readPickle(bytes: Buffer): unknown {
  const stack: unknown[] = [];
  const memo = new Map<number, unknown>();
  let at = 0;
  const take = (length: number) => {
    if (at + length > bytes.length) throw new ModelError("the pickle ends early");
    at += length;
    return at - length;
  };
  const line = () => {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) throw new ModelError("the pickle ends early");
    const text = bytes.toString("utf8", at, end);
    at = end + 1;
    return text;
  };
  const pop = () => {
    if (stack.length === 0) throw new ModelError("the pickle takes more than it put down");
    return stack.pop();
  };
  const popToMark = () => {
    const mark = stack.lastIndexOf(MARK);
    if (mark < 0) throw new ModelError("the pickle takes more than it put down");
    const values = stack.splice(mark);
    return values.slice(1);
  };
  const top = () => stack.at(-1);
  const recall = (key: number) => {
    if (!memo.has(key)) throw new ModelError("the pickle recalls what it never kept");
    stack.push(memo.get(key));
  };
  const setItems = (pairs: readonly unknown[]) => {
    const map = top();
    // An OrderedDict is made by a call without arguments; a map that holds nothing yet stands for it.
    if (!(map instanceof Map)) throw new ModelError("the pickle fills what is no dictionary");
    for (let i = 0; i + 1 < pairs.length; i += 2) map.set(pairs[i], pairs[i + 1]);
  };
  const reduce = (callee: unknown, args: unknown) => {
    if (!(callee instanceof Named) || !Array.isArray(args)) throw new ModelError("the pickle calls what is no name");
    stack.push(callee.name === "collections.OrderedDict" ? new Map() : new Made(callee.name, args));
  };

  const operations: Record<number, () => unknown> = {
    128: () => take(1), // PROTO
    125: () => stack.push(new Map()), // EMPTY_DICT
    93: () => stack.push([]), // EMPTY_LIST
    41: () => stack.push([]), // EMPTY_TUPLE
    40: () => stack.push(MARK),
    78: () => stack.push(null), // NONE
    136: () => stack.push(true), // NEWTRUE
    137: () => stack.push(false), // NEWFALSE
    75: () => stack.push(bytes.readUInt8(take(1))), // BININT1
    77: () => stack.push(bytes.readUInt16LE(take(2))), // BININT2
    74: () => stack.push(bytes.readInt32LE(take(4))), // BININT
    138: () => stack.push(longOf(bytes.subarray(take(bytes.readUInt8(take(1))), at))), // LONG1
    71: () => stack.push(bytes.readDoubleBE(take(8))), // BINFLOAT
    88: () => {
      const length = bytes.readUInt32LE(take(4)); // BINUNICODE
      const start = take(length);
      stack.push(bytes.toString("utf8", start, start + length));
    },
    99: () => stack.push(new Named(`${line()}.${line()}`)), // GLOBAL
    113: () => memo.set(bytes.readUInt8(take(1)), top()), // BINPUT
    114: () => memo.set(bytes.readUInt32LE(take(4)), top()), // LONG_BINPUT
    104: () => recall(bytes.readUInt8(take(1))), // BINGET
    106: () => recall(bytes.readUInt32LE(take(4))), // LONG_BINGET
    116: () => stack.push(popToMark()), // TUPLE
    133: () => stack.push([pop()]), // TUPLE1
    134: () => stack.push([pop(), pop()].reverse()), // TUPLE2
    135: () => stack.push([pop(), pop(), pop()].reverse()), // TUPLE3
    81: () => stack.push(new Elsewhere(pop())), // BINPERSID
    82: () => {
      const args = pop(); // REDUCE
      reduce(pop(), args);
    },
    129: () => {
      const args = pop(); // NEWOBJ
      reduce(pop(), args);
    },
    98: () => pop(), // BUILD: attributes of an object, such as a state dict's _metadata, which nobody reads
    115: () => {
      const value = pop(); // SETITEM
      setItems([pop(), value]);
    },
    117: () => setItems(popToMark()), // SETITEMS
    97: () => {
      const value = pop(); // APPEND
      appendTo(top(), [value]);
    },
    101: () => {
      const values = popToMark(); // APPENDS
      appendTo(top(), values);
    },
  };

  for (;;) {
    const opcode = bytes.readUInt8(take(1));
    if (opcode === 0x2e) return pop(); // STOP
    const operation = operations[opcode];
    if (!operation) throw new ModelError(`the pickle has an opcode 0x${opcode.toString(16)} that no checkpoint needs`);
    operation();
  }
}

function appendTo(list: unknown, values: readonly unknown[]): void {
  if (!Array.isArray(list)) throw new ModelError("the pickle fills what is no list");
  for (const value of values) list.push(value);
}

/** Little-endian two's complement. */
function longOf(bytes: Buffer): number {
  let value = 0n;
  for (const [i, byte] of bytes.entries()) value |= BigInt(byte) << BigInt(8 * i);
  return Number(BigInt.asIntN(8 * Math.max(1, bytes.length), value));
}
