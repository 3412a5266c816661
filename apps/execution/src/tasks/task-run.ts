import { setTimeout as delay } from "node:timers/promises";
import { ZoneError } from "@crosszone/contracts";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { Agent, ReadFile } from "../agents/agent.ts";
import type { LendFiles } from "./lend-files.ts";
import { createPreviewLog, type PreviewLog } from "./preview-log.ts";
import { runAgent } from "./run-agent.ts";
import { failureOf, successOf, type TaskEnd } from "./task-end.ts";
import type { TaskObserver } from "./task-observer.ts";
import { beginTaskSpan } from "./task-spans.ts";
import { isFinal } from "./task-state.ts";
import { LeaseLostError, type TaskStore } from "./task-store.ts";
import type { HeldTask, Task } from "./task.ts";

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
export interface TaskRun extends HeldTask {
  readonly repeatable: boolean;
  /** Whether the agent's work continues elsewhere while no process waits for it. */
  readonly onlyWaits: boolean;
  /** Stops the agent; the task ends with this reason. */
  stop(reason: ZoneError): void;
  /** Stops the agent without ending the task, which has already ended or belongs to another process. */
  drop(reason: ZoneError): void;
  /** Reads files of the task while it runs. */
  readonly readFile: ReadFile;
  /** The run's preview so far. */
  readonly shown: PreviewLog;
  /** The agent is done, and its answer is being stored. */
  readonly ending: boolean;
  /** Tries to store the end once more, then gives up. */
  abandon(): void;
  /** Resolves when the run is over; never rejects. */
  readonly ended: Promise<void>;
}

export interface RunOptions {
  /** The agent that runs the task, or the error that ends it at once. */
  readonly agent: Agent | ZoneError;
  readonly handle: string | undefined;
  readonly remainingMs: number;
}

const taskEnded = new Error("the task has ended");
/** Keeps event numbers of a task's runs apart. */
const eventsPerRun = 1_000_000_000;
const [firstPauseMs, longestPauseMs] = [50, 2_000];

/**
 * Runs a task on an agent and ends it with the agent's answer, its error, the deadline or a stop, whichever comes
 * first. Later output of the agent is discarded. The end is stored as soon as the store accepts it, unless the task is
 * lost before.
 */
export function startRun(
  deps: RunDeps,
  { task, attempt }: HeldTask,
  { agent, handle, remainingMs }: RunOptions,
): TaskRun {
  const { store, now, lendFiles, observer, tracer, tell } = deps;
  const startedAt = performance.now();
  const [controller, files, abandoned] = [new AbortController(), new AbortController(), new AbortController()];
  const span = beginTaskSpan(tracer, task);
  const readFile = lendFiles({ handle, signal: files.signal, traceparent: span.traceparent });
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After the answer the task can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  const shown = createPreviewLog(task.task_id, (attempt - 1) * eventsPerRun);
  let dropped = false;
  let ending = false;

  const stop = (reason: ZoneError): void => {
    reject(reason);
    controller.abort(reason);
    files.abort(reason);
  };
  const deadline = new Date(now().getTime() + Math.max(0, remainingMs));
  const timer = setTimeout(() => stop(new ZoneError("timeout")), Math.max(0, remainingMs));

  async function run(): Promise<void> {
    const end = agent instanceof ZoneError ? failureOf(task, agent) : await work(agent);
    clearTimeout(timer);
    files.abort(taskEnded);
    shown.end();
    if (dropped) return span.end({ error: end.kind });
    ending = true;
    await settle(end);
  }

  async function work(by: Agent): Promise<TaskEnd> {
    observer.started(task, attempt);
    const { traceparent } = span;
    const { preview } = shown;
    const loan = { signal: controller.signal, deadline, readFile, now, preview, tracer, traceparent, stopped };
    return runAgent(task, by, loan).then(successOf, (error: unknown) => failureOf(task, error));
  }

  async function settle({ state, outcome, kind, cause }: TaskEnd): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const ended = await store.end({ task, attempt }, state, outcome);
        tell(ended);
        const durationMs = performance.now() - startedAt;
        observer.ended(ended, { durationMs, ...(kind !== undefined && { kind, cause }) });
        return span.end({ error: kind });
      } catch (error) {
        if (error instanceof LeaseLostError) return lose(error.task);
        if (abandoned.signal.aborted) return observer.lost(task, error);
        observer.storeFailed("end", error);
        await delay(pauseMs, undefined, { signal: abandoned.signal }).catch(() => undefined);
      }
    }
  }

  function lose(found: Task | undefined): void {
    observer.letGo(task, found?.state === "canceled" ? "canceled" : "taken_over");
    span.end({ error: "canceled" });
    if (found && isFinal(found.state)) tell(found);
  }

  return {
    task,
    attempt,
    repeatable: agent instanceof ZoneError || agent.repeatable !== false,
    onlyWaits: !(agent instanceof ZoneError) && agent.isBegun !== undefined,
    readFile,
    shown,
    stop,
    drop: (reason) => {
      dropped = true;
      stop(reason);
    },
    get ending() {
      return ending;
    },
    abandon: () => abandoned.abort(),
    ended: run()
      .catch((cause: unknown) => observer.lost(task, cause))
      .finally(() => {
        clearTimeout(timer);
        files.abort(taskEnded);
      }),
  };
}
