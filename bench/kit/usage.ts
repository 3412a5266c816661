import type { Worker } from "./worker.ts";

/** What a process uses at a moment. Bytes; CPU seconds since it started. */
export interface Usage {
  readonly rss: number;
  readonly heap: number;
  readonly cpu: number;
}

/** A process whose usage can be read. */
export interface UsageSource {
  readonly name: string;
  readonly read: () => Promise<Usage>;
}

/** One reading of all processes, by their names. */
export type Reading = ReadonlyMap<string, Usage>;

export async function readAll(sources: readonly UsageSource[]): Promise<Reading> {
  return new Map(await Promise.all(sources.map(async ({ name, read }) => [name, await read()] as const)));
}

/** The usage of a zone, by its metrics. */
export function usageOfZone(name: string, url: string): UsageSource {
  return {
    name,
    read: async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const value = (metric: string): number => Number(new RegExp(`^${metric} (\\S+)`, "m").exec(text)?.[1]);
      return {
        rss: value("process_resident_memory_bytes"),
        heap: value("nodejs_heap_size_used_bytes"),
        cpu: value("process_cpu_seconds_total"),
      };
    },
  };
}

/** The usage of a worker that has the command `usage`. */
export const usageOfWorker = (name: string, worker: Worker): UsageSource => ({
  name,
  read: () => worker.call<Usage>("usage"),
});

/** The usage of this process. */
export function ownUsage(): Usage {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { rss, heap: heapUsed, cpu: (user + system) / 1e6 };
}
