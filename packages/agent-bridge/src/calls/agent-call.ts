import type { MessageHeaders } from "@crosszone/bus";
import type { AgentTask } from "@crosszone/contracts";

/** `open` until it ends; waiting or worked on, that is what its lease says. */
export type CallState = "open" | "succeeded" | "failed" | "canceled";

/** What names a task on the bus. A run may have many tasks, and two runs may give theirs the same id. */
export type CallIds = Pick<AgentTask, "run_id" | "task_id">;

/** What a task is known by, whoever does it. */
export type TaskNames = Pick<AgentTask, "run_id" | "task_id" | "agent_name" | "correlation_id">;

/** A task that came from the bus. */
export interface NewCall {
  readonly task: AgentTask;
  readonly headers: MessageHeaders;
  /** How long it may take from now on, milliseconds. */
  readonly deadlineMs: number;
  /** Stored as taken by this process, for the first time; else it waits for whoever takes it. */
  readonly isHeld: boolean;
}

/** A call that this process holds: the store changes it for nobody else, and not after it was taken again. */
export interface HeldCall {
  readonly id: string;
  /** How often it was taken. */
  readonly attempt: number;
}

/** A call that was taken to be worked on. */
export interface TakenCall extends HeldCall {
  /** Its `input_data` is null when it cannot be read; `isReadable` tells. */
  readonly task: AgentTask;
  /** False when no key opens what was asked, so that nobody can be asked it. */
  readonly isReadable: boolean;
  readonly headers: MessageHeaders;
  /** The agent's own name of the task, when it had taken it. */
  readonly remoteId: string | undefined;
  /** Until its deadline, milliseconds; negative after it. */
  readonly remainingMs: number;
  /** Since it was stored, milliseconds. */
  readonly waitedMs: number;
}
