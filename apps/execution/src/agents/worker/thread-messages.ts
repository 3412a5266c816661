import type { AgentAnswer, AgentTaskInput } from "../agent.ts";
import type { SentError } from "./sent-error.ts";

/** What a thread is started with: a module, and its function that makes the agent. */
export interface ThreadSettings {
  readonly module: string;
  readonly factory: string;
  /** What the function is called with, if with anything. */
  readonly options?: unknown;
}

/** What a thread is told. `run` numbers the runs, `read` the files that a run asked for. */
export type ToThread =
  /** `aheadMs`: how far the zone's clock is ahead of this machine's. */
  | { type: "run"; run: number; input: AgentTaskInput; aheadMs: number }
  | { type: "abort"; run: number; reason: SentError }
  | { type: "file"; run: number; read: number; bytes: Uint8Array }
  | { type: "file_failed"; run: number; read: number; error: SentError }
  /** Asks for the same word back: it comes as soon as nothing is computed. */
  | { type: "free" };

/** What a thread tells. Each run ends with one `answer` or one `failure`. */
export type FromThread =
  | { type: "answer"; run: number; answer: AgentAnswer }
  | { type: "failure"; run: number; error: SentError }
  | { type: "read"; run: number; read: number; id: string }
  | { type: "free" };
