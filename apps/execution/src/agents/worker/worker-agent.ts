import { ZoneError } from "@crosszone/contracts";
import { startThread } from "@crosszone/service-kit";
import type { Agent } from "../agent.ts";
import type { ThreadSettings } from "./thread-messages.ts";
import { createThreadPool } from "./thread-pool.ts";

export interface WorkerAgentOptions {
  /** The module that each thread makes the agent from, and its function that does. */
  readonly module: URL;
  readonly factory: string;
  /** What the function is called with, if with anything; sent to each thread. */
  readonly options?: unknown;
  /** How many threads there are at most, from 1. One is started at once, the others when they are needed. */
  readonly threads: number;
  /** How long a run may take to stop, milliseconds; after that its thread is ended. Default 1,000. */
  readonly patienceMs?: number;
  /** Told why a thread ended while it was needed. */
  readonly onThreadEnded: (cause: Error) => void;
}

export interface WorkerAgent extends Agent {
  /** Ends the threads. */
  close(): Promise<void>;
}

/**
 * An agent that does its work on threads of its own, so that the main one goes on answering while it computes. It says of itself
 * what `agent` says; the threads each make their own. A cancel or a deadline ends its thread when nothing else stops it.
 */
export function createWorkerAgent(agent: Agent, options: WorkerAgentOptions): WorkerAgent {
  const { module, factory, options: made, threads, patienceMs = 1_000, onThreadEnded } = options;
  const workerData: ThreadSettings = { module: module.href, factory, options: made };
  const { name, description, skills, repeatable } = agent;
  const pool = createThreadPool({
    startWorker: () => startThread(import.meta.url, "./agent-thread", { workerData }),
    most: threads,
    patienceMs,
    onEnded: onThreadEnded,
    failure: (cause) => new ZoneError("agent_failed", { agent: name }, { cause }),
  });
  return {
    name,
    description,
    skills,
    ...(repeatable !== undefined && { repeatable }),
    run: (input, context) => pool.run(input, context),
    close: () => pool.close(),
  };
}
