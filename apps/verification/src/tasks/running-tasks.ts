import { HandBackError } from "../inbox/endings.ts";
import type { StopTarget } from "../inbox/inbox.ts";
import type { SlackThread } from "../slack/slack-api.ts";

/** Why a task was ended from here: that is how it ended, and its person is told. */
export type EndReason = "stopped" | "deadline";

/** The reason with which a task that was ended aborts. */
export class TaskEnded extends Error {
  override readonly name = "TaskEnded";
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(`the task was ended: ${reason}`);
    this.reason = reason;
  }
}

export interface RunningTask {
  /** Aborts when nobody waits for the result any more: with a `TaskEnded`, or with the reason of `leave`. */
  readonly signal: AbortSignal;
  /** Aborts when this process has to leave the record as it is: its lease is lost, the process stops, or `abandon` says so. */
  readonly leave: AbortSignal;
  /** Ends this task. The first reason counts. */
  end(reason: EndReason): void;
  /** Leaves the record to the next attempt. */
  abandon(reason: unknown): void;
  /** The task is over. */
  release(): void;
}

/** The tasks that this process works on. */
export interface RunningTasks {
  /** From now on the task can be ended from elsewhere. `lease` aborts when somebody else has the record. */
  register(place: SlackThread & { readonly team_id: string }, lease: AbortSignal): RunningTask;
  stop(target: StopTarget): void;
  /** The process stops: whoever works on a record leaves it to the next process. */
  leaveAll(): void;
  /** Aborts with a `HandBackError` when the process stops. */
  readonly leaving: AbortSignal;
  readonly size: number;
}

/** Keeps the way to end each running task. */
export function createRunningTasks(): RunningTasks {
  const running = new Map<AbortController, SlackThread & { team_id: string }>();
  const leaving = new AbortController();
  return {
    register: (place, lease) => {
      const ended = new AbortController();
      const abandoned = new AbortController();
      const leave = AbortSignal.any([lease, leaving.signal, abandoned.signal]);
      running.set(ended, place);
      return {
        signal: AbortSignal.any([leave, ended.signal]),
        leave,
        end: (reason) => ended.abort(new TaskEnded(reason)),
        abandon: (reason) => abandoned.abort(reason),
        release: () => void running.delete(ended),
      };
    },
    stop: (target) => {
      for (const [ended, { team_id, channel, thread_ts }] of running) {
        const sameThread = target.thread_ts === undefined || target.thread_ts === thread_ts;
        if (team_id === target.team_id && channel === target.channel && sameThread)
          ended.abort(new TaskEnded("stopped"));
      }
    },
    leaveAll: () => leaving.abort(new HandBackError("the process is stopping")),
    leaving: leaving.signal,
    get size() {
      return running.size;
    },
  };
}
