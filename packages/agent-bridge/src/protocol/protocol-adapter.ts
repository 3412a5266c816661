import type { AgentProtocolConfig, AgentTask } from "@crosszone/contracts";
import type { AgentFailure, ProtocolTranslationError } from "./agent-failure.ts";

/** An HTTP response, whatever its status. */
export interface AgentReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** An agent's result, the same for every protocol. `output` is null and `error` is set exactly when the task failed. */
export type NormalizedResult =
  | { readonly task_id: string; readonly status: "success"; readonly output: unknown; readonly error: null }
  | { readonly task_id: string; readonly status: "error"; readonly output: null; readonly error: AgentFailure };

/** The meaning of a reply: the task has ended, or the agent is working and is polled by its own id of the task. */
export type Reading = (
  | { readonly state: "ended"; readonly result: NormalizedResult }
  | {
      readonly state: "working";
      readonly remoteId: string;
      /** The agent's progress, in its own words. */
      readonly progress?: string;
    }
) & {
  /** Read from a stream: artifacts and messages so far, as artifacts of A2A 0.3. Later events change the same items. */
  readonly artifacts?: readonly unknown[];
  /** Read from a stream: the result is the answer only if no other event follows. */
  readonly isOpen?: boolean;
  /** Harmless deviations from the protocol, one sentence each. */
  readonly warnings: readonly string[];
  /** Identifies the question that the task waits with, when the agent gives it an id or a time. */
  readonly questionId?: string;
  /** Set when the task succeeded, but its output wasn't recognized, so that the output is the whole result. */
  readonly extractionError?: ProtocolTranslationError;
};

/** Translates between Crosszone and one agent protocol. Pure: no clock and no I/O. */
export interface ProtocolAdapter {
  readonly protocol: string;
  /** Headers of each request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** False when a request of this protocol has no place for files. */
  readonly takesFiles?: false;
  /** Returns the body of the first request, JSON. The same task gives the same bytes, so that it can be retried. */
  readonly toRequest: (task: AgentTask) => unknown;
  /** Reads a reply to `toRequest` or `toPoll`. Throws a `ProtocolTranslationError` when it breaks the protocol's envelope. */
  readonly fromResponse: (reply: AgentReply, task: AgentTask) => Reading;
  /** Returns the body of a request that starts a task and streams its events; absent when the protocol has no such request. */
  readonly toStream?: (task: AgentTask) => unknown;
  /** Returns the body of a request that streams a running task's later events; absent when the protocol has no such request. */
  readonly toSubscribe?: (task: AgentTask, remoteId: string) => unknown;
  /** Returns a function that reads the events of one stream, each like a reply. Each reading covers the task so far. */
  readonly createEventReader?: (task: AgentTask) => (event: AgentReply) => Reading;
  /** Returns the body of a request that polls a task; absent when the protocol has none. */
  readonly toPoll?: (task: AgentTask, remoteId: string) => unknown;
  /** Returns the body of a request that cancels a task; absent when the protocol has none. */
  readonly toCancel?: (task: AgentTask, remoteId: string) => unknown;
}

/** Creates the adapter for one agent. Throws an `AgentFailure` for an invalid configuration. */
export type CreateAdapter = (config: AgentProtocolConfig) => ProtocolAdapter;

/** The reading of a succeeded task. */
export function success(task_id: string, output: unknown, warnings: readonly string[] = []): Reading {
  return { state: "ended", result: { task_id, status: "success", output, error: null }, warnings };
}

/** The reading of a failed task. */
export function failure(task_id: string, error: AgentFailure, warnings: readonly string[] = []): Reading {
  return { state: "ended", result: { task_id, status: "error", output: null, error }, warnings };
}
