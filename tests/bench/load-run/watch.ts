import type { Worker } from "../process/spawn-worker.ts";

/** What a process takes at a moment. Bytes; CPU seconds since it started. */
export interface Usage {
  rss: number;
  heap: number;
  cpu: number;
}

/** Something whose usage can be read. */
export interface Watched {
  name: string;
  read: () => Promise<Usage>;
}

/** One reading of all processes. */
export type Reading = ReadonlyMap<string, Usage>;

export async function readAll(watched: readonly Watched[]): Promise<Reading> {
  return new Map(await Promise.all(watched.map(async ({ name, read }) => [name, await read()] as const)));
}

/** A zone, through its own metrics. */
export function watchZone(name: string, url: string): Watched {
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

/** The local Slack, by its worker's own word. */
export function watchWorker(name: string, worker: Worker): Watched {
  return { name, read: () => worker.ask<Usage>("usage") };
}

/** This process, which sends the load. */
export function watchSelf(name: string): Watched {
  return { name, read: async () => ownUsage() };
}

/** What the process takes that asks. */
export function ownUsage(): Usage {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { rss, heap: heapUsed, cpu: (user + system) / 1e6 };
}
