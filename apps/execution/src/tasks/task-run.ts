import { setTimeout as delay } from "node:timers/promises";
import type { ExecutionColumn } from "@crosszone/agent-calls";
import { ZoneError } from "@crosszone/contracts";
import type { End, JobContext, JobDropped } from "@crosszone/jobs";
import { type Emit, isKeyMissing } from "@crosszone/service-kit";
import { noLonger, retry, timerMs } from "@crosszone/service-kit/timing";
import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import { retryTransient } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { CompiledQuery } from "kysely";
import { type Agent, type AgentProgress, type ReadFile, type RunInputs, TaskPaused } from "../agents/agent.ts";
import type { KeptConversation } from "../agents/conversations.ts";
import { copyProgress, PreviewLog } from "./preview-log.ts";
import { judgeRetry, runAgent, successWith } from "./run-agent.ts";
import { type GrantFiles, grantMessageFiles, RunFiles } from "./task-files.ts";
import { eventsPerRun, type LoggedEvent } from "./store/task-log.ts";
import type { TaskStore } from "./store/task-store.ts";
import type { TaskInputs } from "./task-inputs.ts";
import type { TaskTails } from "./task-tails.ts";
import {
  failureOf,
  type LeasedTask,
  type PausedTask,
  progressFailed,
  reportEnd,
  type Task,
  type TaskEnd,
  taskIds,
  type TaskOutcome,
} from "./task.ts";

export interface RunDeps {
  readonly store: TaskStore;
  readonly inputs: TaskInputs;
  readonly now: () => Date;
  readonly grantFiles: GrantFiles;
  readonly tracer: Tracer;
  readonly emit: Emit<ExecutionEvent>;
  readonly tails: TaskTails;
  /** Returns the agent of that name. Rejects when the agents can't be read. */
  readonly agentOf: (name: string) => Promise<Agent | undefined>;
  /** The most runs of a task when processes crash. */
  readonly mostAttempts: number;
  /** Called with the task when its run is over, if its state is known. */
  readonly notify: (task: Task) => void;
}

/** Shortest time between two writes of a task's events, milliseconds. What is shown meanwhile is one event. */
const everyMs = 100;
/** The most that is stored of what one run shows, characters of JSON. The answer contains what is left out. */
export const mostLogged = 512_000;

/**
 * Stores what a preview shows, from now on. Returns a function that stores the rest and ends; call it after the preview's end. Events that
 * can't be stored are dropped: the answer contains their text. `append` resolves with false when the task is no longer this process's.
 */
function recordPreview(
  shown: PreviewLog,
  append: (events: readonly LoggedEvent[]) => Promise<boolean>,
  onFailed: (cause: unknown) => void,
): () => Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const record = async (): Promise<void> => {
    let left = mostLogged;
    for (let seen = shown.seenWith(0); ;) {
      await shown.waitForNewer(seen, signal);
      const isOver = signal.aborted;
      const news = shown.since(seen);
      ({ seen } = news);
      const events = news.events.filter((event) => event.type === "text" || event.type === "progress");
      left -= events.length === 0 ? 0 : JSON.stringify(events).length;
      if (left < 0 || (events.length > 0 && !(await append(events)))) return;
      if (isOver) return;
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const recording = record().catch(onFailed);
  return async () => {
    over.abort(noLonger);
    await recording;
  };
}

/** Stores what a run shows, and the progress of its agent. Returns a function that stores the rest, after the end of what is shown. */
function recordRun(
  { store, tails, emit }: RunDeps,
  leased: LeasedTask,
  { shown, progress }: { readonly shown: PreviewLog; readonly progress: AgentProgress | undefined },
): () => Promise<void> {
  const over = new AbortController();
  const onFailed = progressFailed(emit, leased.task);
  const append = async (events: readonly LoggedEvent[]): Promise<boolean> => {
    const isStored = await store.log.append(leased, events);
    tails.stored(leased.id);
    return isStored;
  };
  const end = recordPreview(shown, append, onFailed);
  if (progress) copyProgress(progress, { taskId: leased.id, to: shown, signal: over.signal }).catch(onFailed);
  return () => {
    over.abort(noLonger);
    return end();
  };
}

/**
 * An agent ends its own calls at the deadline, and then knows how often it tried. A run that has not ended by itself is stopped this much
 * later, milliseconds.
 */
const lateMs = 1_000;

/**
 * Creates the stop of a run: at its deadline, or when it is canceled or its process stops (`dropped` aborts with a `JobDropped`). `signal` aborts
 * and `stopped` rejects with the reason: an agent may ignore the signal, so the run doesn't wait for it. Call `clear` when the work has ended.
 */
function createRunStop(
  { task, remainingMs }: LeasedTask,
  how: { readonly now: () => Date; readonly dropped: AbortSignal; readonly onStop: (reason: ZoneError) => void },
) {
  const { now, dropped, onStop } = how;
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After the answer the task can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  const stop = (reason: ZoneError): void => {
    reject(reason);
    controller.abort(reason);
    onStop(reason);
  };
  const drop = (): void => {
    const { why } = dropped.reason as JobDropped;
    stop(new ZoneError(why === "canceled" ? "canceled" : "shutting_down"));
  };
  dropped.addEventListener("abort", drop, { once: true });
  const leftMs = Math.max(0, remainingMs);
  const deadline = new Date(now().getTime() + leftMs);
  const timer = setTimeout(() => stop(new ZoneError("timeout", { agent: task.agent })), timerMs(leftMs + lateMs));
  const clear = (): void => {
    clearTimeout(timer);
    dropped.removeEventListener("abort", drop);
  };
  const signal: AbortSignal = controller.signal;
  return { signal, stopped, deadline, stop, clear };
}

/** How long a task sleeps unless it is woken, milliseconds. Then it looks for itself whether people have decided. */
const pauseMs = 3_600_000;

/**
 * A run of a task. It ends with the agent's answer, its error, the deadline or a stop, whichever comes first. Later output of the agent is
 * discarded.
 */
export class TaskRun {
  readonly leased: LeasedTask;
  /** The run's preview so far. */
  readonly shown: PreviewLog;
  /** From the start of the task to its end. */
  readonly span: Span;
  readonly #deps: RunDeps;
  readonly #files: RunFiles;
  readonly #startedAt = performance.now();
  /** What the agent stores with the end of the task. */
  #kept: KeptConversation | undefined;

  constructor(deps: RunDeps, leased: LeasedTask) {
    const { task, attempt, handle } = leased;
    this.#deps = deps;
    this.leased = leased;
    this.span = beginTaskSpan(deps.tracer, task);
    const grantFiles = task.ask ? grantMessageFiles(task.params.message) : deps.grantFiles;
    this.#files = new RunFiles(grantFiles, handle, this.span.traceparent);
    // A pause does not count as an attempt.
    this.shown = new PreviewLog(task.task_id, (attempt - 1 + (task.paused?.pauses ?? 0)) * eventsPerRun);
  }

  /** Reads files of the task while it runs. */
  get readFile(): ReadFile {
    return this.#files.readFile;
  }

  async work(context: JobContext): Promise<End<ExecutionColumn>> {
    const { store, inputs, notify, emit } = this.#deps;
    const { task } = this.leased;
    const end = await this.#endOfWork(context);
    if ("paused" in end) return this.#pause(end);
    const { task: ended, ending } = store.endOf(task, end, this.#kept);
    return {
      ...ending,
      stored: () => {
        this.span.end({ error: end.kind });
        notify(ended);
        // Otherwise its requests find out within an hour that it has ended.
        if (task.paused) inputs.withdraw(task.task_id).catch(() => undefined);
        reportEnd(emit, ended, { ...end, durationMs: performance.now() - this.#startedAt });
      },
    };
  }

  #pause({ paused, also }: Pause): End<ExecutionColumn> {
    const { store, notify, emit } = this.#deps;
    const { task } = this.leased;
    return {
      release: { counted: false, afterMs: paused.look_again_ms ?? pauseMs },
      set: store.pausedColumns(task, paused),
      also,
      stored: () => {
        this.span.end({});
        notify({ ...task, state: "input_required", paused });
        emit("task_paused", taskIds(task));
      },
    };
  }

  async #endOfWork(context: JobContext): Promise<TaskEnd | Pause> {
    const { now, tracer, emit, inputs } = this.#deps;
    const { leased, shown } = this;
    const { task, attempt } = leased;
    let record: (() => Promise<void>) | undefined;
    let runUnseen: ((inputs: RunInputs) => Promise<TaskOutcome>) | undefined;
    const stop = createRunStop(leased, { now, dropped: context.signal, onStop: this.#files.close });
    try {
      const agent = await this.#whenUp(() => this.#agent(), stop.signal);
      if (agent instanceof ZoneError) return failureOf(task, agent);
      const read = async () => task.paused && inputs.forRun(task, task.paused.continuation);
      const decided = await this.#whenUp(read, stop.signal);
      if (decided instanceof ZoneError) return failureOf(task, decided);
      if (agent.isBegun !== undefined) context.onlyWaits();
      if (agent.repeatable === false) context.runsOnce(() => stop.stop(new ZoneError("shutting_down")));
      emit("task_started", { ...taskIds(task), attempt });
      if (task.ask) record = recordRun(this.#deps, leased, { shown, progress: agent.progress });
      const { readFile } = this;
      const { traceparent } = this.span;
      const keep = (after: KeptConversation): void => void (this.#kept = after);
      const conversation = { before: leased.conversation, keep };
      const resources = { ...stop, readFile, now, preview: shown.preview, conversation, tracer, traceparent };
      const { preview: _preview, ...unseen } = resources;
      runUnseen = (given) => runAgent(task, agent, { ...unseen, inputs: given });
      const permitted = await inputs.permitOffered(task, agent, { inputs: decided, signal: stop.signal });
      const outcome =
        permitted.refusal === undefined
          ? await runAgent(task, agent, { ...resources, inputs: permitted.inputs })
          : successWith({ response_text: permitted.refusal }, { task_id: task.task_id, agent: agent.name });
      return { state: "success", outcome };
    } catch (error) {
      if (!(error instanceof TaskPaused)) return this.#failed(error);
      return await this.#pauseOf(error, { ...stop, runUnseen }).catch(this.#failed);
    } finally {
      stop.clear();
      this.#files.close(taskEnded);
      shown.end();
      await record?.();
    }
  }

  /** Returns the end of a failed task. One that needs a key which this process lacks has not ended. */
  readonly #failed = (cause: unknown): TaskEnd => {
    if (isKeyMissing(cause)) throw cause;
    return failureOf(this.leased.task, cause);
  };

  async #agent(): Promise<Agent | ZoneError> {
    const { agentOf, mostAttempts } = this.#deps;
    const { leased } = this;
    return leased.agent ?? judgeRetry(leased, await agentOf(leased.task.agent), mostAttempts);
  }

  /** Returns the pause, or the end of a task that asks only what an earlier task of its thread asks already. */
  async #pauseOf(paused: TaskPaused, how: PauseContext): Promise<Pause | TaskEnd> {
    const { inputs, now } = this.#deps;
    const { task } = this.leased;
    const { awaited, continuation, text, question, lookAgainMs: look_again_ms } = paused;
    const { deadline, signal } = how;
    const leftMs = deadline.getTime() - now().getTime();
    // A look at what goes on elsewhere takes none of the agent's time.
    const remaining_ms = look_again_ms === undefined ? leftMs : (task.paused?.remaining_ms ?? leftMs);
    // What the agent asks isn't lost in an outage.
    const retrying = { signal, budgetMs: leftMs };
    const { statements: also, asked } = await retryTransient(() => inputs.pausing(task, awaited), retrying);
    if (asked !== undefined) return { state: "success", outcome: await this.#endAsked(paused, asked, how) };
    const pauses = (task.paused?.pauses ?? 0) + 1;
    return { paused: { continuation, text, question, remaining_ms, pauses, look_again_ms }, also };
  }

  /** Returns an answer that ends with who is asked already. An agent that waits for the decision is told first that there is none. */
  async #endAsked(paused: TaskPaused, asked: string, { signal, runUnseen }: PauseContext): Promise<TaskOutcome> {
    const { task } = this.leased;
    const refused = this.#deps.inputs.refused(task, paused, asked);
    // Its failure changes nothing: it was not approved.
    const told = paused.agentWaits ? await runUnseen?.(refused).catch(() => undefined) : undefined;
    signal.throwIfAborted();
    const { response_text = paused.text } = told !== undefined && "answer" in told ? told.answer : {};
    const text = [response_text, asked].filter((one) => one !== undefined).join("\n\n");
    return successWith({ response_text: text }, { task_id: task.task_id, agent: task.agent });
  }

  /** Returns what is read when the store is up, or the reason why the run was stopped before that. */
  #whenUp<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T | ZoneError> {
    const onRetry = (cause: unknown): void => this.#deps.emit("task_store_failed", { operation: "take", cause });
    const retryAfter = (cause: unknown) => (isKeyMissing(cause) ? undefined : 0);
    return retry(read, { firstMs: 50, longestMs: 2_000, signal, onRetry, retryAfter }).catch((cause: unknown) => {
      if (isKeyMissing(cause)) throw cause;
      return signal.reason as ZoneError;
    });
  }
}

interface PauseContext {
  readonly deadline: Date;
  readonly signal: AbortSignal;
  /** Runs the agent again, without a preview. Absent if it has not run. */
  readonly runUnseen: ((inputs: RunInputs) => Promise<TaskOutcome>) | undefined;
}

/** A run that waits for people, and the statements that store what it asks. */
interface Pause {
  readonly paused: PausedTask;
  readonly also: readonly CompiledQuery[];
}

const taskEnded = new Error("the task has ended");

/** Starts the span of a task, from its start to its end. It contains ids and the agent's name, but no content. */
function beginTaskSpan(tracer: Tracer, { task_id, correlation_id, agent, traceparent }: Task): Span {
  const attributes = {
    "crosszone.task_id": task_id,
    "crosszone.correlation_id": correlation_id,
    "crosszone.agent": agent,
  };
  return tracer.start("run_task", { kind: "internal", traceparent, attributes });
}
