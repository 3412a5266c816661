import type { MessageHeaders } from "@crosszone/bus";
import type { AgentResult } from "@crosszone/contracts";
import type { CallIds, CallState, HeldCall, NewCall, TakenCall } from "./agent-call.ts";

/** How many calls of an agent are to be taken at most. */
export interface CallShare {
  readonly agent: string;
  readonly most: number;
}

export interface TakeOptions {
  /** What runs here already: it is not taken again. Undefined: nothing that this process has had is. */
  readonly running: readonly string[] | undefined;
  /** Leaves those alone that a process held and did not renew in time. */
  readonly onlyNobodys: boolean;
}

/** A call that is no longer this process's. */
export interface LostCall {
  readonly id: string;
  /** How it stands; `open` when another process has it, nothing when it was forgotten. */
  readonly state: CallState | undefined;
}

/** How a call ends. */
export interface CallResult {
  readonly state: Exclude<CallState, "open">;
  readonly result: AgentResult;
  readonly headers: MessageHeaders;
}

/** What a call was whose end was decided without working on it. */
export interface SettledCall {
  /** Empty when the task itself never came. */
  readonly agentName: string;
  /** Since it was stored, milliseconds. */
  readonly durationMs: number;
}

export interface CallReadings {
  /** Calls that have not ended. */
  readonly open: number;
  /** Those of them that no process works on. */
  readonly waiting: number;
  /** Since when the oldest of these waits, milliseconds; 0 without any. */
  readonly oldestWaitingMs: number;
}

/** What an agent says it is doing. */
export interface AgentCallProgress {
  /** Grows with each change. */
  readonly revision: number;
  /** In the agent's own words, one line, at most 500 characters. */
  readonly text: string;
}

/**
 * Keeps the tasks that came from the bus until they have ended, and for a while after. An end and its `AgentResult` on the bus are one
 * change: both, or neither. Rejects with the database's error when that is away.
 */
export interface CallStore {
  /** How long a call is held that is not renewed, milliseconds. */
  readonly leaseMs: number;
  /** Keeps a call, as one that waits or is held; false when this run's task is there already. */
  readonly add: (call: NewCall) => Promise<boolean>;
  /** The agents with calls that may be taken, the longest waiting first. */
  readonly waitingAgents: (options: Pick<TakeOptions, "onlyNobodys">) => Promise<readonly string[]>;
  readonly take: (shares: readonly CallShare[], options: TakeOptions) => Promise<readonly TakenCall[]>;
  readonly renew: (held: readonly HeldCall[]) => Promise<void>;
  /** Those of them that are canceled, or another process's. */
  readonly lost: (held: readonly HeldCall[]) => Promise<readonly LostCall[]>;
  /** Lets others take them at once; this time does not count. */
  readonly handBack: (held: readonly HeldCall[]) => Promise<void>;
  /** Keeps the agent's own name of the task; false when the call is lost. */
  readonly keepRemoteId: (held: HeldCall, remoteId: string) => Promise<boolean>;
  /** Keeps what the agent says it is doing; nothing happens when the call is lost. */
  readonly keepProgress: (held: HeldCall, progress: AgentCallProgress) => Promise<void>;
  /** Ends a held call; false when it was lost, and then nothing is published. */
  readonly end: (held: HeldCall, end: CallResult) => Promise<boolean>;
  /** Cancels a call, whoever has it, also one that has not come yet; nothing when it has ended. */
  readonly cancel: (ids: CallIds, end: CallResult) => Promise<SettledCall | undefined>;
  /** Ends a task that cannot be stored as it came; nothing when this run's task is there already. */
  readonly refuse: (ids: CallIds, end: CallResult) => Promise<SettledCall | undefined>;
  /** Publishes the result of an ended call once more; false when it has not ended. */
  readonly repeatResult: (ids: CallIds) => Promise<boolean>;
  /** Deletes calls that ended long ago, `most` at the most; gives how many they were. */
  readonly forget: (most: number) => Promise<number>;
  readonly readings: () => Promise<CallReadings>;
}
