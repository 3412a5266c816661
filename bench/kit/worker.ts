import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Call, Reply } from "./commands.ts";
import { nodeCommand, type Side } from "./machine.ts";

/** A process of the benchmark. */
export interface Worker {
  /** Runs a command there. Rejects with what it threw, when the process ends, and after `timeoutMs`. */
  call<T = void>(command: string, argument?: unknown, timeoutMs?: number): Promise<T>;
  /** Ends the process. */
  stop(): Promise<void>;
  /** Kills it, as a crash does. */
  kill(): Promise<void>;
}

export interface WorkerPlan {
  readonly args?: readonly string[];
  /** Binds the process to the core of that side. */
  readonly side?: Side | undefined;
  /** Folder for its CPU profile. */
  readonly cpuProf?: string | undefined;
  readonly nodeOptions?: readonly string[];
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a module of the benchmarks, named by its path below `bench`, as a process. */
export function spawnWorker(module: string, plan: WorkerPlan = {}): Worker {
  const { args: moduleArgs = [], side, cpuProf, nodeOptions = [] } = plan;
  const profile = cpuProf === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${cpuProf}`];
  const node = ["--conditions=@crosszone/source", ...nodeOptions, ...profile];
  const path = resolve(import.meta.dirname, "..", module);
  const { executable, args } = nodeCommand(side, [...node, path, ...moduleArgs]);
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
