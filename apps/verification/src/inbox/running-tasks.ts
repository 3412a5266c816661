import type { Clock } from "@crosszone/service-kit/timing";
import type { SlackThread } from "../slack/slack-api.ts";
import type { Inbox } from "./inbox.ts";
import { ReleasedError } from "./record-ends.ts";
import type { StopTarget } from "./records.ts";

/** Why this zone ended a task. The answer tells the requester, unless the requester deleted the question. */
type EndReason = "stopped" | "withdrawn" | "deadline";

/** The abort reason of a task that this zone ended. */
export class TaskEnded extends Error {
  override readonly name = "TaskEnded";
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(`the task was ended: ${reason}`);
    this.reason = reason;
  }
}

export class QuestionTask {
  /** Aborts when nothing awaits the result any longer: with a `TaskEnded`, or with the reason of `leave`. */
  readonly signal: AbortSignal;
  /** Aborts when this process must leave the record unchanged: its lease is lost, the process stops, or `abandon` was called. */
  readonly leave: AbortSignal;
  /** The task's id in execution, once execution has accepted it. */
  taskId?: string;
  /** The agent that was asked for, once it is known; undefined for the default agent. */
  agent?: string | undefined;
  /** True if the task waits for people, so that its end is not awaited here. */
  isPaused = false;
  /** True if people have been shown that it is worked on. */
  isShown = false;
  /** True if its author deleted the question, even after it was stopped. */
  isWithdrawn = false;
  readonly #ended = new AbortController();
  readonly #abandoned = new AbortController();

  constructor(leave: readonly AbortSignal[]) {
    this.leave = AbortSignal.any([...leave, this.#abandoned.signal]);
    this.signal = AbortSignal.any([this.leave, this.#ended.signal]);
  }

  /** Ends this task. Only the first reason counts. */
  end(reason: EndReason): void {
    this.isWithdrawn ||= reason === "withdrawn";
    this.#ended.abort(new TaskEnded(reason));
  }

  /** Leaves the record to the next attempt. */
  abandon(reason: unknown): void {
    this.#abandoned.abort(reason);
  }
}

/** The question of a task, and its thread. */
type TaskPlace = SlackThread & { readonly team_id: string; readonly request_id: string };

/** The tasks of this process. */
export class QuestionTasks {
  readonly #running = new Map<QuestionTask, TaskPlace>();
  readonly #leaving = new AbortController();

  /** Aborts with a `ReleasedError` when the process stops. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Registers a task, so that it can be ended from elsewhere. `lease` aborts when another process has the record. */
  register(place: TaskPlace, lease: AbortSignal): QuestionTask {
    const task = new QuestionTask([lease, this.leaving]);
    this.#running.set(task, place);
    return task;
  }

  release(task: QuestionTask): void {
    this.#running.delete(task);
  }

  stop(target: StopTarget): void {
    for (const [task, { team_id, channel, thread_ts }] of this.#running) {
      const sameThread = target.thread_ts === undefined || target.thread_ts === thread_ts;
      if (team_id === target.team_id && channel === target.channel && sameThread) task.end("stopped");
    }
  }

  /** Ends the tasks of questions that their author deleted. */
  withdraw(ids: readonly string[]): void {
    for (const [task, { request_id }] of this.#running) if (ids.includes(request_id)) task.end("withdrawn");
  }

  /** Makes every task leave its record to the next process, because this process stops. */
  leaveAll(): void {
    this.#leaving.abort(new ReleasedError("the process is stopping"));
  }
}

const everyMs = 1_000;

/**
 * Ends a task soon after its question is marked as stopped or withdrawn, by any process, until `over` aborts. Never rejects: a failed read is repeated a
 * second later.
 */
export async function watchStop(
  { inbox, clock }: { readonly inbox: Inbox; readonly clock: Clock },
  { requestId, task, over }: { readonly requestId: string; readonly task: QuestionTask; readonly over: AbortSignal },
): Promise<void> {
  const until = AbortSignal.any([task.signal, over]);
  while (!until.aborted) {
    await clock.sleep(everyMs, until).catch(() => undefined);
    const ended = until.aborted ? undefined : await inbox.endedBy(requestId).catch(() => undefined);
    if (ended !== undefined) task.end(ended.reason);
  }
}
