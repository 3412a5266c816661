import { inject } from "vitest";

/** Returns the CPU time that work takes on this thread, milliseconds: a busy machine makes it wait, and not work more. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the cases that a file of the suite `both` tries: in the quick suite `quickly` of them, evenly spread, and all elsewhere. */
export function someOf<T>(cases: readonly T[], quickly: number): readonly T[] {
  if (inject("engines") === "both") return cases;
  const part = (at: number): number => Math.floor((at * quickly) / cases.length);
  return cases.filter((_case, at) => part(at) !== part(at + 1));
}
