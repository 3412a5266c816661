import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { SlackFile, SlackThread } from "../slack/slack-api.ts";
import type { Inbox } from "./inbox.ts";
import { ReleasedError } from "./record-ends.ts";
import type { RecordHead, StopTarget } from "./records.ts";

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

/** How many claims are remembered: two for each message. */
const most = 10_000;

/** How long a question waits for its message's other event, which names the files, milliseconds. A lookup takes longer. */
const twinMs = 20;

interface Receipt {
  /** Resolves with true once it is stored, with false if it will not be. */
  readonly isStored: Promise<boolean>;
  /** Resolves with the files that another event of its message names. */
  readonly files: PromiseWithResolvers<readonly SlackFile[]>;
}

/**
 * What this process remembers of the events that it has stored, and is storing: Slack sends a mention as two events, and an event again
 * when it was acknowledged late. What is not remembered is in the inbox, which has the last word.
 */
export class RecentMessages {
  /** By claim, oldest first. */
  readonly #receipts = new Map<string, Receipt>();

  /** Receives an event. One of which another event has a claim is a duplicate as soon as that is stored. */
  async once<Result extends { readonly verdict: string }>(
    claims: readonly string[],
    receive: () => Promise<Result>,
  ): Promise<Result | { readonly verdict: "duplicate" }> {
    for (let known = this.#find(claims); known !== undefined; known = this.#find(claims))
      if (await known.isStored) return { verdict: "duplicate" };
    const files = Promise.withResolvers<readonly SlackFile[]>();
    const receiving = receive();
    const isStored = receiving.then(({ verdict }) => verdict === "accepted").catch(() => false);
    for (const claim of claims) this.#receipts.set(claim, { isStored, files });
    if (!(await isStored)) for (const claim of claims) this.#receipts.delete(claim);
    for (const claim of this.#receipts.keys()) {
      if (this.#receipts.size <= most) break;
      this.#receipts.delete(claim);
    }
    return receiving;
  }

  #find(claims: readonly string[]): Receipt | undefined {
    return claims.map((claim) => this.#receipts.get(claim)).find((receipt) => receipt !== undefined);
  }

  /** Notes the files of a remembered message, as its second event names them. */
  tell(claim: string, read: () => readonly SlackFile[]): void {
    const receipt = this.#receipts.get(claim);
    if (receipt !== undefined) receipt.files.resolve(read());
  }

  /** Resolves with the files of a message as soon as its second event has named them; undefined if that takes too long. */
  async filesOf({ claims }: RecordHead): Promise<readonly SlackFile[] | undefined> {
    let files: readonly SlackFile[] | undefined;
    const told = this.#receipts.get(claims.at(-1) ?? "")?.files.promise.then((named) => void (files = named));
    if (told !== undefined) await atMost(twinMs, told);
    return files;
  }
}
