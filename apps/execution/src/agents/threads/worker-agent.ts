import { builtinModule, type BuiltinOptions, createBuiltinAgent } from "@crosszone/builtin-agent";
import { ZoneError } from "@crosszone/contracts";
import { startThread } from "@crosszone/service-kit";
import type { Agent } from "../agent.ts";
import type { ThreadSettings } from "./thread-messages.ts";
import { createThreadPool } from "./thread-pool.ts";

interface BuiltinThreads extends BuiltinOptions {
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

export interface WorkerAgentOptions {
  /** The module from which each thread creates the agent, and its function. */
  readonly module: URL;
  readonly factory: string;
  /** The function's argument, if any; sent to each thread. */
  readonly options?: unknown;
  /** The most threads, at least 1. One starts at once, the others when needed. */
  readonly threads: number;
  /** How long a run may take to stop, milliseconds, before its thread is terminated. Default 1,000. */
  readonly stopMs?: number;
  /** Receives the reason when a thread ends while needed. */
  readonly onThreadEnded: (cause: Error) => void;
}

export interface WorkerAgent extends Agent {
  /** Terminates the threads. */
  close(): Promise<void>;
}

/**
 * Creates an agent that works on its own threads, so that the main thread stays responsive. Its description is that of
 * `agent`; each thread creates its own instance. A cancel or a deadline terminates the thread if the run does not stop
 * otherwise.
 */
export function createWorkerAgent(agent: Agent, options: WorkerAgentOptions): WorkerAgent {
  const { module, factory, options: made, threads, stopMs = 1_000, onThreadEnded } = options;
  const workerData: ThreadSettings = { module: module.href, factory, options: made };
  const { name, description, skills, repeatable } = agent;
  const pool = createThreadPool({
    startWorker: () => startThread(import.meta.url, "./agent-thread", { workerData }),
    most: threads,
    stopMs,
    onEnded: onThreadEnded,
    failure: (cause) => new ZoneError("agent_failed", { agent: name }, { cause }),
  });
  return {
    name,
    description,
    skills,
    repeatable,
    run: (input, context) => pool.run(input, context),
    close: () => pool.close(),
  };
}
