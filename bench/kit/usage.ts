import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Worker } from "./worker.ts";

/** What a process uses at a moment. Bytes; CPU seconds since it started; milliseconds. */
export interface Usage {
  readonly rss: number;
  readonly heap: number;
  readonly cpu: number;
  /** CPU seconds of its main thread; not known of other processes outside Linux. */
  readonly thread: number;
  /** How late the latest of its timers was since the reading before: about its event loop's longest turn. */
  readonly lag: number;
}

/** Time between two timers that are watched for their delay, milliseconds. */
const timerMs = 10;

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
export function usageOfZone(name: string, { url, pid }: { readonly url: string; readonly pid: number }): UsageSource {
  return {
    name,
    read: async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const value = (metric: string): number => Number(new RegExp(`^${metric} (\\S+)`, "m").exec(text)?.[1]);
      return {
        rss: value("process_resident_memory_bytes"),
        heap: value("nodejs_heap_size_used_bytes"),
        cpu: value("process_cpu_seconds_total"),
        thread: threadSeconds(pid),
        // Begins anew with each reading, and counts the time between two timers.
        lag: Math.max(0, value("nodejs_eventloop_lag_max_seconds") * 1_000 - timerMs),
      };
    },
  };
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: after the name in parentheses, user and system time in hundredths of a second. */
function threadSeconds(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The usage of a worker that has the command `usage`. */
export const usageOfWorker = (name: string, worker: Worker): UsageSource => ({
  name,
  read: () => worker.call<Usage>("usage"),
});

const delays = monitorEventLoopDelay({ resolution: timerMs });
delays.enable();

/** The usage of this process. */
export function ownUsage(): Usage {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const thread = process.threadCpuUsage();
  const lag = Math.max(0, delays.max / 1e6 - timerMs);
  delays.reset();
  return { rss, heap: heapUsed, cpu: (user + system) / 1e6, thread: (thread.user + thread.system) / 1e6, lag };
}

/** A time in ms of a run whose own timers came later than this, milliseconds, may be the machine's. */
export const mostLagMs = 20;

/** What became of the connections that a server had not accepted yet. */
export interface AcceptFigures {
  /** The most that waited at once. */
  readonly longest: number;
  /** Connections that found the queue full, of all servers of the machine. */
  readonly overflows: number;
}

const lookEveryMs = 20;
/** Linux lists sockets that listen before all others. */
const listBytes = 8_192;

/** Watches the queue of a server's port on IPv4 until it is stopped. Stopping returns undefined on a system other than Linux. */
export function watchAcceptQueue(port: number): () => AcceptFigures | undefined {
  if (process.platform !== "linux") return () => undefined;
  const list = openSync("/proc/net/tcp", "r");
  const bytes = Buffer.alloc(listBytes);
  const before = listenOverflows();
  let longest = 0;
  const look = (): void => {
    const size = readSync(list, bytes, 0, listBytes, 0);
    longest = Math.max(longest, waitingAt(port, bytes.toString("latin1", 0, size)));
  };
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    closeSync(list);
    return { longest, overflows: listenOverflows() - before };
  };
}

/** https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html: the receive queue of a socket that listens counts connections. */
function waitingAt(port: number, list: string): number {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const line of list.split("\n")) {
    const [, local, , state, queues] = line.trim().split(/\s+/);
    if (state === "0A" && local?.endsWith(end)) return Number.parseInt(queues?.split(":")[1] ?? "0", 16);
  }
  return 0;
}

/** The counter of the kernel: the first line of `TcpExt` has the names, the second the values. */
function listenOverflows(): number {
  const lines = readFileSync("/proc/net/netstat", "latin1").split("\n");
  const [names = [], values = []] = lines.filter((line) => line.startsWith("TcpExt:")).map((line) => line.split(" "));
  return Number(values[names.indexOf("ListenOverflows")] ?? 0);
}
