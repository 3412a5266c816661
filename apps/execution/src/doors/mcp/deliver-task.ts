import {
  type InputAnswer,
  type InputRequest,
  isInputAnswer,
  problemsOf,
  type TaskFile,
  type TaskProgress,
  ZoneError,
} from "@crosszone/contracts";
import { isoTime, showUnseen } from "@crosszone/service-kit/text";
import {
  type CallToolResult,
  type ContentBlock,
  type ElicitRequestFormParams,
  type InputRequests,
  inputRequired,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import { mayVote } from "../../people/input-record.ts";
import { type AskedTask, waitSentence } from "../../tasks/ask/asked-task.ts";
import type { ProgramQuestion } from "../../tasks/ask/submit-question.ts";
import { isFinal } from "../../tasks/task.ts";
import { errorWords, plainText } from "./error-words.ts";
import type { McpCall, McpClient } from "./mcp-call.ts";

/** Whether a program can answer a request of its task. */
export const canAnswer = (request: InputRequest, actor: string): boolean =>
  mayVote(request, { user_id: actor, groups: [] }, "mcp");

/** Whether a client may ask its person. A client could approve by itself. */
const canElicit = (input: InputRequest, actor: string): boolean => input.kind !== "approve" && canAnswer(input, actor);

/** Returns the open requests of a task that its program's person can answer, as its client can ask them, by their ids. */
export function elicitationsOf(task: AskedTask, actor: string, client: McpClient): InputRequests {
  const url = client.opensLinks ? linkIn(task) : undefined;
  if (url === undefined && !client.elicits) return {};
  const own = task.inputs.filter((input) => canElicit(input, actor));
  const asked = own.map((input) => {
    const { message, requestedSchema } = elicitationOf(input);
    return url === undefined
      ? inputRequired.elicit({ message, requestedSchema })
      : inputRequired.elicitUrl({ message, url });
  });
  return Object.fromEntries(own.map(({ request_id }, at) => [request_id, asked[at]])) as InputRequests;
}

/** Returns the link that a person has to follow before the agent goes on. */
function linkIn({ question }: AskedTask): string | undefined {
  if (question?.awaits !== "authorization") return undefined;
  return /https?:\/\/[^\s"'<>()[\]`]*[^\s"'<>()[\]`.,;:!?]/.exec(
    `${question.text} ${JSON.stringify(question.data)}`,
  )?.[0];
}

function elicitationOf(input: InputRequest) {
  const { agent, title, body = "" } = input;
  const [line, more] = [plainText(title, 200), plainText(body, 2_000)];
  // The body of a question in words contains it.
  const said = more.includes(line) ? more : `${line}${more && `\n\n${more}`}`;
  const message = `${plainText(agent, 100)} asks: ${said}`;
  return { message, requestedSchema: schemaOf(input) as ElicitRequestFormParams["requestedSchema"] };
}

function schemaOf({ kind, title, options = [], schema }: InputRequest) {
  if (kind === "form") return schema ?? { type: "object", properties: {} };
  const value = { type: "string", title: plainText(title, 200) };
  const oneOf = options.map(({ value: option, label }) => ({ const: option, title: plainText(label, 100) }));
  const properties = { value: kind === "choose" ? { ...value, oneOf } : value };
  return { type: "object", properties, required: ["value"] };
}

/**
 * Gives the answers of a person, by the ids of open requests. Ignores other ids, and requests that the person has dismissed. Returns whether
 * there were answers. Throws `invalid_params` for an answer that does not match its request.
 */
export async function answerElicited(
  { ask, request, asker }: McpCall,
  { inputs, question }: AskedTask,
  responses: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const own = inputs.filter((input) => canElicit(input, asker.actor));
  const answers = own.flatMap((input) => {
    const isOpened = question?.awaits === "authorization";
    const answer = answerIn(input, responses[input.request_id], isOpened ? "I have opened the link." : undefined);
    return answer === undefined ? [] : [{ id: input.request_id, answer: checkedAnswer(answer) }];
  });
  for (const { id, answer } of answers) await ask.answer(request, id, { answer });
  return answers.length > 0;
}

/** `value` is the answer when it has no content, as that of an opened link. */
function answerIn({ kind }: InputRequest, response: unknown, value: string | undefined): object | undefined {
  const { action, content } = (response ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { verdict: "deny" };
  if (action !== "accept") return undefined;
  if (kind === "form") return { verdict: "answer", values: content };
  const given = content as object | undefined;
  return value === undefined ? { ...given, verdict: "answer" } : { value, ...given, verdict: "answer" };
}

/** Returns an answer. Throws `invalid_params` for one that has a wrong form. */
export function checkedAnswer(answer: object): InputAnswer {
  if (isInputAnswer(answer)) return answer;
  throw new ZoneError("invalid_params", { problems: problemsOf(isInputAnswer, answer) });
}

/** The largest file that a result contains, bytes. */
const mostFileBytes = 1_000_000;

/** Returns the result of a tool for a task: its answer, its error, or what it waits for. */
export function toolResultOf(task: AskedTask, actor: string): CallToolResult {
  if (task.answer !== undefined) return answerOf(task, task.answer);
  if (!isFinal(task.state)) {
    const inputs = task.inputs.map((input) => shownInput(input, actor));
    return taskResult(task, { text: openWords(task, actor), more: inputs.length === 0 ? {} : { inputs } });
  }
  const { kind, data } = task.error ?? { kind: "internal", data: {} };
  return { ...taskResult(task, { text: errorWords(kind, data), more: { error: kind } }), isError: true };
}

/** Returns the result of a call that failed. */
export function failedToolResult({ kind, data }: ZoneError): CallToolResult {
  const text = errorWords(kind, data);
  return { isError: true, content: [{ type: "text", text }], structuredContent: { error: kind, text } };
}

function answerOf(task: AskedTask, answer: NonNullable<AskedTask["answer"]>): CallToolResult {
  const { response_text: text, follow_ups, files: named = [] } = answer;
  const files = named.map((file) => fileOf(task, file));
  const left = named
    .filter((_, index) => files[index]?.block === undefined)
    .map(({ name, size }) => `${name} (${size} bytes)`);
  const notes = left.length > 0 ? [`Files that are too large to include: ${left.join(", ")}.`] : [];
  const more = {
    files: files.length > 0 ? files.map(({ file }) => file) : undefined,
    notes: notes.length > 0 ? notes : undefined,
    follow_ups,
  };
  return taskResult(task, { text, more, notes, blocks: files.flatMap(({ block }) => block ?? []) });
}

/**
 * Some clients show a model only the content of a result, others only the structured content. So each of them contains the text and the ids.
 */
function taskResult(
  { task_id, ask: { context_id }, state: stored, inputs }: AskedTask,
  {
    text,
    more,
    notes = [],
    blocks = [],
  }: {
    readonly text: string;
    readonly more: Readonly<Record<string, unknown>>;
    readonly notes?: readonly string[];
    readonly blocks?: readonly ContentBlock[];
  },
): CallToolResult {
  // Without a request, the program has nothing to do.
  const state = stored === "input_required" && inputs.length === 0 ? "working" : stored;
  const ids = `(task_id: ${task_id}, context_id: ${context_id}, state: ${state})`;
  return {
    content: [{ type: "text", text }, ...blocks, { type: "text", text: [...notes, ids].join("\n") }],
    structuredContent: { task_id, context_id, state, text, ...more },
  };
}

/** Returns a file as clients see it; without a `block` when it is too large. */
function fileOf(
  { task_id, files = [] }: AskedTask,
  { id, name, media_type, size }: TaskFile,
): { readonly file: object; readonly block?: ContentBlock } {
  const bytes = files.find((content) => content.id === id)?.bytes;
  const file = { name, media_type, size };
  if (bytes === undefined || size > mostFileBytes) return { file };
  const uri = `crosszone://tasks/${task_id}/files/${id}/${encodeURIComponent(name)}`;
  const isText = /^text\/|^application\/(json|xml|yaml)$|\+(json|xml)$/.test(media_type);
  const text = isText ? Buffer.from(bytes, "base64").toString() : undefined;
  const content = text === undefined ? { blob: bytes } : { text };
  return {
    file: text === undefined ? file : { ...file, text },
    block: { type: "resource", resource: { uri, mimeType: media_type, ...content } },
  };
}

/** Returns in words how a program gets the result of a task that has not ended. */
export function openWords(task: AskedTask, actor: string): string {
  const { task_id, inputs } = task;
  const later = `Call get_task with task_id "${task_id}" to get the result.`;
  if (inputs.length === 0) return `The task is still running. ${later} It waits up to 25 seconds for it.`;
  const asked = inputs.map((input) => inputWords(input, task, actor));
  return `The task waits for ${inputs.length === 1 ? "an answer" : `${inputs.length} answers`}.\n\n${asked.join("\n\n")}\n\n${later}`;
}

function inputWords(input: InputRequest, task: AskedTask, actor: string): string {
  const { request_id, title, body, agent } = input;
  const asked = `${plainText(agent, 100)} asks: ${plainText(title, 200)}${body === undefined ? "" : `\n${plainText(body, 2_000)}`}`;
  const call = `call answer_input with task_id "${task.task_id}", request_id "${request_id}"`;
  if (canAnswer(input, actor)) return `${asked}\nAsk your person, then ${call} and ${valueWords(input)}.`;
  return `${asked}\n${plainText(waitSentence(input), 2_000)} You can't answer it.`;
}

function valueWords({ kind, options = [], schema, action }: InputRequest): string {
  if (kind === "approve") {
    const digest = action === undefined ? "" : ` and digest "${action.digest}"`;
    return `verdict "approve"${digest}, or verdict "deny"`;
  }
  if (kind === "text") return "the text as value";
  if (kind === "form") return `values for this schema: ${showUnseen(JSON.stringify(schema))}`;
  return `one of these as value: ${options.map(({ value, label }) => `"${showUnseen(value)}" (${plainText(label, 100)})`).join(", ")}`;
}

/** Returns an input request as a program sees it. */
function shownInput(input: InputRequest, actor: string) {
  const { request_id, kind, title, body, action, options, schema, expires_at } = input;
  return { request_id, kind, title, expires_at, yours: canAnswer(input, actor), body, action, options, schema };
}

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
  const signal = AbortSignal.any([call.client.signal, lost]);
  const held = { ...call, client: { ...call.client, signal } };
  try {
    return await deliver(held, await first(held));
  } finally {
    lost.throwIfAborted();
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
  if (client.tasks && !isFinal(first.state)) return { resultType: "task", content: [], ...mcpTaskOf(first) };
  const task = client.progress === undefined ? first : await follow(call, first, client.progress);
  const inputRequests = elicitationsOf(task, asker.actor, client);
  if (Object.keys(inputRequests).length === 0) return toolResultOf(task, asker.actor);
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
export function mcpTaskOf({ task_id: taskId, created_at, changed_at }: AskedTask) {
  const times = { createdAt: isoTime(created_at), lastUpdatedAt: isoTime(changed_at) };
  return { taskId, status: "working" as string, ...times, ttlMs: null, pollIntervalMs: pollMs };
}
