import { ZoneError } from "@crosszone/contracts";
import { type JobRun, settle } from "@crosszone/jobs";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { Agent, ReadFile } from "../agents/agent.ts";
import type { Conversation, KeptConversation } from "../agents/conversations.ts";
import { type LendFiles, openFiles } from "./grant-files.ts";
import { createPreviewLog, type PreviewLog } from "./preview-log.ts";
import { runAgent } from "./run-agent.ts";
import { failureOf, successOf, type TaskEnd } from "./task-end.ts";
import type { TaskObserver } from "./task-observer.ts";
import { beginTaskSpan } from "./task-spans.ts";
import { LeaseLostError, type TaskStore } from "./task-store.ts";
import { type HeldTask, isFinal, type OpenTask, type Task } from "./task.ts";

export interface RunDeps {
  readonly store: Pick<TaskStore, "end">;
  readonly now: () => Date;
  readonly lendFiles: LendFiles;
  readonly observer: TaskObserver;
  readonly tracer: Tracer;
  /** Called with the task when its run is over, if its state is known. */
  readonly tell: (task: Task) => void;
}

/** One run of a task that this process has leased. */
export interface TaskRun extends JobRun {
  readonly task: OpenTask;
  /** Reads files of the task while it runs. */
  readonly readFile: ReadFile;
  /** The run's preview so far. */
  readonly shown: PreviewLog;
}

/**
 * A run while it changes. It has no getters: an object with them gets a shape of its own, which keeps all that the run
 * refers to in memory until the next full garbage collection.
 */
type OwnRun = { -readonly [Member in keyof TaskRun]: TaskRun[Member] };

export interface RunOptions {
  /** Returns the agent that runs the task, or the error that ends it at once. Called again when it rejects. */
  readonly agent: () => Promise<Agent | ZoneError>;
  readonly handle: string | undefined;
  readonly remainingMs: number;
  /** The conversation that the task belongs to, if it was read. */
  readonly conversation?: Conversation | undefined;
}

const taskEnded = new Error("the task has ended");
/** Keeps event numbers of a task's runs apart. */
const eventsPerRun = 1_000_000_000;

/**
 * Runs a task on an agent and ends it with the agent's answer, its error, the deadline or a stop, whichever comes
 * first. Later output of the agent is discarded. The end is stored as soon as the store accepts it, unless the task is
 * lost before.
 */
export function startRun(
  deps: RunDeps,
  { task, attempt }: HeldTask,
  { agent, handle, remainingMs, conversation: before }: RunOptions,
): TaskRun {
  const { store, now, lendFiles, observer, tracer, tell } = deps;
  const startedAt = performance.now();
  const [controller, abandoned] = [new AbortController(), new AbortController()];
  const span = beginTaskSpan(tracer, task);
  const { readFile, close } = openFiles(lendFiles, { handle, traceparent: span.traceparent });
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After the answer the task can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  const shown = createPreviewLog(task.task_id, (attempt - 1) * eventsPerRun);
  let kept: KeptConversation | undefined;
  const conversation = { before, keep: (after: KeptConversation): void => void (kept = after) };
  let dropped = false;

  const stop = (reason: ZoneError): void => {
    reject(reason);
    controller.abort(reason);
    close(reason);
  };
  const deadline = new Date(now().getTime() + Math.max(0, remainingMs));
  const timer = setTimeout(() => stop(new ZoneError("timeout")), Math.max(0, remainingMs));

  async function run(): Promise<void> {
    try {
      const end = await endOfWork();
      if (dropped) return span.end({ error: end.kind });
      own.isEnding = true;
      await storeEnd(end);
    } catch (cause) {
      observer.lost(task, cause);
    }
  }

  async function endOfWork(): Promise<TaskEnd> {
    try {
      const by = await chosenAgent();
      return by instanceof ZoneError ? failureOf(task, by) : await work(by);
    } finally {
      clearTimeout(timer);
      close(taskEnded);
      shown.end();
    }
  }

  /** Returns the agent when it can be read, or the reason for which the run was stopped before. */
  async function chosenAgent(): Promise<Agent | ZoneError> {
    const { signal } = controller;
    const onFailure = (cause: unknown): false => {
      observer.storeFailed("take", cause);
      return false;
    };
    return (await settle({ store: agent, onFailure, signal })) ?? (signal.reason as ZoneError);
  }

  async function work(by: Agent): Promise<TaskEnd> {
    own.onlyWaits = by.isBegun !== undefined;
    if (by.repeatable === false) own.stop = () => stop(new ZoneError("shutting_down"));
    observer.started(task, attempt);
    const { traceparent } = span;
    const { preview } = shown;
    const { signal } = controller;
    const loan = { signal, deadline, readFile, now, preview, conversation, tracer, traceparent, stopped };
    try {
      return successOf(await runAgent(task, by, loan));
    } catch (error) {
      return failureOf(task, error);
    }
  }

  async function storeEnd({ state, outcome, kind, cause }: TaskEnd): Promise<void> {
    let failure: unknown;
    const ended = await settle({
      store: () => store.end({ task, attempt, conversation: kept }, state, outcome),
      onFailure: (error) => {
        failure = error;
        if (error instanceof LeaseLostError) return true;
        if (!abandoned.signal.aborted) observer.storeFailed("end", error);
        return false;
      },
      signal: abandoned.signal,
    });
    if (ended === undefined) {
      if (failure instanceof LeaseLostError) return lose(failure.task);
      return observer.lost(task, failure);
    }
    tell(ended);
    observer.ended(ended, { durationMs: performance.now() - startedAt, ...(kind !== undefined && { kind, cause }) });
    span.end({ error: kind });
  }

  function lose(found: Task | undefined): void {
    observer.letGo(task, found?.state === "canceled" ? "canceled" : "taken_over");
    span.end({ error: "canceled" });
    if (found && isFinal(found.state)) tell(found);
  }

  const own: OwnRun = {
    id: task.task_id,
    attempt,
    task,
    readFile,
    shown,
    stop: undefined,
    onlyWaits: false,
    isEnding: false,
    drop: (why) => {
      dropped = true;
      stop(new ZoneError(why === "canceled" ? "canceled" : "shutting_down"));
    },
    abandon: () => abandoned.abort(),
    ended: run(),
  };
  return own;
}
