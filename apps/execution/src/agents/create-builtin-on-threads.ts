import { moduleBeside } from "@crosszone/service-kit";
import type { Agent } from "./agent.ts";
import { createBuiltinAgent, type BuiltinOptions } from "./builtin/builtin-agent.ts";
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
  const module = moduleBeside(import.meta.url, "./builtin/builtin-agent");
  const onThread = createWorkerAgent(agent, { module, factory: "createBuiltinAgent", options, threads, onThreadEnded });
  return { agent: onThread, close: () => onThread.close() };
}
