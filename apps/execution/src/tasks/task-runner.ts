import { randomUUIDv7 } from "node:crypto";
import type { ExecutionColumn } from "@crosszone/agent-calls";
import { ZoneError } from "@crosszone/contracts";
import { createRoom, type End, EndWatch, type JobContext, type JobKind, type JobWorker } from "@crosszone/jobs";
import type { Agent, ReadFile } from "../agents/agent.ts";
import type { ZoneJobs } from "../store/open-execution-database.ts";
import type { PreviewLog } from "./preview-log.ts";
import { type RunDeps, TaskRun } from "./task-run.ts";
import { failureOf, isFinal, type LeasedTask, type NewTask, reportEnd, type Task, taskIds, taskKind } from "./task.ts";

interface TaskRunnerDeps extends Omit<RunDeps, "notify"> {
  readonly jobs: ZoneJobs;
  readonly maxRunning: number;
}

/** How often tasks that run elsewhere are read while a caller waits, milliseconds. */
const pollMs = 200;

/** Runs tasks on agents and ends each task, even if a process crashes. */
export class TaskRunner {
  readonly #deps: TaskRunnerDeps & RunDeps;
  readonly #runs = new Map<string, TaskRun>();
  readonly #watch: EndWatch<Task>;
  readonly #worker: JobWorker<LeasedTask>;
  #running = 0;
  #changedAt: number;
  #isStopping = false;

  constructor(deps: TaskRunnerDeps) {
    this.#deps = { ...deps, notify: (task) => this.#notify(task) };
    this.#changedAt = deps.now().getTime();
    this.#watch = new EndWatch({ read: (ids) => this.#settledElsewhere(ids), pausesMs: [pollMs, pollMs] });
    const kind: JobKind<ExecutionColumn, LeasedTask> = {
      kind: taskKind,
      ...createRoom(deps.maxRunning),
      read: (row) => deps.store.recoveredTask(row),
      run: (leased, context) => this.#run(leased, context),
      lost: this.#lost,
    };
    this.#worker = deps.jobs.workOn(kind, (operation, cause) => deps.emit("task_store_failed", { operation, cause }));
  }

  /** How many tasks run or are about to. */
  readonly running = (): number => this.#running;

  /** When `running` last rose above 0 or fell back to 0, Unix milliseconds; initially the start of the process. */
  readonly changedAt = (): number => this.#changedAt;

  /** Starts to take over tasks of crashed processes, and to look for tasks that were canceled elsewhere. */
  start(): void {
    this.#worker.start();
  }

  /**
   * Accepts no more tasks and lets running tasks end within `graceMs` milliseconds. Then it releases them, and another
   * process, or the next one, runs them. Tasks that only wait for work elsewhere are released at once.
   */
  stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    return this.#worker.stop(graceMs);
  }

  /**
   * Stores a new task and runs it in the background, or returns the existing task with the caller's key. Throws
   * `rate_limited` or `shutting_down` when it can't accept a new task.
   */
  async submit(asked: Omit<NewTask, "task_id">, agent: Agent): Promise<Task> {
    const { store } = this.#deps;
    // Time-ordered ids are neighbors in the index. With many tasks, random ids cost the database a third more.
    // A fire's task has its id, and so has its run.
    const fresh = { ...asked, task_id: asked.params.fire_id ?? randomUUIDv7() };
    const { task_id: id, params, handle, deadline_ms: remainingMs } = fresh;
    const { context_id: contextId } = params;
    const conversationId = contextId === undefined ? undefined : agent.conversationOf?.(contextId);
    const creating = this.#worker.addHere(
      taskKind,
      () => store.create(fresh, conversationId),
      ({ task: stored, created, conversation }) => {
        if (!created) return undefined;
        return { id, attempt: 1, task: { ...stored, params }, agent, handle, remainingMs, conversation };
      },
    );
    if (creating !== undefined) {
      this.#count(1);
      return creating.then(({ task }) => task).finally(() => this.#count(-1));
    }
    const known = await store.findByKey(asked.caller, asked.key);
    if (known) return known;
    throw new ZoneError(this.#isStopping ? "shutting_down" : "rate_limited", { retry_after_ms: 1_000 });
  }

  /** Cancels a task in whichever process it runs. Throws `invalid_state_transition` when it has already ended. */
  async cancel(asked: Task): Promise<Task> {
    const { store, inputs, emit, agentOf } = this.#deps;
    const failed = (cause: unknown): void => emit("task_store_failed", { operation: "cancel", cause });
    const reason = new ZoneError("canceled");
    const { task, canceledAfterMs } = await store.cancel(asked.task_id, failureOf(asked, reason).outcome);
    if (!this.#worker.cancel(task.task_id) && canceledAfterMs !== undefined)
      // Without this, the agent's work ends only when its process notices the cancel, or never.
      agentOf(task.agent).then((agent) => agent?.cancelElsewhere?.(asked), failed);
    this.#notify(task);
    inputs.withdraw(task.task_id).catch(failed);
    if (canceledAfterMs !== undefined) reportEnd(emit, task, { durationMs: canceledAfterMs, kind: reason.kind });
    return task;
  }

  /**
   * Waits until the task has ended or waits for people, `waitMs` milliseconds at most, or until the signal aborts. Returns the task as it is
   * then.
   */
  async waitUntilSettled(task: Task, waitMs: number, signal?: AbortSignal): Promise<Task> {
    if (isFinal(task.state) || waitMs <= 0 || signal?.aborted) return task;
    // A task elsewhere may have ended since it was read, so its first read is immediate.
    const firstMs = this.#worker.has(task.task_id) ? pollMs : 0;
    return (await this.#watch.waitAtMost(task.task_id, waitMs, { signal, firstMs })) ?? task;
  }

  /** Returns the reader for files of a task that runs in this process. */
  readonly readerOf = (taskId: string): ReadFile | undefined => this.#runs.get(taskId)?.readFile;

  /** Returns the preview of a task that runs in this process. */
  shownOf(taskId: string): PreviewLog | undefined {
    return this.#runs.get(taskId)?.shown;
  }

  #notify(task: Task): void {
    this.#watch.deliver(task.task_id, task);
  }

  #count(change: 1 | -1): void {
    this.#running += change;
    const isEdge = change === 1 ? this.#running === 1 : this.#running === 0;
    if (isEdge) this.#changedAt = this.#deps.now().getTime();
  }

  /** Tasks of this process wake their waiting callers. */
  async #settledElsewhere(ids: readonly string[]): Promise<ReadonlyMap<string, Task>> {
    const settled = await this.#deps.store.settled(ids.filter((id) => !this.#worker.has(id)));
    return new Map(settled.map((task) => [task.task_id, task]));
  }

  async #run(leased: LeasedTask, context: JobContext): Promise<End<ExecutionColumn>> {
    const run = new TaskRun(this.#deps, leased);
    this.#runs.set(leased.id, run);
    this.#count(1);
    const end = await run.work(context).catch((cause: unknown) => {
      this.#remove(leased)?.span.end({ error: "zone_unavailable" });
      throw cause;
    });
    const stored = (): void => {
      this.#remove(leased);
      end.stored?.();
    };
    return { ...end, stored };
  }

  /** Returns the run; undefined if this process has lost and leased the task again since. */
  #remove({ id, attempt }: LeasedTask): TaskRun | undefined {
    const run = this.#runs.get(id);
    if (run?.leased.attempt !== attempt) return undefined;
    this.#runs.delete(id);
    this.#count(-1);
    return run;
  }

  readonly #lost: JobKind<ExecutionColumn, LeasedTask>["lost"] = (leased, why, cause) => {
    const { emit, store } = this.#deps;
    const { id, task } = leased;
    this.#remove(leased)?.span.end({ error: why === "stopping" ? "shutting_down" : "canceled" });
    if (why === "not_stored") return emit("task_lost", { ...taskIds(task), cause });
    if (why === "stopping") {
      emit("task_released", taskIds(task));
      // It still runs, and its callers poll another process.
      return this.#notify(task);
    }
    if (why === "taken_over") emit("task_lease_lost", taskIds(task));
    store.get(id).then(
      (found) => found && isFinal(found.state) && this.#notify(found),
      () => undefined,
    );
  };
}
