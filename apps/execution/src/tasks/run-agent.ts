import { threadFileIds, ZoneError } from "@crosszone/contracts";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { type Agent, type AgentAnswer, type AgentContext, beginAgentSpan, TaskPaused } from "../agents/agent.ts";
import { processesEnded, zoneUnavailable } from "../store/open-execution-database.ts";
import type { LeasedTask, OpenTask, Task, TaskOutcome, TaskParams } from "./task.ts";

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
