import type { DropReason } from "@crosszone/jobs";
import type { NormalizedResult, AgentReply } from "../protocol/protocol-adapter.ts";
import type { AgentFailure, ProtocolTranslationError } from "../protocol/agent-failure.ts";
import type { CircuitChange } from "../limits/circuit-breakers.ts";

/** Identifies a task in logs and metrics. */
export interface AgentTaskIds {
  readonly run_id: string;
  readonly task_id: string;
  readonly agent_name: string;
  readonly correlation_id: string;
  readonly traceparent?: string;
}

/** Identifies an agent call: a task given to an agent, in the agent's protocol. */
export interface AgentCallIds extends AgentTaskIds {
  readonly protocol: string;
}

/** Requests to an agent: start a task, poll it, subscribe to its events, cancel it. */
export type AgentOperation = "send" | "poll" | "subscribe" | "cancel";

/** One request of a call. */
export interface AgentExchange {
  readonly operation: AgentOperation;
  /** Requests so far that started the task, including this one. */
  readonly attempt: number;
  readonly durationMs: number;
}

/** A task that failed in the bridge itself. */
export interface FailedEnd {
  readonly failure: AgentFailure;
  /** Number of calls to the agent; undefined when a running call was aborted. */
  readonly attempts: number | undefined;
  /** Milliseconds since the task was stored. */
  readonly durationMs: number;
}

/**
 * Receives events of the bridge, for logs, metrics and traces. `durationMs` is in milliseconds. Each failure is
 * reported once: `translationFailed` and `retried` report failures within a call, `callEnded` the final one.
 */
export interface BridgeObserver {
  /** A request was translated in `durationMs` and is about to be sent. */
  readonly requestTranslated: (call: AgentCallIds, exchange: AgentExchange & { readonly request: unknown }) => void;
  /** A reply was read in `durationMs`. `warnings` describe harmless oddities. */
  readonly responseTranslated: (
    call: AgentCallIds,
    exchange: AgentExchange & { readonly reply: AgentReply; readonly warnings: readonly string[] },
  ) => void;
  /** A task couldn't be translated, or a reply breaks the protocol. The error contains the data. */
  readonly translationFailed: (
    call: AgentCallIds,
    exchange: AgentExchange & { readonly error: ProtocolTranslationError },
  ) => void;
  /** An attempt failed, and the same request is retried after `pauseMs`. */
  readonly retried: (
    call: AgentCallIds,
    exchange: AgentExchange & { readonly failure: AgentFailure; readonly pauseMs: number },
  ) => void;
  /** A call ended: `result` has the output, or the failure after the last attempt. */
  readonly callEnded: (
    call: AgentCallIds,
    end: { readonly attempts: number; readonly durationMs: number; readonly result: NormalizedResult },
  ) => void;
  /** A call was aborted because its task was canceled or belongs to another process. The agent is asked to stop if possible. */
  readonly callAborted: (
    call: AgentCallIds,
    end: { readonly attempts: number; readonly durationMs: number; readonly reason: unknown },
  ) => void;
  /** The request to stop a task failed. The agent may continue, but its result is discarded. */
  readonly cancelFailed: (call: AgentCallIds, failure: AgentFailure) => void;
  readonly circuitChanged: (change: CircuitChange) => void;
  /** A task was stored. `isNew` is false when it existed; then it runs only once. */
  readonly taskStored: (task: AgentTaskIds, how: { readonly isNew: boolean }) => void;
  /** This process leased a task to run it. `attempt` above 1: the previous process crashed. `waitedMs` since it was stored. */
  readonly taskLeased: (task: AgentTaskIds, how: { readonly attempt: number; readonly waitedMs: number }) => void;
  /** A task's end is durable. `durationMs` since it was stored. */
  readonly taskEnded: (
    task: AgentTaskIds,
    end: { readonly state: AgentTaskEnd; readonly durationMs: number; readonly failure?: AgentFailure | undefined },
  ) => void;
  /**
   * A task failed without a call: unknown or disabled agent, missed deadline, unreadable input. `taskEnded` follows.
   */
  readonly taskRefused: (task: AgentTaskIds, end: FailedEnd) => void;
  /** The store rejects a task's result. A failure replaces it, and `taskEnded` follows when that is durable. */
  readonly resultRefused: (task: AgentTaskIds, end: FailedEnd) => void;
  /** This process stopped working on a task. */
  readonly taskDropped: (task: AgentTaskIds, reason: DropReason) => void;
  /** An operation of the task store failed and is retried. */
  readonly storeFailed: (operation: StoreOperation, cause: unknown) => void;
}

export const agentTaskEnds = ["succeeded", "failed", "canceled"] as const;

export type AgentTaskEnd = (typeof agentTaskEnds)[number];

export const storeOperations = ["take", "renew", "release", "end", "progress"] as const;

export type StoreOperation = (typeof storeOperations)[number];
