import type { StopTarget } from "../inbox/inbox.ts";
import type { SlackThread } from "../slack/slack-api.ts";

/** Why a task was ended from here. */
export type EndReason = "stopped" | "deadline" | "shutting_down";

/** The reason with which a task's signal aborts. */
export class TaskEnded extends Error {
  override readonly name = "TaskEnded";
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(`the task was ended: ${reason}`);
    this.reason = reason;
  }
}

export interface RunningTask {
  /** Aborts with a `TaskEnded`. */
  readonly signal: AbortSignal;
  /** Ends this task. The first reason counts. */
  end(reason: EndReason): void;
  /** The task is over. */
  release(): void;
}

/** The tasks that this process works on. */
export interface RunningTasks {
  /** From now on the task can be ended from elsewhere. After `endAll` it is ended at once. */
  register(place: SlackThread & { readonly team_id: string }): RunningTask;
  stop(target: StopTarget): void;
  endAll(): void;
  readonly size: number;
}

/** Keeps the way to end each running task. */
export function createRunningTasks(): RunningTasks {
  const running = new Map<AbortController, SlackThread & { team_id: string }>();
  let closed = false;
  return {
    register: (place) => {
      const controller = new AbortController();
      running.set(controller, place);
      const end = (reason: EndReason): void => controller.abort(new TaskEnded(reason));
      if (closed) end("shutting_down");
      return { signal: controller.signal, end, release: () => void running.delete(controller) };
    },
    stop: (target) => {
      for (const [controller, { team_id, channel, thread_ts }] of running) {
        const sameThread = target.thread_ts === undefined || target.thread_ts === thread_ts;
        if (team_id === target.team_id && channel === target.channel && sameThread)
          controller.abort(new TaskEnded("stopped"));
      }
    },
    endAll: () => {
      closed = true;
      for (const controller of running.keys()) controller.abort(new TaskEnded("shutting_down"));
    },
    get size() {
      return running.size;
    },
  };
}
