import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Call, Reply } from "./commands.ts";

/** What the figures depend on, other than the code. */
export const describeMachine = () => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: availableParallelism(),
  /** Whether server and load each had their own core. */
  pinned,
  /** Processes that wanted to run, on average over the last minute before the start. */
  loadBefore: loadavg()[0] ?? Number.NaN,
});

/** The role of a process. Each side of a connection has its own core. */
export type Side = "server" | "load";

const cores: Record<Side, number> = { load: 0, server: 1 };

/** Whether processes can be bound to cores here: two cores, and the `taskset` of util-linux. */
const pinned: boolean =
  availableParallelism() >= 2 && spawnSync("taskset", ["-c", String(cores.server), "true"]).status === 0;

/** The command that runs Node with these arguments, bound to the core of its side where that is possible. */
function nodeCommand(side: Side | undefined, args: readonly string[]): { executable: string; args: string[] } {
  if (!pinned || side === undefined) return { executable: process.execPath, args: [...args] };
  return { executable: "taskset", args: ["-c", String(cores[side]), process.execPath, ...args] };
}

/** A process of the benchmark. */
export interface Worker {
  /** Runs a command there. Rejects with what it threw, when the process ends, and after `timeoutMs`. */
  call<T = void>(command: string, argument?: unknown, timeoutMs?: number): Promise<T>;
  /** Ends the process. */
  stop(): Promise<void>;
  /** Kills it, as a crash does. */
  kill(): Promise<void>;
}

interface WorkerPlan {
  readonly args?: readonly string[];
  /** Binds the process to the core of that side. */
  readonly side?: Side;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a module of the benchmarks, named by its path below `bench`, as a process. */
export function spawnWorker(module: string, plan: WorkerPlan = {}): Worker {
  const { args: moduleArgs = [], side } = plan;
  const path = resolve(import.meta.dirname, "..", module);
  const { executable, args } = nodeCommand(side, ["--conditions=@crosszone/source", path, ...moduleArgs]);
  const child = spawn(executable, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  running.add(child);
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;
  let ended: Error | undefined;

  const end = (why: string): void => {
    running.delete(child);
    ended ??= new Error(`${[module, ...moduleArgs].join(" ")} ${why}`);
    for (const { reject } of waiting.values()) reject(ended);
  };
  child.once("error", ({ message }) => end(`could not run: ${message}`));
  child.once("exit", (code, signal) => end(`ended (${signal ?? code})`));
  child.on("message", (reply: Reply) => {
    const call = waiting.get(reply.id);
    if ("error" in reply) call?.reject(new Error(`${module}: ${reply.error}`));
    else call?.resolve(reply.value);
  });
  const endBy = async (leave: () => void): Promise<void> => {
    if (ended) return;
    const exit = once(child, "exit");
    leave();
    await exit;
  };

  return {
    call: async <T>(command: string, argument?: unknown, timeoutMs = 20_000) => {
      if (ended) throw ended;
      const id = calls++;
      const { promise, ...answer } = Promise.withResolvers<unknown>();
      const timer = setTimeout(() => answer.reject(new Error(`${module}: ${command} timed out`)), timeoutMs);
      waiting.set(id, answer);
      child.send({ id, command, argument } satisfies Call);
      try {
        return (await promise) as T;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    stop: () => endBy(() => child.disconnect()),
    kill: () => endBy(() => child.kill("SIGKILL")),
  };
}

/** Does some work with workers that it starts, and stops them afterwards. */
export async function withWorkers<T>(work: (start: typeof spawnWorker) => Promise<T>): Promise<T> {
  const workers: Worker[] = [];
  const start: typeof spawnWorker = (...args) => {
    const worker = spawnWorker(...args);
    workers.push(worker);
    return worker;
  };
  try {
    return await work(start);
  } finally {
    for (const worker of workers) await worker.stop();
  }
}

/** Polls until a value is defined, and returns it. Throws after half a minute. */
export async function waitUntil<T>(what: string, poll: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const found = await poll();
    if (found !== undefined) return found;
    await wait(50);
  }
  throw new Error(`timed out before ${what}`);
}
