import { setTimeout as delay } from "node:timers/promises";
import type { FoundAsk } from "../tasks/sql/asked-tasks.ts";
import { type LoggedEvent, runOf, type TaskLog } from "../tasks/sql/task-log.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { TaskTail, TaskTails } from "../tasks/task-tails.ts";
import { isFinal } from "../tasks/task.ts";
import { type AskedTask, endSeq, pauseSeq, textOfEvents } from "./asked-task.ts";

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
  /** Reads the task again. */
  readonly reread: () => Promise<FoundAsk>;
  readonly view: (task: FoundAsk) => Promise<AskedTask>;
}

/** How long one wait for an end takes at most, milliseconds. */
const waitMs = 60_000;
/** How often a task that waits for people is read, milliseconds. */
const pausedMs = 1_000;

interface Place {
  readonly task: FoundAsk;
  readonly last: number;
  /** Whether the reader knows that the task waits for people. */
  readonly isSeen: boolean;
  readonly signal: AbortSignal;
}

/**
 * Yields the events of a task after the event `seq`, in the same order for all readers, whichever process runs it. Ends after its end, or when
 * the signal aborts. When a task waits for people, it goes on afterwards: the reader decides whether to stop.
 */
export async function* followTask(
  parts: FollowParts,
  stored: FoundAsk,
  { seq, signal }: { readonly seq: number; readonly signal: AbortSignal },
): AsyncGenerator<AskEvent, void> {
  const tail = parts.tails.open(stored.task_id, seq);
  let [task, last] = [stored, seq];
  /** When the pause began that the reader knows, Unix milliseconds. */
  let seenPause: number | undefined;
  try {
    while (!signal.aborted && last < endSeq) {
      const isSeen = task.waits && task.changed_at === seenPause;
      let events: readonly AskEvent[] = await untilNews(parts, tail, { task, last, isSeen, signal });
      if (events.length === 0 && !signal.aborted) {
        task = await parts.reread();
        if (task.waits && task.changed_at === seenPause) continue;
        events = await settledEvents(parts, task, last);
        if (task.waits) seenPause = task.changed_at;
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
  { task, last, isSeen, signal }: Place,
): Promise<readonly LoggedEvent[]> {
  if (isFinal(task.state) || (task.waits && !isSeen)) return [];
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
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
async function settledEvents({ log, view }: FollowParts, task: FoundAsk, last: number): Promise<readonly AskEvent[]> {
  const hasEnded = isFinal(task.state);
  if (!hasEnded && !task.waits) return [];
  // Read after the end, so that nothing is missing: the log ends with the task.
  const events = await log.read(task.task_id, last);
  const lastSeq = events.at(-1)?.seq ?? last;
  const seen = await view(task);
  // It has continued, or is about to.
  if (seen.changed_at !== task.changed_at || (!hasEnded && !seen.waits)) return events;
  const seq = hasEnded ? endSeq : pauseSeq(seen, lastSeq);
  if (seq <= lastSeq) return events;
  const shown = textOfEvents(await log.read(task.task_id, runOf(lastSeq)));
  return [...events, { type: "settled", seq, task: seen, shown }];
}
