import type { Clock } from "@crosszone/service-kit/timing";
import { ReleasedError } from "../../inbox/endings.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { StopTarget } from "../../inbox/records.ts";
import type { SlackThread } from "../../slack/slack-api.ts";

const everyMs = 1_000;

/**
 * Ends a task soon after its question is marked as stopped, by any process, until `over` aborts. Never rejects: a failed read is repeated a
 * second later.
 */
export async function watchStop(
  { inbox, clock }: { readonly inbox: Inbox; readonly clock: Clock },
  { requestId, task, over }: { readonly requestId: string; readonly task: RunningTask; readonly over: AbortSignal },
): Promise<void> {
  const until = AbortSignal.any([task.signal, over]);
  const pause = (): Promise<boolean> =>
    clock.sleep(everyMs, until).then(
      () => !until.aborted,
      () => false,
    );
  while (await pause()) if (await inbox.isStopped(requestId).catch(() => false)) task.end("stopped");
}

/** Why this zone ended a task. The answer tells the requester. */
export type EndReason = "stopped" | "deadline";

/** The abort reason of a task that this zone ended. */
export class TaskEnded extends Error {
  override readonly name = "TaskEnded";
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(`the task was ended: ${reason}`);
    this.reason = reason;
  }
}

export interface RunningTask {
  /** Aborts when nothing awaits the result any longer: with a `TaskEnded`, or with the reason of `leave`. */
  readonly signal: AbortSignal;
  /** Aborts when this process must leave the record unchanged: its lease is lost, the process stops, or `abandon` was called. */
  readonly leave: AbortSignal;
  /** The task's id in execution, once execution has accepted it. */
  taskId?: string;
  /** Ends this task. Only the first reason counts. */
  end(reason: EndReason): void;
  /** Leaves the record to the next attempt. */
  abandon(reason: unknown): void;
  /** Removes the task from the running tasks. */
  release(): void;
}

/** The tasks of this process. */
export interface RunningTasks {
  /** Registers a task, so that it can be ended from elsewhere. `lease` aborts when another process has the record. */
  register(place: SlackThread & { readonly team_id: string }, lease: AbortSignal): RunningTask;
  stop(target: StopTarget): void;
  /** Makes every task leave its record to the next process, because this process stops. */
  leaveAll(): void;
  /** Aborts with a `ReleasedError` when the process stops. */
  readonly leaving: AbortSignal;
  readonly size: number;
}

/** Makes an empty registry of running tasks. */
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
    leaveAll: () => leaving.abort(new ReleasedError("the process is stopping")),
    leaving: leaving.signal,
    get size() {
      return running.size;
    },
  };
}
