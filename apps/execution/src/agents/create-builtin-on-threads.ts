import { moduleBeside } from "@crosszone/service-kit";
import type { Agent } from "./agent.ts";
import { createBuiltinAgent } from "./builtin/builtin-agent.ts";
import { createWorkerAgent } from "./worker/worker-agent.ts";

/** The built-in agent on so many threads, or in the main one when there are none; `close` ends what it started. */
export function createBuiltinOnThreads(
  threads: number,
  onThreadEnded: (cause: Error) => void,
): { readonly agent: Agent; readonly close: () => Promise<void> } {
  const agent = createBuiltinAgent();
  if (threads === 0) return { agent, close: async () => {} };
  const module = moduleBeside(import.meta.url, "./builtin/builtin-agent");
  const onThread = createWorkerAgent(agent, { module, factory: "createBuiltinAgent", threads, onThreadEnded });
  return { agent: onThread, close: () => onThread.close() };
}
