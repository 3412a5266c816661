// @module-tag judge
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { createRandom, share } from "../harness/random.ts";
import { costOf, send } from "../hostile/doors/cpu-meter.ts";
import type { Door, Sendable } from "../hostile/doors/door.ts";
import { doorsOf } from "../hostile/doors/doors.ts";
import type { Growth } from "../hostile/doors/growths.ts";
import { openDoors } from "../hostile/doors/open-doors.ts";

const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 1_000_000);
/** By hand: only doors and growths that match. */
const only = new RegExp(process.env["DOORS"] ?? "");

/** The most CPU time of the main thread until an answer, milliseconds; what does no harm at the largest size; what is noise when it doubles. */
const [mostMs, cheapMs, floorMs] = [300, 60, 12];
/** Twice the input may take twice the time, and a bit for the garbage. */
const mostRatio = 2.6;
/** Bodies that doors may take, bytes. */
const bodies = [1_048_576, 1_000_000, 65_536, 32_768, 16_384];

/** Returns the longest body that a door takes. */
async function longestOf({ plain }: Door): Promise<number> {
  if (plain().body === undefined) return 0;
  for (const length of bodies) if ((await send(plain(length))) !== 413) return length;
  return 8_192;
}

/** The parts of the largest size that are tried, in an order in which what never ends shows early. */
const parts = [0, 1 / 16, 1 / 4, 1 / 2, 1];
const sizeAt = (most: number, part: number): number => Math.min(most, Math.max(32, Math.floor(most * part)));

/** Returns whether inputs, all together, cost little when they are as large as they can be. */
async function areCheap(pid: number, growths: readonly Growth<Sendable>[]): Promise<boolean> {
  const costAt = async (part: number) =>
    (await costOf(pid, ...growths.map(({ most, at }) => at(sizeAt(most, part))))).all;
  const least = await costAt(0);
  return least < mostMs && (await costAt(1 / 16)) < least + cheapMs && (await costAt(1)) < least + cheapMs;
}

/** Returns what is wrong when an input grows; undefined for nothing. */
async function wrongWith(pid: number, { most, at }: Growth<Sendable>): Promise<string | undefined> {
  const sizes = [...new Set(parts.map((part) => sizeAt(most, part)))];
  const costs: { answered: number; all: number }[] = [];
  for (const size of sizes) if ((costs.at(-1)?.answered ?? 0) < mostMs) costs.push(await costOf(pid, at(size)));
  const judged = (): string | undefined => {
    const isTooSteep = ({ all }: { all: number }, index: number): boolean => {
      const less = costs[index - 1]?.all ?? 0;
      return less > floorMs && (sizes[index] ?? 0) <= 2.1 * (sizes[index - 1] ?? 0) && all / less > mostRatio;
    };
    if (costs.every(({ answered }) => answered <= mostMs) && !costs.some(isTooSteep)) return undefined;
    return costs
      .map(({ answered, all }, index) => `${sizes[index]}: ${Math.round(answered)}/${Math.round(all)} ms`)
      .join(", ");
  };
  // The least of several times is that without the work of others.
  for (let round = 0; round < 3 && judged() !== undefined; round += 1)
    for (const [index, before] of costs.entries()) {
      const { answered, all } = await costOf(pid, at(sizes[index] ?? 0));
      costs[index] = { answered: Math.min(before.answered, answered), all: Math.min(before.all, all) };
    }
  return judged();
}

/** Inputs are tried in groups first: most cost little, and a zone that rests is what takes time. */
function groupsOf(growths: Iterable<Growth<Sendable>>): Growth<Sendable>[][] {
  const all = [...growths];
  const parted = (some: Growth<Sendable>[], size: number) =>
    Array.from({ length: Math.ceil(some.length / size) }, (_, n) => some.slice(n * size, (n + 1) * size));
  const isShort = ({ most }: Growth<Sendable>): boolean => most < 100_000;
  return [
    ...parted(all.filter(isShort), 60),
    ...parted(
      all.filter((one) => !isShort(one)),
      12,
    ),
  ];
}

/** Each change tries some of the inputs, on one engine: readers of inputs are the same on both. */
const chance = share ** 1.5;

onBothEngines("what a caller sends", (newDatabase) => {
  test(
    "X1: doubled, it takes at most twice the CPU time, in every member, at every door",
    { timeout: 3_600_000 },
    async () => {
      const databases = [await newDatabase(), await newDatabase()] as const;
      // What a request begins is done, or waits for people, when the next is measured.
      const constants = { SYNC_WINDOW_MS: 0, MAX_WAIT_MS: 100, MAX_REQUEST_BURST: 1_000_000 };
      const { pids, zones } = await openDoors({ databases, tokens: 50, constants });
      const [found, shut]: [string[], string[]] = [[], []];
      const random = createRandom(seed);
      let [tried, singles] = [0, 0];
      for (const door of doorsOf(zones).filter(({ name }) => only.test(name))) {
        const pid = pids[door.zone];
        const groups = groupsOf(door.growths(await longestOf(door))).filter(() => random.chance(chance));
        if (groups.length === 0) continue;
        const status = await send(door.plain());
        if ([0, 415, 429, 500].includes(status)) shut.push(`${door.name}: ${status}`);
        for (const group of groups) {
          tried += group.length;
          if (await areCheap(pid, group)) continue;
          for (const growth of group) {
            singles += 1;
            const wrong = await wrongWith(pid, growth);
            if (wrong === undefined) continue;
            found.push(`${door.name}, ${growth.name}: ${wrong}`);
            console.log(found.at(-1));
          }
        }
      }
      console.log({ seed, tried, singles });
      expect({ seed, shut, found }).toEqual({ seed, shut: [], found: [] });
    },
  );
});
