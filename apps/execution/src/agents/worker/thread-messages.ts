import type { AgentAnswer, AgentTaskInput } from "../agent.ts";
import type { SentError } from "./sent-error.ts";

/** The settings of a thread: a module, and its function that creates the agent. */
export interface ThreadSettings {
  readonly module: string;
  readonly factory: string;
  /** The function's argument, if any. */
  readonly options?: unknown;
}

/** Messages to a thread. `run` numbers the runs, `read` the files that a run requested. */
export type ToThread =
  /** `aheadMs`: how far the zone's clock is ahead of this machine's, milliseconds. */
  | { type: "run"; run: number; input: AgentTaskInput; aheadMs: number }
  | { type: "abort"; run: number; reason: SentError }
  | { type: "file"; run: number; read: number; bytes: Uint8Array }
  | { type: "file_failed"; run: number; read: number; error: SentError }
  /** Requests a `free` in return, which comes as soon as the thread isn't computing. */
  | { type: "free" };

/** Messages from a thread. Each run ends with one `answer` or one `failure`. */
export type FromThread =
  | { type: "answer"; run: number; answer: AgentAnswer }
  | { type: "failure"; run: number; error: SentError }
  | { type: "read"; run: number; read: number; id: string }
  | { type: "free" };
