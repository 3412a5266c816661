import { threadFileIds, ZoneError } from "@crosszone/contracts";
import type { JobDropped } from "@crosszone/jobs";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { type Agent, type AgentAnswer, type AgentContext, beginAgentSpan, type ReadFile } from "../agents/agent.ts";
import { TaskPaused } from "../agents/task-paused.ts";
import { zoneUnavailable } from "../database/open-execution-database.ts";
import type { OpenTask, RecoveredTask, TaskParams, TaskSuccess } from "./task.ts";

/** What a task can read its files with. */
export interface FileGrant {
  readonly handle: string | undefined;
  readonly signal: AbortSignal;
  /** The task's span. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
}

/**
 * Grants a task access to its files while it runs. When the signal aborts, reads in progress end, later reads fail, and
 * the handle is dropped even if the function is still referenced. Without a handle every read fails.
 */
export type GrantFiles = (grant: FileGrant) => ReadFile;

/** A file's bytes can't be read. The message is a sentence for the person. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/** The files of one run of a task. */
export interface RunFiles {
  readonly readFile: ReadFile;
  /** Ends reads in progress, and drops the handle. Later reads reject with this reason. */
  readonly close: (reason: Error) => void;
}

/** Grants access with the first read: most runs read no file, and an aborted signal costs more than their end. */
export function openFiles(grantFiles: GrantFiles, grant: Omit<FileGrant, "signal">): RunFiles {
  const controller = new AbortController();
  let open: typeof grant | undefined = grant;
  let granted: ReadFile | undefined;
  let closed: Error | undefined;
  return {
    readFile: async (id) => {
      if (open === undefined) throw closed;
      granted ??= grantFiles({ ...open, signal: controller.signal });
      return granted(id);
    },
    close: (reason) => {
      if (open === undefined) return;
      open = undefined;
      closed = reason;
      if (granted !== undefined) controller.abort(reason);
    },
  };
}

/** Returns the agent for a task taken over from another process, or why it must not run. */
export async function judgeRetry(
  { task, attempt, remainingMs, handle }: RecoveredTask,
  agent: Agent | undefined,
  mostAttempts: number,
): Promise<Agent | ZoneError> {
  // Sealed with a key that is missing.
  if (!("params" in task)) return new ZoneError("internal");
  if (remainingMs <= 0) return new ZoneError("timeout", { agent: task.agent });
  if (agent === undefined) return new ZoneError("unknown_agent", { agent: task.agent });
  const wasRun = attempt > 1;
  const needsHandle = hasFilesToRead(task.params) && handle === undefined && task.ask === undefined;
  const isSpent = attempt > mostAttempts || (wasRun && agent.repeatable === false) || needsHandle;
  if (isSpent && !(await agent.isBegun?.(task.task_id)))
    return zoneUnavailable("the process that worked on this task ended");
  return agent;
}

/** Returns whether only the handle can read a file of the question. One of its thread is not worth the loss of an answer. */
function hasFilesToRead({ attachments = [], thread = [] }: TaskParams): boolean {
  const earlier = threadFileIds(thread);
  return attachments.some(({ id, text, unreadable }) => (text ?? unreadable) === undefined && !earlier.has(id));
}

/**
 * What a run gets from the zone: its signal, deadline, files and span, and a promise that rejects when it is stopped.
 */
export interface RunResources extends Pick<
  AgentContext,
  "signal" | "readFile" | "now" | "preview" | "conversation" | "inputs"
> {
  readonly deadline: Date;
  readonly tracer: Tracer;
  readonly traceparent: string | undefined;
  /**
   * Rejects with the reason when the run is stopped. An agent may ignore the signal, so the run doesn't wait for it.
   */
  readonly stopped: Promise<never>;
}

/** Runs an agent on a task. Rejects with the agent's error, or with the reason of the stop. */
export async function runAgent(task: OpenTask, agent: Agent, resources: RunResources): Promise<TaskSuccess> {
  const { task_id, correlation_id, params, ask } = task;
  const { signal, deadline, readFile, now, preview, conversation, inputs, tracer, stopped } = resources;
  const { message: _message, ...asked } = params;
  const input = {
    thread: [],
    attachments: [],
    ...asked,
    task_id,
    correlation_id,
    ...(ask !== undefined && { hops: ask.hops }),
  };
  const call = beginAgentSpan(tracer, agent.name, { traceparent: resources.traceparent, contextId: params.context_id });
  try {
    const context = {
      signal,
      deadline,
      now,
      readFile,
      preview,
      ...(conversation !== undefined && agent.conversationOf !== undefined && { conversation }),
      traceparent: call.traceparent,
      ...(inputs !== undefined && { inputs }),
    };
    const answered = await Promise.race([agent.run(input, context), stopped]);
    if (typeof answered?.response_text !== "string")
      throw new ZoneError("agent_invalid_response", { agent: agent.name });
    call.end();
    return successWith(answered, { task_id, agent: agent.name });
  } catch (error) {
    if (error instanceof TaskPaused) call.end();
    else call.end({ error: error instanceof ZoneError ? error.kind : "internal" });
    throw error;
  }
}

/** Returns the answer as it is stored: it names its files, whose contents are separate. */
export function successWith(
  { files = [], ...answer }: AgentAnswer,
  by: { readonly task_id: string; readonly agent: string },
): TaskSuccess {
  if (files.length === 0) return { answer: { ...answer, status: "success", ...by } };
  const numbered = files.map((file, index) => ({ ...file, id: String(index + 1) }));
  const named = numbered.map(({ bytes, ...file }) => ({ ...file, size: bytes.byteLength }));
  const contents = numbered.map(({ id, bytes }) => ({ id, bytes: Buffer.from(bytes).toString("base64") }));
  return { answer: { ...answer, status: "success", ...by, files: named }, files: contents };
}

/** Stops one run of a task: at its deadline, or when it is canceled or its process stops. */
export interface RunStop {
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
  /** Aborted with a `JobDropped`. */
  readonly dropped: AbortSignal;
  readonly onStop: (reason: ZoneError) => void;
}

/**
 * An agent ends its own calls at the deadline, and then knows how often it tried. A run that has not ended by itself is stopped this much
 * later, milliseconds.
 */
const lateMs = 1_000;

/** Creates the stop of a run. It passes the time of the task until `clear`. */
export function createRunStop(
  { task, remainingMs }: { readonly task: { readonly agent: string }; readonly remainingMs: number },
  { now, dropped, onStop }: RunStopOptions,
): RunStop {
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
  const timer = setTimeout(() => stop(new ZoneError("timeout", { agent: task.agent })), leftMs + lateMs);
  const clear = (): void => {
    clearTimeout(timer);
    dropped.removeEventListener("abort", drop);
  };
  return { signal: controller.signal, stopped, deadline, stop, clear };
}
