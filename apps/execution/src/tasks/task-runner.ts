import { ZoneError, type ErrorKind, type TaskState, type TaskSucceeded } from "@crosszone/contracts";
import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import type { Agent, AgentContext } from "../agents/agent.ts";
import type { LendFiles } from "./lend-files.ts";
import type { TaskStore } from "./task-store.ts";
import { beginAgentSpan, beginTaskSpan } from "./task-spans.ts";
import type { OpenTask, Task, TaskOutcome } from "./task.ts";

/** What the runner tells of its tasks, for logs and metrics. A `cause` is never for the wire. */
export interface TaskObserver {
  started(task: Task): void;
  /** Once for each task that ends. */
  ended(task: Task, how: { durationMs: number; kind?: ErrorKind; cause?: unknown }): void;
  /** The store did not take a task's end. */
  lost(task: Task, cause: unknown): void;
}

export interface TaskRunner {
  /** Throws `rate_limited` or `shutting_down` when no task can be taken now. */
  assertRoom(): void;
  /** Runs a submitted task to its end, in the background. Its handle is let go of then; without one it can read no files. */
  start(task: OpenTask, agent: Agent, handle?: string): void;
  /** Stops a task; throws `invalid_state_transition` when it has ended already. */
  cancel(taskId: string): Promise<Task>;
  /** How many tasks run now. */
  readonly running: number;
  /** When the first task began to run, or the last one ended: whichever was later. Unix milliseconds; the start of the runner at first. */
  readonly changedAt: number;
  /** Takes no more tasks, lets the running ones end for `graceMs`, then ends them with `shutting_down`. */
  stop(graceMs: number): Promise<void>;
}

/** What a run is lent: its signal, the way to its files, the span that it belongs to, and word of its being stopped. */
interface Lease extends Pick<AgentContext, "signal" | "readFile"> {
  span: Span;
  /** Rejects with the reason. The runner looks at this, for an agent may ignore the signal. */
  stopped: Promise<never>;
}

const taskEnded = new Error("the task has ended");

const finalStates: Partial<Record<ErrorKind, TaskState>> = { timeout: "timed_out", canceled: "canceled" };

/**
 * Runs tasks on agents and sees to it that each ends: with the agent's answer, its error, its deadline or a cancel,
 * whichever comes first. An agent that ignores its signal holds nothing up; what it says later is dropped.
 */
export function createTaskRunner(deps: {
  store: TaskStore;
  now: () => Date;
  maxRunning: number;
  lendFiles: LendFiles;
  observer: TaskObserver;
  tracer: Tracer;
}): TaskRunner {
  const { store, now, maxRunning, lendFiles, observer, tracer } = deps;
  const running = new Map<string, { stop: (reason: ZoneError) => void; ended: Promise<void> }>();
  let stopping = false;
  let changedAt = now().getTime();

  async function run(task: OpenTask, agent: Agent, lease: Lease): Promise<void> {
    const startedAt = performance.now();
    const end = async (state: TaskState, outcome: TaskOutcome, cause?: unknown): Promise<void> => {
      const ended = await store.move(task.task_id, state, outcome);
      const durationMs = performance.now() - startedAt;
      const kind = "error" in outcome ? outcome.error.kind : undefined;
      observer.ended(ended, { durationMs, ...(kind !== undefined && { kind, cause }) });
      lease.span.end({ error: kind });
    };
    try {
      await store.move(task.task_id, "working");
      observer.started(task);
      await end("success", { answer: await answer(task, agent, lease) });
    } catch (error) {
      const { kind, data } = error instanceof ZoneError ? error : new ZoneError("internal");
      const detail = { ...data, correlation_id: task.correlation_id, task_id: task.task_id };
      await end(finalStates[kind] ?? "error", { error: { kind, data: detail } }, error);
    }
  }

  async function answer(task: OpenTask, agent: Agent, lease: Lease): Promise<TaskSucceeded> {
    const { task_id, correlation_id, params } = task;
    const { signal, readFile, span, stopped } = lease;
    const { text, thread = [], attachments = [], user_id } = params;
    const input = { task_id, correlation_id, text, thread, attachments, ...(user_id !== undefined && { user_id }) };
    const call = beginAgentSpan(tracer, agent.name, span.traceparent);
    try {
      const trace = call.traceparent !== undefined && { traceparent: call.traceparent };
      const answered = await Promise.race([agent.run(input, { signal, now, readFile, ...trace }), stopped]);
      if (typeof answered?.response_text !== "string")
        throw new ZoneError("agent_invalid_response", { agent: agent.name });
      call.end();
      return { ...answered, status: "success", task_id, agent: agent.name };
    } catch (error) {
      call.end({ error: error instanceof ZoneError ? error.kind : "internal" });
      throw error;
    }
  }

  return {
    assertRoom: () => {
      if (stopping) throw new ZoneError("shutting_down", { retry_after_ms: 1_000 });
      if (running.size >= maxRunning) throw new ZoneError("rate_limited", { retry_after_ms: 1_000 });
    },

    start: (task, agent, handle) => {
      const controller = new AbortController();
      const files = new AbortController();
      const span = beginTaskSpan(tracer, task);
      const readFile = lendFiles({ handle, signal: files.signal, traceparent: span.traceparent });
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      // A task that has its answer is not stopped any more, and then nobody looks at this.
      stopped.catch(() => undefined);
      const stop = (reason: ZoneError): void => {
        reject(reason);
        controller.abort(reason);
        files.abort(reason);
      };
      const timer = setTimeout(() => stop(new ZoneError("timeout")), Math.max(0, task.deadline_at - now().getTime()));
      const ended = run(task, agent, { signal: controller.signal, readFile, span, stopped })
        .catch((cause: unknown) => {
          observer.lost(task, cause);
          span.end({ error: "internal" });
        })
        .finally(() => {
          clearTimeout(timer);
          files.abort(taskEnded);
          running.delete(task.task_id);
          if (running.size === 0) changedAt = now().getTime();
        });
      if (running.size === 0) changedAt = now().getTime();
      running.set(task.task_id, { stop, ended });
    },

    cancel: async (taskId) => {
      running.get(taskId)?.stop(new ZoneError("canceled"));
      await running.get(taskId)?.ended;
      const task = await store.get(taskId);
      if (!task) throw new ZoneError("task_not_found", { task_id: taskId });
      if (task.state !== "canceled") throw new ZoneError("invalid_state_transition", { task_id: taskId });
      return task;
    },

    get running() {
      return running.size;
    },

    get changedAt() {
      return changedAt;
    },

    stop: async (graceMs) => {
      stopping = true;
      const timer = setTimeout(() => {
        for (const { stop } of running.values()) stop(new ZoneError("shutting_down"));
      }, graceMs);
      await Promise.all([...running.values()].map(({ ended }) => ended));
      clearTimeout(timer);
    },
  };
}
