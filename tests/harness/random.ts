/** Random choices that depend on a seed only. */
export type Random = ReturnType<typeof createRandom>;

/** Creates a Mulberry32 generator with 32 bits of state. Each pair of seed and number has its own sequence. */
export function createRandom(seed: number, number = 0) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  /** Returns a whole number from 0 to `below`, excluded. */
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    chance: (probability: number) => next() < probability,
    pick: <T>(items: readonly T[]) => items[int(items.length)] as T,
  };
}

/** The share of seeds, hostile bodies, SDKs and loads that a run tries: `TEST_SHARE`, by default all of them. */
export const share = Number(process.env["TEST_SHARE"] ?? 1);

/** Returns how many of `all` a run tries, at least `least`. */
export const shareOf = (all: number, least = 1): number => Math.max(least, Math.ceil(all * share));
