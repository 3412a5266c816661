import type { MessageHeaders } from "@crosszone/bus";
import type { AgentResult } from "@crosszone/contracts";
import type { ChosenWay } from "../canary/chosen-way.ts";
import type { CallIds, CallState, HeldCall, NewCall, TakenCall } from "./agent-call.ts";

/** The most calls of an agent to take. */
export interface CallShare {
  readonly agent: string;
  readonly most: number;
}

export interface TakeOptions {
  /** Calls that already run here, which are not taken again. Undefined: take no call that this process has had. */
  readonly running: readonly string[] | undefined;
  /** Skips calls whose lease another process let expire. */
  readonly onlyNobodys: boolean;
}

/** A call that no longer belongs to this process. */
export interface LostCall {
  readonly id: string;
  /** Its state; `open` when another process has it, undefined when it was deleted. */
  readonly state: CallState | undefined;
}

/** The end of a call. */
export interface CallResult {
  readonly state: Exclude<CallState, "open">;
  readonly result: AgentResult;
  readonly headers: MessageHeaders;
  /** From the start in this process to the end, milliseconds. */
  readonly tookMs?: number;
}

/** A call that ended without work on it. */
export interface SettledCall {
  /** Empty when the task itself never arrived. */
  readonly agentName: string;
  /** Time since it was stored, milliseconds. */
  readonly durationMs: number;
}

export interface CallReadings {
  /** Calls that have not ended. */
  readonly open: number;
  /** Those that no process works on. */
  readonly waiting: number;
  /** Age of the oldest of these, milliseconds; 0 without any. */
  readonly oldestWaitingMs: number;
}

/** An agent's progress. */
export interface AgentCallProgress {
  /** Grows with each change. */
  readonly revision: number;
  /** In the agent's own words: one line of at most 500 characters. */
  readonly text: string;
}

/**
 * Stores tasks from the bus until they have ended, and for a time after. An end and its `AgentResult` on the bus are
 * written atomically. Rejects with the database's error when it is unreachable.
 */
export interface CallStore {
  /** How long a lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /** Stores a call as waiting or leased. Returns false when this run's task exists. */
  readonly add: (call: NewCall) => Promise<boolean>;
  /** Returns the agents with calls that can be taken, longest waiting first. */
  readonly waitingAgents: (options: Pick<TakeOptions, "onlyNobodys">) => Promise<readonly string[]>;
  readonly take: (shares: readonly CallShare[], options: TakeOptions) => Promise<readonly TakenCall[]>;
  readonly renew: (held: readonly HeldCall[]) => Promise<void>;
  /** Returns those that are canceled or belong to another process. */
  readonly lost: (held: readonly HeldCall[]) => Promise<readonly LostCall[]>;
  /** Lets other processes take them at once; the attempt doesn't count. */
  readonly handBack: (held: readonly HeldCall[]) => Promise<void>;
  /** Stores the agent's own id of the task. Returns false when the call is lost. */
  readonly keepRemoteId: (held: HeldCall, remoteId: string) => Promise<boolean>;
  /** Stores the agent's progress. Does nothing when the call is lost. */
  readonly keepProgress: (held: HeldCall, progress: AgentCallProgress) => Promise<void>;
  /** Stores the ways on which calls are sent. Leaves out calls that are lost. */
  readonly keepWays: (calls: readonly { readonly held: HeldCall; readonly way: ChosenWay }[]) => Promise<void>;
  /** Ends a leased call. Returns false when it was lost; then nothing is published. */
  readonly end: (held: HeldCall, end: CallResult) => Promise<boolean>;
  /** Cancels a call in any process, even before it arrives. Returns undefined when it has ended. */
  readonly cancel: (ids: CallIds, end: CallResult) => Promise<SettledCall | undefined>;
  /** Ends a task that can't be stored as it is. Returns undefined when this run's task exists. */
  readonly refuse: (ids: CallIds, end: CallResult) => Promise<SettledCall | undefined>;
  /** Publishes the result of an ended call again. Returns false when it has not ended. */
  readonly repeatResult: (ids: CallIds) => Promise<boolean>;
  /** Deletes calls that ended long ago, `most` at most. Returns how many. */
  readonly forget: (most: number) => Promise<number>;
  readonly readings: () => Promise<CallReadings>;
}
