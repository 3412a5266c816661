import { othersIn, type Part } from "@crosszone/a2a";
import { type Attachment, type OthersContent, threadFileIds, ZoneError } from "@crosszone/contracts";
import type { JobDropped } from "@crosszone/jobs";
import { timerMs } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import {
  type Agent,
  type AgentAnswer,
  type AgentContext,
  beginAgentSpan,
  type ReadFile,
  TaskPaused,
} from "../agents/agent.ts";
import { processesEnded, zoneUnavailable } from "../store/open-execution-database.ts";
import type { LeasedTask, OpenTask, ProgramMessage, Task, TaskOutcome, TaskParams } from "./task.ts";

/**
 * Grants a task access to its files while it runs. When the signal aborts, reads in progress end, later reads fail, and
 * the handle is dropped even if the function is still referenced. Without a handle every read fails.
 */
export type GrantFiles = (grant: {
  readonly handle: string | undefined;
  readonly signal: AbortSignal;
  /** The task's span. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
}) => ReadFile;

/** A file's bytes can't be read. The message is a sentence for the person. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/** The files of one run of a task. Grants access with the first read: most runs read no file, and an aborted signal costs more than their end. */
export class RunFiles {
  readonly #controller = new AbortController();
  readonly #traceparent: string | undefined;
  #grantFiles: GrantFiles | undefined;
  #handle: string | undefined;
  #granted: ReadFile | undefined;
  #closed: Error | undefined;

  constructor(grantFiles: GrantFiles, handle: string | undefined, traceparent: string | undefined) {
    this.#grantFiles = grantFiles;
    this.#handle = handle;
    this.#traceparent = traceparent;
  }

  readonly readFile: ReadFile = async (id) => {
    if (this.#grantFiles === undefined) throw this.#closed;
    const { signal } = this.#controller;
    this.#granted ??= this.#grantFiles({ handle: this.#handle, traceparent: this.#traceparent, signal });
    return this.#granted(id);
  };

  /** Ends reads in progress, and drops the handle. Later reads reject with this reason. */
  readonly close = (reason: Error): void => {
    if (this.#grantFiles === undefined) return;
    this.#grantFiles = undefined;
    this.#handle = undefined;
    this.#closed = reason;
    if (this.#granted !== undefined) this.#controller.abort(reason);
  };
}

/** Returns the agent for a task taken over from another process, or why it must not run. */
export async function judgeRetry(
  { task, attempt, remainingMs, handle }: LeasedTask,
  agent: Agent | undefined,
  mostAttempts: number,
): Promise<Agent | ZoneError> {
  if (remainingMs <= 0) return new ZoneError("timeout", { agent: task.agent });
  // Its text was modified.
  if ((task as Task).params === undefined) return new ZoneError("internal");
  if (agent === undefined) return new ZoneError("unknown_agent", { agent: task.agent });
  const wasRun = attempt > 1;
  const needsHandle = hasFilesToRead(task.params) && handle === undefined && task.ask === undefined;
  const isSpent = attempt > mostAttempts || (wasRun && agent.repeatable === false) || needsHandle;
  if (isSpent && !(await agent.isBegun?.(task.task_id)))
    return attempt > 2 ? processesEnded(attempt - 1) : zoneUnavailable("the process that worked on this task ended");
  return agent;
}

/** Returns whether only the handle can read a file of the question. One of its thread is not worth the loss of an answer. */
function hasFilesToRead({ attachments = [], thread = [] }: TaskParams): boolean {
  const earlier = threadFileIds(thread);
  return attachments.some(({ id, text, unreadable }) => (text ?? unreadable) === undefined && !earlier.has(id));
}

/** What a run gets from the zone, and a promise that rejects when it is stopped. */
interface RunResources extends AgentContext {
  readonly deadline: Date;
  readonly tracer: Tracer;
  /**
   * Rejects with the reason when the run is stopped. An agent may ignore the signal, so the run doesn't wait for it.
   */
  readonly stopped: Promise<never>;
}

/** Runs an agent on a task. Rejects with the agent's error, or with the reason of the stop. */
export async function runAgent(task: OpenTask, agent: Agent, resources: RunResources): Promise<TaskOutcome> {
  const { task_id, correlation_id, params, ask } = task;
  const { signal, deadline, readFile, now, preview, inputs, tracer, stopped } = resources;
  const { message: _message, ...asked } = params;
  const input = { thread: [], attachments: [], ...asked, task_id, correlation_id, hops: ask?.hops };
  const call = beginAgentSpan(tracer, agent.name, { traceparent: resources.traceparent, contextId: params.context_id });
  try {
    const conversation = agent.conversationOf && resources.conversation;
    const { traceparent } = call;
    const context = { signal, deadline, now, readFile, preview, conversation, traceparent, inputs };
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
): TaskOutcome {
  if (files.length === 0) return { answer: { ...answer, status: "success", ...by } };
  const numbered = files.map((file, index) => ({ ...file, id: String(index + 1) }));
  const named = numbered.map(({ bytes, ...file }) => ({ ...file, size: bytes.byteLength }));
  const contents = numbered.map(({ id, bytes }) => ({ id, bytes: Buffer.from(bytes).toString("base64") }));
  return { answer: { ...answer, status: "success", ...by, files: named }, files: contents };
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
export function createRunStop(
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

const filesOf = ({ parts }: ProgramMessage): readonly (Part & { readonly raw: string })[] =>
  parts.filter((part): part is Part & { readonly raw: string } => part.raw !== undefined);

/** Returns the files of a program's message as attachments. Their ids are their places, from 1. */
export const attachmentsOf = (message: ProgramMessage): Attachment[] =>
  filesOf(message).map(({ raw, filename, mediaType }, index) => ({
    id: String(index + 1),
    name: filename ?? `file-${index + 1}`,
    mime_type: mediaType ?? "application/octet-stream",
    size: Buffer.byteLength(raw, "base64"),
  }));

/** Returns a message as text for an agent: its texts, and its data as JSON, without content of others. */
export const textOfMessage = ({ parts }: ProgramMessage): string =>
  parts
    .filter((part) => othersIn(part) === undefined)
    .flatMap(({ text, data }) => text ?? (data === undefined ? [] : JSON.stringify(data)))
    .join("\n");

/** Returns the content of others in a message: the program passes it on, as another zone does. */
export const othersOfMessage = ({ parts }: ProgramMessage): OthersContent[] =>
  parts.map(othersIn).filter((content) => content !== undefined);

/** Reads the files of a message. */
export const grantMessageFiles =
  (message: ProgramMessage | undefined): GrantFiles =>
  () =>
  async (id) => {
    const file = message && filesOf(message)[Number(id) - 1];
    if (file === undefined) throw new UnreadableFileError("This file doesn't exist.");
    return Buffer.from(file.raw, "base64");
  };
