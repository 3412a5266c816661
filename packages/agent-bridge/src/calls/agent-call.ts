import type { MessageHeaders } from "@crosszone/bus";
import type { AgentTask } from "@crosszone/contracts";
import type { ChosenWay } from "../canary/chosen-way.ts";

/** `open` until it ends. The lease says whether it waits or runs. */
export type CallState = "open" | "succeeded" | "failed" | "canceled";

/** Identifies a task on the bus. A run can have many tasks, and tasks of different runs can share an id. */
export type CallIds = Pick<AgentTask, "run_id" | "task_id">;

/** The ids and agent of a task. */
export type TaskNames = Pick<AgentTask, "run_id" | "task_id" | "agent_name" | "correlation_id">;

/** A task from the bus. */
export interface NewCall {
  readonly task: AgentTask;
  readonly headers: MessageHeaders;
  /** Time left, milliseconds. */
  readonly deadlineMs: number;
  /** True: stored as taken by this process, for the first time. False: it waits to be taken. */
  readonly isHeld: boolean;
  /** How it is sent, when it is held. */
  readonly way?: ChosenWay | undefined;
}

/** A call that this process has leased. The store rejects changes by others, and after another take. */
export interface HeldCall {
  readonly id: string;
  /** How often it was taken. */
  readonly attempt: number;
}

/** A call taken for work. */
export interface TakenCall extends HeldCall {
  /** Its `input_data` is null when it can't be read; see `isReadable`. */
  readonly task: AgentTask;
  /** False when its key is missing, so that no agent can be called. */
  readonly isReadable: boolean;
  readonly headers: MessageHeaders;
  /** The agent's own id of the task, when it has accepted it. */
  readonly remoteId: string | undefined;
  /** How it is sent; undefined when it was never taken before. */
  readonly way: ChosenWay | undefined;
  /** Time until its deadline, milliseconds; negative after it. */
  readonly remainingMs: number;
  /** Time since it was stored, milliseconds. */
  readonly waitedMs: number;
}
