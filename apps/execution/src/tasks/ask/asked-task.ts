import { setTimeout as delay } from "node:timers/promises";
import type { InputRequest, TaskSucceeded } from "@crosszone/contracts";
import { decidersSentence } from "@crosszone/service-kit/text";
import type { AgentQuestion } from "../../agents/agent.ts";
import { needsSlack } from "../../people/input-record.ts";
import type { FoundAsk, StoredAsk } from "../store/asked-tasks.ts";
import { eventsPerRun, type LoggedEvent, runOf, type TaskLog } from "../store/task-log.ts";
import type { TaskRunner } from "../task-runner.ts";
import type { TaskTail, TaskTails } from "../task-tails.ts";
import { isFinal, type ProgramMessage, type TaskError, type TaskFileContent } from "../task.ts";

/** A program's task as its program sees it. */
export interface AskedTask extends Pick<
  StoredAsk,
  "task_id" | "agent" | "state" | "ask" | "created_at" | "changed_at" | "waits"
> {
  /** The program's message; absent when its content was not read, or its key is missing. */
  readonly message: ProgramMessage | undefined;
  /** The answer, or what its agent has shown of it so far. */
  readonly text: string;
  readonly answer?: TaskSucceeded | undefined;
  readonly files?: readonly TaskFileContent[] | undefined;
  readonly error?: TaskError | undefined;
  /** What it needs from people, open requests, while it waits for them. Empty in a list. */
  readonly inputs: readonly InputRequest[];
  /** What its agent asks in words, if the only request is that. */
  readonly question?: AgentQuestion | undefined;
  readonly pauses: number;
  /** The last event that `text` contains. */
  readonly seq: number;
}

/** The number of the event of a task's end, after all others. */
export const endSeq = Number.MAX_SAFE_INTEGER;

/** Returns the number of the event of a task's pause: after the last event of its run, before those of the next one. */
const pauseSeq = ({ pauses }: AskedTask, lastSeq: number): number =>
  Math.max(runOf(lastSeq) + eventsPerRun, pauses * eventsPerRun) - 1;

/** Says who decides a request, where and until when. */
export function waitSentence(request: InputRequest): string {
  const { asked_in, expires_at, origin } = request;
  const isLater = origin !== undefined && asked_in === undefined && needsSlack(request);
  const later = isLater ? " Crosszone asks them as soon as Slack is connected." : "";
  return `${decidersSentence(request)} It waits until ${expires_at}.${later}`;
}

/** How long a text waits for the names of those who are asked in Slack, milliseconds. */
const askingMs = 3_000;

/** Whether verification is about to ask those who decide. */
export const isBeingAsked = (request: InputRequest): boolean =>
  request.origin !== undefined &&
  request.asked_in === undefined &&
  needsSlack(request) &&
  Date.now() - Date.parse(request.created_at) < askingMs;

/** Returns the text of a task's last run, from the events of its log. */
function textOfEvents(events: readonly LoggedEvent[], before = ""): string {
  let text = before;
  for (const event of events) if (event.type === "text") text = text.slice(0, event.offset) + event.delta;
  return text;
}

/** Returns a task as its program sees it, with what its log shows; without content when that was not read. */
export function viewTask(
  task: FoundAsk | StoredAsk,
  events: readonly LoggedEvent[] = [],
  inputs: readonly InputRequest[] = [],
): AskedTask {
  const { task_id, agent, state, ask, created_at, changed_at, waits, params, outcome, paused } = task as StoredAsk;
  const message = params?.message ?? outcome?.message;
  const seen = { task_id, agent, state, ask, created_at, changed_at, waits, message, pauses: paused?.pauses ?? 0 };
  const text = textOfEvents(events);
  const seq = outcome === undefined ? (events.at(-1)?.seq ?? 0) : endSeq;
  if (outcome === undefined)
    return { ...seen, text, inputs, question: inputs.length > 0 ? paused?.question : undefined, seq };
  if ("error" in outcome) return { ...seen, text, error: outcome.error, inputs: [], seq };
  const { answer, files } = outcome;
  return { ...seen, text: answer.response_text, answer, files, inputs: [], seq };
}

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
  readonly runner: TaskRunner;
  readonly reread: () => Promise<FoundAsk>;
  readonly view: (task: FoundAsk) => Promise<AskedTask>;
}

/** How long one wait for an end takes at most, milliseconds. */
const waitMs = 60_000;
/** Returns the pause before a task that waits is read again, milliseconds: a twentieth of its wait so far, within these bounds. */
export const waitingMs = ({ changed_at }: FoundAsk): number =>
  Math.min(1_000, Math.max(50, (Date.now() - changed_at) / 20));

/**
 * Yields the events of a task after the event `seq`, in the same order for all readers, whichever process runs it. Ends after its end, or when
 * the signal aborts. When a task waits for people, it goes on afterwards: the reader decides whether to stop.
 */
export async function* followAskedTask(
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

/**
 * Waits for events, or until the task has ended or waits for people. Then there are no events. `isSeen`: whether the reader knows that the task
 * waits for people.
 */
async function untilNews(
  { runner }: FollowParts,
  tail: TaskTail,
  at: { readonly task: FoundAsk; readonly last: number; readonly isSeen: boolean; readonly signal: AbortSignal },
): Promise<readonly LoggedEvent[]> {
  const { task, last, isSeen, signal } = at;
  if (isFinal(task.state) || (task.waits && !isSeen)) return [];
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const settled =
    task.state === "input_required"
      ? delay(waitingMs(task), undefined, { signal: either }).catch(() => undefined)
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
