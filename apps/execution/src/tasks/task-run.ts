import { ZoneError } from "@crosszone/contracts";
import type { ExecutionColumn } from "@crosszone/agent-calls";
import type { End, JobContext } from "@crosszone/jobs";
import { retry } from "@crosszone/service-kit/timing";
import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import { retryTransient } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { AgentContext, ReadFile } from "../agents/agent.ts";
import { TaskPaused } from "../agents/task-paused.ts";
import type { Conversation, KeptConversation } from "../agents/conversations.ts";
import { createRunStop, openFiles, runAgent, type RunFiles, successWith } from "./run-agent.ts";
import { grantMessageFiles } from "./message-files.ts";
import { recordRun } from "./record-run.ts";
import { createPreviewLog, type PreviewLog } from "./preview-log.ts";
import { eventsPerRun } from "./sql/task-log.ts";
import {
  failureOf,
  type PausedTask,
  reportEnd,
  successOf,
  type Task,
  type TaskEnd,
  taskIds,
  type TaskSuccess,
} from "./task.ts";
import type { RunDeps, TaskJob } from "./task-job.ts";

export interface TaskRun {
  readonly job: TaskJob;
  /** Reads files of the task while it runs. */
  readonly readFile: ReadFile;
  /** The run's preview so far. */
  readonly shown: PreviewLog;
  /** From the start of the task to its end. */
  readonly span: Span;
  readonly work: (context: JobContext) => Promise<End<ExecutionColumn>>;
}

/**
 * Makes a run of a task. It ends with the agent's answer, its error, the deadline or a stop, whichever comes first. Later output of the
 * agent is discarded.
 */
export function createRun(deps: RunDeps, job: TaskJob): TaskRun {
  const { task, attempt, handle } = job;
  const startedAt = performance.now();
  const span = beginTaskSpan(deps.tracer, task);
  const files = openFiles(task.ask ? grantMessageFiles(task.params.message) : deps.grantFiles, {
    handle,
    traceparent: span.traceparent,
  });
  // A pause does not count as an attempt.
  const shown = createPreviewLog(task.task_id, (attempt - 1 + (task.paused?.pauses ?? 0)) * eventsPerRun);
  const kept: { conversation?: KeptConversation } = {};
  const run: TaskRun = {
    job,
    readFile: files.readFile,
    shown,
    span,
    work: async (context) => {
      const end = await endOfWork(deps, run, { context, files, kept });
      if ("paused" in end) return pauseOf(deps, run, end);
      const { task: ended, ending } = deps.store.endOf(task, end, kept.conversation);
      return {
        ...ending,
        stored: () => {
          span.end({ error: end.kind });
          deps.notify(ended);
          // Otherwise its requests find out within an hour that it has ended.
          if (task.paused) deps.inputs.withdraw(task.task_id).catch(() => undefined);
          reportEnd(deps.emit, ended, { ...end, durationMs: performance.now() - startedAt });
        },
      };
    },
  };
  return run;
}

/** A run that waits for people, and the statements that store what it asks. */
interface Pause {
  readonly paused: PausedTask;
  readonly also: readonly CompiledQuery[];
}

/** How long a task sleeps unless it is woken, milliseconds. Then it looks for itself whether people have decided. */
const pauseMs = 3_600_000;

function pauseOf(
  { store, notify, emit }: RunDeps,
  { job: { task }, span }: TaskRun,
  pause: Pause,
): End<ExecutionColumn> {
  const { paused, also } = pause;
  return {
    release: { counted: false, afterMs: pauseMs },
    set: store.pausedColumns(task, paused),
    also,
    stored: () => {
      span.end({});
      notify({ ...task, state: "input_required", paused });
      emit("task_paused", taskIds(task));
    },
  };
}

interface Work {
  readonly context: JobContext;
  readonly files: RunFiles;
  readonly kept: { conversation?: KeptConversation };
}

async function endOfWork(
  deps: RunDeps,
  { job, shown, span }: TaskRun,
  { context, files, kept }: Work,
): Promise<TaskEnd | Pause> {
  const { task, attempt, conversation: before } = job;
  const { now, tracer, emit } = deps;
  let record: (() => Promise<void>) | undefined;
  const stop = createRunStop(job, { now, dropped: context.signal, onStop: files.close });
  try {
    const { paused } = task;
    const by = await readWhenUp(deps, job.agent, stop.signal);
    if (by instanceof ZoneError) return failureOf(task, by);
    const readInputs = async () => paused && deps.inputs.forRun(task, paused.continuation);
    const inputs = await readWhenUp(deps, readInputs, stop.signal);
    if (inputs instanceof ZoneError) return failureOf(task, inputs);
    if (by.isBegun !== undefined) context.onlyWaits();
    if (by.repeatable === false) context.runsOnce(() => stop.stop(new ZoneError("shutting_down")));
    emit("task_started", { ...taskIds(task), attempt });
    const conversation = keptIn(kept, before);
    if (task.ask) record = recordRun(deps, job, { shown, progress: by.progress });
    const { readFile } = files;
    const { traceparent } = span;
    const resources = { ...stop, readFile, now, preview: shown.preview, conversation, tracer, traceparent, inputs };
    const run = async (): Promise<TaskSuccess> => {
      const permitted = await deps.inputs.permitOffered(task, by, resources);
      if (permitted.refusal === undefined) return runAgent(task, by, { ...resources, inputs: permitted.inputs });
      return successWith({ response_text: permitted.refusal }, { task_id: task.task_id, agent: by.name });
    };
    return await run().then(successOf, async (error: unknown) => {
      if (!(error instanceof TaskPaused)) throw error;
      const remaining_ms = stop.deadline.getTime() - now().getTime();
      const { awaited, continuation, text, question } = error;
      // What the agent asks isn't lost in an outage.
      const until = { signal: stop.signal, budgetMs: remaining_ms };
      const also = await retryTransient(() => deps.inputs.pausing(task, awaited), until);
      const pauses = (paused?.pauses ?? 0) + 1;
      return { paused: { continuation, text, question, remaining_ms, pauses }, also };
    });
  } catch (error) {
    return failureOf(task, error);
  } finally {
    stop.clear();
    files.close(taskEnded);
    shown.end();
    await record?.();
  }
}

/** Returns a run's access to its conversation. It puts the conversation that the agent stores into `kept`. */
const keptIn = (
  kept: { conversation?: KeptConversation },
  before: Conversation | undefined,
): NonNullable<AgentContext["conversation"]> => ({
  before,
  keep: (after) => void (kept.conversation = after),
});

const taskEnded = new Error("the task has ended");

/** Returns what is read when the store is up, or the reason why the run was stopped before that. */
const readWhenUp = <T>({ emit }: RunDeps, read: () => Promise<T>, signal: AbortSignal): Promise<T | ZoneError> =>
  retry(read, {
    firstMs: 50,
    longestMs: 2_000,
    signal,
    onRetry: (cause) => emit("task_store_failed", { operation: "take", cause }),
  }).catch(() => signal.reason as ZoneError);

/** Starts the span of a task, from its start to its end. It contains ids and the agent's name, but no content. */
function beginTaskSpan(tracer: Tracer, { task_id, correlation_id, agent, traceparent }: Task): Span {
  const attributes = {
    "crosszone.task_id": task_id,
    "crosszone.correlation_id": correlation_id,
    "crosszone.agent": agent,
  };
  return tracer.start("run_task", { kind: "internal", traceparent, attributes });
}
