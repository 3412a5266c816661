import { inject } from "vitest";

/** Returns the CPU time that work takes on this thread, milliseconds: a busy machine makes it wait, and not work more. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns how many times as much CPU time work takes for four times the size: about four if it is linear, and sixteen if it is quadratic. */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  await work(size);
  const ofMs = async (of: number): Promise<number> => Math.max(5, await cpuMsOf(() => work(of)));
  const once = Math.min(await ofMs(size), await ofMs(size));
  return (await ofMs(4 * size)) / once;
}

/** Returns the cases that a file of the suite `both` tries: in the quick suite `quickly` of them, evenly spread, and all elsewhere. */
export function someOf<T>(cases: readonly T[], quickly: number): readonly T[] {
  if (inject("engines") !== "sqlite") return cases;
  const part = (at: number): number => Math.floor((at * quickly) / cases.length);
  return cases.filter((_case, at) => part(at) !== part(at + 1));
}

/** Returns how many of something a run does: few in a change that tries a share, and all at night. */
export const few = (some: number, all: number): number => (inject("engines") === "one" ? some : all);
