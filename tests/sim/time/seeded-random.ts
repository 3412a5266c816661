import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { createRandom, type Random } from "../../harness/random.ts";

let random: Random = createRandom(0);
let number = 0;
let isSeeded = false;

const byte = (): number => random.int(256);
const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, byte));

/** Returns a UUID of these bytes, with its version and variant. https://www.rfc-editor.org/rfc/rfc9562#section-4 */
function uuidOf(value: Buffer, version: number): string {
  value[6] = (version << 4) | ((value[6] ?? 0) & 0x0f);
  value[8] = 0x80 | ((value[8] ?? 0) & 0x3f);
  return value.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns a UUID that is ordered by time, then by a counter. */
function uuidV7(): string {
  const value = bytes(16);
  value.writeUIntBE(Date.now(), 0, 6);
  value.writeUInt16BE((number = (number + 1) % 4_096), 6);
  return uuidOf(value, 7);
}

/** Replaces every random source of this Node process, for modules that are loaded later. They are seeded after `seedRandom`. */
export function replaceRandom(): void {
  const fill = <T extends ArrayBufferView>(view: T): T => {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).forEach((_, at, all) => (all[at] = byte()));
    return view;
  };
  const seeded = {
    randomUUID: () => uuidOf(bytes(16), 4),
    randomUUIDv7: uuidV7,
    randomBytes: bytes,
    randomInt: (from: number, below?: number) =>
      below === undefined ? random.int(from) : from + random.int(below - from),
    randomFillSync: fill,
  };
  const isOn = (): boolean => isSeeded;
  replaceMembers(crypto, seeded, isOn);
  replaceMembers(globalThis.crypto, { randomUUID: seeded.randomUUID, getRandomValues: fill }, isOn);
  replaceMembers(Math, { random: () => random.int(2 ** 30) / 2 ** 30 }, isOn);
  syncBuiltinESMExports();
}

export function seedRandom(seed: number): void {
  isSeeded = true;
  random = createRandom(seed, 99);
  number = 0;
}

type Any = (...args: never[]) => unknown;

/** Replaces members of a module. The new ones take effect while `isOn`. */
export function replaceMembers(module: object, members: Readonly<Record<string, Any>>, isOn: () => boolean): void {
  for (const [name, member] of Object.entries(members)) {
    const real = (module as Record<string, Any>)[name];
    if (real === undefined) throw new TypeError(`no ${name} to replace`);
    const value = function (this: unknown, ...args: never[]): unknown {
      return isOn() ? member(...args) : real.apply(this ?? module, args);
    };
    Object.defineProperties(value, Object.getOwnPropertyDescriptors(real));
    Object.defineProperty(module, name, { value, configurable: true, writable: true });
  }
}
