import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nodeCommand, type Side } from "./pinning.ts";
import type { Answer, Question } from "./serve-commands.ts";

/** A process of the benchmark. */
export interface Worker {
  /** Has a command run there. Rejects with what it threw, when the process ends, and after `timeoutMs`. */
  ask<T = void>(command: string, argument?: unknown, timeoutMs?: number): Promise<T>;
  /** Ends the process. */
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a module of the benchmark as a process, on the core of its side if it has one. `nodeOptions` come before the module. */
export function spawnWorker(
  module: string,
  moduleArgs: readonly string[],
  { side, nodeOptions = [] }: { side?: Side; nodeOptions?: readonly string[] } = {},
): Worker {
  const path = fileURLToPath(new URL(`../${module}`, import.meta.url));
  const { executable, args } = nodeCommand(side, [
    "--conditions=@crosszone/source",
    ...nodeOptions,
    path,
    ...moduleArgs,
  ]);
  const child = spawn(executable, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  running.add(child);
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let ended: Error | undefined;

  const end = (why: string): void => {
    running.delete(child);
    ended ??= new Error(`${[module, ...moduleArgs].join(" ")} ${why}`);
    for (const { reject } of waiting.values()) reject(ended);
  };
  child.once("error", ({ message }) => end(`could not run: ${message}`));
  child.once("exit", (code, signal) => end(`ended (${signal ?? code})`));
  child.on("message", (answer: Answer) => {
    const asker = waiting.get(answer.id);
    if ("error" in answer) asker?.reject(new Error(`${module}: ${answer.error}`));
    else asker?.resolve(answer.value);
  });

  return {
    ask: async <T>(command: string, argument?: unknown, timeoutMs = 20_000) => {
      if (ended) throw ended;
      const id = asked++;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const timer = setTimeout(() => reject(new Error(`${module} did not answer ${command} in time`)), timeoutMs);
      waiting.set(id, { resolve, reject });
      child.send({ id, command, argument } satisfies Question);
      try {
        return (await promise) as T;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    stop: async () => {
      if (ended) return;
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
    kill: async () => {
      if (ended) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}
