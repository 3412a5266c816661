import type { TaskProgress } from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit/text";
import { type CallToolResult, inputRequired, type InputRequiredResult } from "@modelcontextprotocol/server";
import type { AskedTask } from "../../ask/asked-task.ts";
import type { ProgramQuestion } from "../../ask/submit-question.ts";
import { isFinal } from "../../tasks/task.ts";
import { elicitationsOf } from "./elicitation.ts";
import type { McpCall } from "./mcp-call.ts";
import { plainText } from "./plain-text.ts";
import { resultOf } from "./tool-result.ts";

export type Delivered = CallToolResult | InputRequiredResult;

/** How long a client that can wait for longer work gets no task and no progress, milliseconds. */
const quickMs = 1_000;
/** Time between two progress messages, milliseconds. */
const progressMs = 10_000;
/** How often a client reads a task, milliseconds. */
const pollMs = 1_000;

/** Stores a question and delivers its task. A client that disconnects doesn't cancel it. */
export function deliverQuestion(call: McpCall, asked: Omit<ProgramQuestion, "hops">): Promise<Delivered> {
  const question = { ...asked, hops: call.hops };
  const first = ({ ask, request, client }: McpCall) =>
    ask.askAndWait(request, question, { waitMs: firstWait(call), signal: client.signal });
  return hold(call, question.agent.name, first);
}

/** Delivers a task that exists. */
export async function deliverTask(call: McpCall, taskId: string, waitMs: number = firstWait(call)): Promise<Delivered> {
  const { agent } = await call.ask.find(call.asker, taskId);
  return hold(call, agent, ({ ask, asker, client }) => ask.wait(asker, taskId, { waitMs, signal: client.signal }));
}

/** Delivers a task as long as the program may ask its agent. Throws why it may not. */
async function hold(call: McpCall, agent: string, first: (call: McpCall) => Promise<AskedTask>): Promise<Delivered> {
  const lost = call.whileGranted(agent);
  const signal = AbortSignal.any(lost === undefined ? [call.client.signal] : [call.client.signal, lost]);
  const held = { ...call, client: { ...call.client, signal } };
  try {
    return await deliver(held, await first(held));
  } finally {
    lost?.throwIfAborted();
  }
}

const firstWait = ({ client, holdMs }: McpCall): number =>
  client.tasks || client.progress !== undefined ? Math.min(quickMs, holdMs) : holdMs;

/**
 * Returns a task's result. While it is open, by what the client can do: a task of MCP; a request for input; its result at its end, with progress
 * messages until then; or how to get it later.
 */
async function deliver(call: McpCall, first: AskedTask): Promise<Delivered> {
  const { asker, client } = call;
  if (client.tasks && !isFinal(first.state)) return { resultType: "task", content: [], ...taskOf(first) };
  const task = client.progress === undefined ? first : await follow(call, first, client.progress);
  const inputRequests = elicitationsOf(task, asker.actor, client);
  if (Object.keys(inputRequests).length === 0) return resultOf(task, asker.actor);
  return inputRequired({ inputRequests, requestState: task.task_id });
}

/** Sends progress messages until a task has ended or waits for people, or the client disconnects. Returns it as it is then. */
async function follow(call: McpCall, task: AskedTask, progress: (message: string) => void): Promise<AskedTask> {
  if (isFinal(task.state) || task.inputs.length > 0) return task;
  const { ask, asker, client, holdMs } = call;
  const began = performance.now();
  const tell = (): void => progress(`Running for ${Math.round((performance.now() - began) / 1_000)} seconds.`);
  const beat = setInterval(tell, Math.min(progressMs, holdMs / 2));
  tell();
  try {
    for await (const event of ask.events(asker, task.task_id, { seq: 0, signal: client.signal })) {
      if (event.type === "settled") return event.task;
      if (event.type === "progress") progress(progressText(event.progress));
    }
  } finally {
    clearInterval(beat);
  }
  return ask.find(asker, task.task_id);
}

function progressText({ text, steps }: TaskProgress): string {
  const running = steps.filter(({ state }) => state === "running").map(({ title }) => title);
  return plainText(text ?? (running.join(", ") || "Running."), 200);
}

/** Returns the members of a task of MCP. https://github.com/modelcontextprotocol/ext-tasks */
export function taskOf({ task_id: taskId, created_at, changed_at }: AskedTask) {
  const times = { createdAt: isoTime(created_at), lastUpdatedAt: isoTime(changed_at) };
  return { taskId, status: "working" as string, ...times, ttlMs: null, pollIntervalMs: pollMs };
}
