import type { Random } from "../harness/random.ts";

type Container = Record<string, unknown> | unknown[];
type Mutation = (place: { container: Container; key: string }, random: Random, other: unknown) => void;

const types = [null, true, false, [], {}, [null], [[]], { a: 1 }];
const sizes = [0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 60_001, "y".repeat(300)];
const texts = ["", "x", "\u0000", "\ud800", "2.0", "__proto__", "builtin", "slow 1", "2+2"];
const values: readonly unknown[] = [...types, ...sizes, ...texts];
const members = ["id", "method", "params", "text", "channel", "bot_token", "attachments", "thread"];
const names = [...members, "__proto__", "constructor", "", "0"];

/** Sets an own member, even if its name is `__proto__`. The value is copied, because the next mutation may change it. */
function set(container: Container, key: string, value: unknown): void {
  Object.defineProperty(container, key, {
    value: structuredClone(value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

const get = (container: Container, key: string): unknown => Reflect.get(container, key);

const mutations: Readonly<Record<string, Mutation>> = {
  "another type": ({ container, key }, random) => set(container, key, random.pick(values)),
  "no member": ({ container, key }) => {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else Reflect.deleteProperty(container, key);
  },
  "another name": ({ container, key }, random) => {
    const value = get(container, key);
    if (!Array.isArray(container)) Reflect.deleteProperty(container, key);
    set(container, Array.isArray(container) ? key : random.pick(names), value);
  },
  "in an array": ({ container, key }) => set(container, key, [get(container, key)]),
  "in an object": ({ container, key }, random) => set(container, key, { [random.pick(names)]: get(container, key) }),
  "as text": ({ container, key }) => set(container, key, JSON.stringify(get(container, key))),
  "many times": ({ container, key }, random) =>
    set(
      container,
      key,
      Array.from({ length: random.int(50) }, () => get(container, key)),
    ),
  "of another request": ({ container, key }, random, other) => {
    const from = random.pick(places(other));
    set(container, key, from === undefined ? other : get(from.container, from.key));
  },
  "swapped with another": ({ container, key }, random) => {
    const partner = random.pick(Object.keys(container));
    const [mine, theirs] = [get(container, key), get(container, partner)];
    set(container, key, theirs);
    set(container, partner, mine);
  },
};

const kinds = Object.keys(mutations);

function places(value: unknown): { container: Container; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const container = value as Container;
  return Object.keys(container).flatMap((key) => [{ container, key }, ...places(get(container, key))]);
}

/** Breaks a copy of a JSON value in one to three ways. Returns the ways too. */
export function mutateValue(value: unknown, random: Random, other: unknown): { value: unknown; how: string } {
  const mutant = structuredClone(value);
  const how: string[] = [];
  for (let left = 1 + random.int(3); left > 0; left -= 1) {
    const place = random.pick(places(mutant));
    if (place === undefined) break;
    const kind = random.pick(kinds);
    mutations[kind]?.(place, random, other);
    how.push(`${place.key} ${kind}`);
  }
  return { value: mutant, how: how.join(", ") };
}

type ByteMutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const marks = ["{", "}", "[", "]", ",", ":", '"', "\\", "\u0000", "\ufeff", "\\ud800", "[[[[[["];
const words = ["null", "true", "1e400", "-0", "0x1", "NaN", '"id":1,', '"__proto__":{},'];
const tokens = [...marks, ...words].map((token) => Buffer.from(token));

const join = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

/** Returns the bounds of a random part of the bytes. */
function range(bytes: Buffer, random: Random): readonly [from: number, to: number] {
  const from = random.int(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random.int(random.chance(0.7) ? 8 : 200))];
}

const byteMutations: Readonly<Record<string, ByteMutation>> = {
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

const byteWays = Object.keys(byteMutations);

/** Breaks bytes in one to four ways. Returns the ways too. */
export function mutateBytes(bytes: Buffer, random: Random, other: Buffer): { bytes: Buffer; how: string } {
  const how = Array.from({ length: 1 + random.int(4) }, () => random.pick(byteWays));
  return {
    bytes: how.reduce((mutant, name) => byteMutations[name]?.(mutant, random, other) ?? mutant, bytes),
    how: how.join(", "),
  };
}
