import type { AgentProtocolConfig, AgentTask } from "@crosszone/contracts";
import type { AgentReply } from "../client/agent-client.ts";
import type { AgentFailure } from "../agent-failure.ts";
import type { ProtocolTranslationError } from "./protocol-translation-error.ts";

/** The result of an agent, the same for every protocol. `output` is null and `error` is there when it failed, and only then. */
export type NormalisedResult =
  | { readonly task_id: string; readonly status: "success"; readonly output: unknown; readonly error: null }
  | { readonly task_id: string; readonly status: "error"; readonly output: null; readonly error: AgentFailure };

/** What a reply says: the task has ended, or the agent works on it and is polled by its own id of the task. */
export type Reading = (
  | { readonly state: "ended"; readonly result: NormalisedResult }
  | {
      readonly state: "working";
      readonly remoteId: string;
      /** What the agent says it is doing, in its own words. */
      readonly progress?: string;
      /** Read from a stream: the task's artifacts so far, in the shape of A2A 0.3. Later events change the same array and its items. */
      readonly artifacts?: readonly unknown[];
    }
) & {
  /** What was not as the protocol says and did no harm, a sentence each. */
  readonly warnings: readonly string[];
  /** Identifies the question that the task waits with, when the agent gives it an id or a time. */
  readonly questionId?: string;
  /** The task succeeded, its output could not be told from the rest, and so the output is the whole result. */
  readonly extractionError?: ProtocolTranslationError;
};

/** Speaks one protocol with agents. Pure: takes no time, reads no clock, does no I/O. */
export interface ProtocolAdapter {
  readonly protocol: string;
  /** Headers of each request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the first request, JSON. The same task gives the same bytes, so that it may be sent again. */
  readonly toRequest: (task: AgentTask) => unknown;
  /** Reads a reply to `toRequest` or `toPoll`. Throws a `ProtocolTranslationError` when it breaks the protocol's envelope. */
  readonly fromResponse: (reply: AgentReply, task: AgentTask) => Reading;
  /** Returns the body of a request that starts a task and streams its events; absent when the protocol has no such request. */
  readonly toStream?: (task: AgentTask) => unknown;
  /** Returns the body of a request that streams a running task's later events; absent when the protocol has no such request. */
  readonly toSubscribe?: (task: AgentTask, remoteId: string) => unknown;
  /** Returns a function that reads the events of one stream, each like a reply. Each reading covers the task so far. */
  readonly createEventReader?: (task: AgentTask) => (event: AgentReply) => Reading;
  /** The body that asks how a task stands; absent when the protocol has none. */
  readonly toPoll?: (task: AgentTask, remoteId: string) => unknown;
  /** The body that asks the agent to stop; absent when the protocol has none. */
  readonly toCancel?: (task: AgentTask, remoteId: string) => unknown;
}

/** Makes the adapter of a protocol for one agent; throws an `AgentFailure` when it does not take the configuration. */
export type CreateAdapter = (config: AgentProtocolConfig) => ProtocolAdapter;
