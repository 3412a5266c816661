import { ZoneError } from "@crosszone/contracts";
import { retryUntilStored, type JobRun } from "@crosszone/jobs";
import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import type { Agent, AgentContext, ReadFile } from "../agents/agent.ts";
import type { Conversation, KeptConversation } from "../agents/conversations.ts";
import { openFiles, type GrantFiles } from "./grant-files.ts";
import { createPreviewLog, type PreviewLog } from "./preview-log.ts";
import { runAgent } from "./run-agent.ts";
import { failureOf, storeEnd, successOf, type EndDeps, type TaskEnd } from "./task-end.ts";
import type { LeasedTask, OpenTask, Task } from "./task.ts";

export interface RunDeps extends EndDeps {
  readonly now: () => Date;
  readonly grantFiles: GrantFiles;
  readonly tracer: Tracer;
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
  readonly conversation?: Conversation;
}

/** Keeps event numbers of a task's runs apart. */
const eventsPerRun = 1_000_000_000;

/**
 * Runs a task on an agent and ends it with the agent's answer, its error, the deadline or a stop, whichever comes first. Later output of
 * the agent is discarded. The end is stored as soon as the store accepts it, unless the lease is lost before.
 */
export function startRun(deps: RunDeps, lease: LeasedTask, options: RunOptions): TaskRun {
  const { task, attempt } = lease;
  const startedAt = performance.now();
  const span = beginTaskSpan(deps.tracer, task);
  const files = openFiles(deps.grantFiles, { handle: options.handle, traceparent: span.traceparent });
  const runStop = createRunStop({ now: deps.now, remainingMs: options.remainingMs, onStop: files.close });
  const abandoned = new AbortController();
  const shown = createPreviewLog(task.task_id, (attempt - 1) * eventsPerRun);
  const kept: { conversation?: KeptConversation } = {};
  let dropped = false;

  async function run(): Promise<void> {
    try {
      const end = await endOfWork();
      if (dropped) return span.end({ error: end.kind });
      own.isEnding = true;
      const result = await storeEnd(deps, { ...kept, lease, end, startedAt, signal: abandoned.signal });
      if (result !== "not_stored") span.end({ error: result === "stored" ? end.kind : "canceled" });
    } catch (cause) {
      deps.observer.endLost(task, cause);
    }
  }

  async function endOfWork(): Promise<TaskEnd> {
    try {
      const by = await readAgent(options.agent, deps, runStop.signal);
      return by instanceof ZoneError ? failureOf(task, by) : await work(by);
    } finally {
      runStop.clear();
      files.close(taskEnded);
      shown.end();
    }
  }

  async function work(by: Agent): Promise<TaskEnd> {
    own.onlyWaits = by.isBegun !== undefined;
    if (by.repeatable === false) own.stop = () => runStop.stop(new ZoneError("shutting_down"));
    deps.observer.started(task, attempt);
    const { now, tracer } = deps;
    const { preview } = shown;
    const { readFile } = files;
    const conversation = keptIn(kept, options.conversation);
    const resources = { ...runStop, readFile, now, preview, conversation, tracer, traceparent: span.traceparent };
    return runAgent(task, by, resources).then(successOf, (error: unknown) => failureOf(task, error));
  }

  const own: OwnRun = {
    id: task.task_id,
    attempt,
    task,
    readFile: files.readFile,
    shown,
    stop: undefined,
    onlyWaits: false,
    isEnding: false,
    drop: (why) => {
      dropped = true;
      runStop.stop(new ZoneError(why === "canceled" ? "canceled" : "shutting_down"));
    },
    abandon: () => abandoned.abort(),
    ended: run(),
  };
  return own;
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

/** Returns the agent when it can be read, or the reason why the run was stopped before that. */
async function readAgent(
  agent: RunOptions["agent"],
  { observer }: Pick<RunDeps, "observer">,
  signal: AbortSignal,
): Promise<Agent | ZoneError> {
  const onFailure = (cause: unknown): false => {
    observer.storeFailed("take", cause);
    return false;
  };
  return (await retryUntilStored({ store: agent, onFailure, signal })) ?? (signal.reason as ZoneError);
}

/** Starts the span of a task, from its start to its end. It contains ids and the agent's name, but no content. */
function beginTaskSpan(tracer: Tracer, { task_id, correlation_id, agent, traceparent }: Task): Span {
  const attributes = {
    "crosszone.task_id": task_id,
    "crosszone.correlation_id": correlation_id,
    "crosszone.agent": agent,
  };
  return tracer.start("run_task", { kind: "internal", traceparent, attributes });
}

/** Stops one run of a task: at its deadline, or when it is canceled or its process stops. */
interface RunStop {
  /** Aborted with the reason of the stop. */
  readonly signal: AbortSignal;
  /** Rejects with the reason of the stop. An agent may ignore the signal, so the run doesn't wait for it. */
  readonly stopped: Promise<never>;
  readonly deadline: Date;
  readonly stop: (reason: ZoneError) => void;
  /** Call it when the work has ended: the deadline stops the run no more. */
  readonly clear: () => void;
}

interface RunStopOptions {
  readonly now: () => Date;
  /** Time until the deadline, milliseconds. */
  readonly remainingMs: number;
  readonly onStop: (reason: ZoneError) => void;
}

function createRunStop({ now, remainingMs, onStop }: RunStopOptions): RunStop {
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After the answer the task can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  const stop = (reason: ZoneError): void => {
    reject(reason);
    controller.abort(reason);
    onStop(reason);
  };
  const leftMs = Math.max(0, remainingMs);
  const deadline = new Date(now().getTime() + leftMs);
  const timer = setTimeout(() => stop(new ZoneError("timeout")), leftMs);
  return { signal: controller.signal, stopped, deadline, stop, clear: () => clearTimeout(timer) };
}
