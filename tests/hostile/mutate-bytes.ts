import type { Random } from "../harness/random.ts";

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const tokens = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "null",
  "true",
  "1e400",
  "-0",
  '"id":1,',
  '"__proto__":{},',
  "\u0000",
  "\ufeff",
  "\\ud800",
  "[[[[[[",
  "0x1",
  "NaN",
].map((token) => Buffer.from(token));

const join = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

/** Returns the bounds of a random part of the bytes. */
function range(bytes: Buffer, random: Random): readonly [from: number, to: number] {
  const from = random.int(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random.int(random.chance(0.7) ? 8 : 200))];
}

const mutations: Readonly<Record<string, Mutation>> = {
  "flip a bit": (bytes, random) => {
    const flipped = Buffer.from(bytes);
    const at = random.int(bytes.length);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << random.int(8));
    return flipped.subarray(0, bytes.length);
  },
  "another byte": (bytes, random) => {
    const changed = Buffer.from(bytes);
    changed[random.int(bytes.length)] = random.int(256);
    return changed.subarray(0, bytes.length);
  },
  delete: (bytes, random) => {
    const [from, to] = range(bytes, random);
    return join(bytes.subarray(0, from), bytes.subarray(to));
  },
  duplicate: (bytes, random) => {
    const [from, to] = range(bytes, random);
    return join(bytes.subarray(0, to), bytes.subarray(from));
  },
  swap: (bytes, random) => {
    const [a, b, c] = [random, random, random].map(() => random.int(bytes.length + 1)).toSorted((x, y) => x - y);
    return join(bytes.subarray(0, a), bytes.subarray(b, c), bytes.subarray(a, b), bytes.subarray(c));
  },
  "insert a token": (bytes, random) => {
    const at = random.int(bytes.length + 1);
    return join(bytes.subarray(0, at), random.pick(tokens), bytes.subarray(at));
  },
  "insert noise": (bytes, random) => {
    const at = random.int(bytes.length + 1);
    const noise = Buffer.from(Array.from({ length: 1 + random.int(16) }, () => random.int(256)));
    return join(bytes.subarray(0, at), noise, bytes.subarray(at));
  },
  splice: (bytes, random, other) =>
    join(bytes.subarray(0, random.int(bytes.length + 1)), other.subarray(random.int(other.length + 1))),
  "cut off": (bytes, random) => bytes.subarray(0, random.int(bytes.length + 1)),
};

const names = Object.keys(mutations);

/** Breaks bytes in one to four ways. Returns the ways too. */
export function mutateBytes(bytes: Buffer, random: Random, other: Buffer): { bytes: Buffer; how: string } {
  const how = Array.from({ length: 1 + random.int(4) }, () => random.pick(names));
  return {
    bytes: how.reduce((mutant, name) => mutations[name]?.(mutant, random, other) ?? mutant, bytes),
    how: how.join(", "),
  };
}
