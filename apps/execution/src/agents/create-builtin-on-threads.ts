import { builtinModule, createBuiltinAgent, type BuiltinOptions } from "@crosszone/builtin-agent";
import type { Agent } from "./agent.ts";
import { createWorkerAgent } from "./worker/worker-agent.ts";

export interface BuiltinThreads extends BuiltinOptions {
  readonly onThreadEnded: (cause: Error) => void;
}

/** Runs the built-in agent on `threads` threads, or in the main thread when that is 0. `close` ends the threads. */
export function createBuiltinOnThreads(
  threads: number,
  { onThreadEnded, ...options }: BuiltinThreads,
): { readonly agent: Agent; readonly close: () => Promise<void> } {
  const agent = createBuiltinAgent(options);
  if (threads === 0) return { agent, close: async () => {} };
  const onThread = createWorkerAgent(agent, {
    module: builtinModule,
    factory: "createBuiltinAgent",
    options,
    threads,
    onThreadEnded,
  });
  return { agent: onThread, close: () => onThread.close() };
}
