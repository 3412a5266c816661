import { setTimeout as delay } from "node:timers/promises";
import type { StoredAsk } from "../tasks/sql/asked-tasks.ts";
import type { LoggedEvent, TaskLog } from "../tasks/sql/task-log.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { TaskTail, TaskTails } from "../tasks/task-tails.ts";
import { isFinal } from "../tasks/task.ts";
import { type AskedTask, endSeq, pauseSeq, runOf, textOfEvents } from "./asked-task.ts";

/** An event of a task for its program: what its agent shows, or that it has ended or waits for people. */
export type AskEvent = LoggedEvent | TaskSettled;

export interface TaskSettled {
  readonly type: "settled";
  readonly seq: number;
  readonly task: AskedTask;
  /** The text that earlier events of the run have shown. */
  readonly shown: string;
}

export interface FollowParts {
  readonly log: TaskLog;
  readonly tails: TaskTails;
  readonly runner: Pick<TaskRunner, "waitUntilSettled">;
  /** Reads a task again. */
  readonly reread: (task: StoredAsk) => Promise<StoredAsk>;
  readonly view: (task: StoredAsk) => Promise<AskedTask>;
}

/** How long one wait for an end takes at most, milliseconds. */
const waitMs = 60_000;
/** How often a task that waits for people is read, milliseconds. */
const pausedMs = 1_000;

interface Place {
  readonly task: StoredAsk;
  readonly last: number;
  readonly signal: AbortSignal;
}

/**
 * Yields the events of a task after the event `seq`, in the same order for all readers, whichever process runs it. Ends after its end, or when
 * the signal aborts. When a task waits for people, it goes on afterwards: the reader decides whether to stop.
 */
export async function* followTask(
  parts: FollowParts,
  stored: StoredAsk,
  { seq, signal }: { readonly seq: number; readonly signal: AbortSignal },
): AsyncGenerator<AskEvent, void> {
  const tail = parts.tails.open(stored.task_id, seq);
  let [task, last] = [stored, seq];
  try {
    while (!signal.aborted && last < endSeq) {
      let events: readonly AskEvent[] = await untilNews(parts, tail, { task, last, signal });
      if (events.length === 0 && !signal.aborted) {
        task = await parts.reread(task);
        events = await settledEvents(parts, task, last);
      }
      for (const event of events) {
        last = event.seq;
        yield event;
      }
    }
  } finally {
    tail.close();
  }
}

/** Waits for events, or until the task has ended or waits for people. Then there are no events. */
async function untilNews(
  { runner }: FollowParts,
  tail: TaskTail,
  { task, last, signal }: Place,
): Promise<readonly LoggedEvent[]> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const isSeen = task.state === "input_required" && last >= pauseSeq(task, last);
  const settled = isSeen
    ? delay(pausedMs, undefined, { signal: either }).catch(() => undefined)
    : runner.waitUntilSettled(task, waitMs, either);
  try {
    return await Promise.race([tail.after(last, either), settled.then(() => [])]);
  } finally {
    over.abort();
  }
}

/** Returns what follows an event of a task that has ended or waits for people: the rest of its log, then that. */
async function settledEvents({ log, view }: FollowParts, task: StoredAsk, last: number): Promise<readonly AskEvent[]> {
  const hasEnded = isFinal(task.state);
  if (!hasEnded && task.state !== "input_required") return [];
  // Read after the end, so that nothing is missing: the log ends with the task.
  const events = await log.read(task.task_id, last);
  const lastSeq = events.at(-1)?.seq ?? last;
  const seq = hasEnded ? endSeq : pauseSeq(task, lastSeq);
  if (seq <= lastSeq) return events;
  const seen = await view(task);
  // It is about to continue.
  if (!hasEnded && seen.inputs.length === 0) return events;
  const shown = textOfEvents(await log.read(task.task_id, runOf(lastSeq)));
  return [...events, { type: "settled", seq, task: seen, shown }];
}
