import { setTimeout as pause } from "node:timers/promises";
import { demand, type Judging, judging, NotJudged } from "../check.ts";
import { type Exchange, isObject, type JsonObject, objectOf, objectsIn, quoted, stringOf } from "../wire.ts";
import { type A2AAgent, type GivenAgent, type A2ACall, type A2ACallOptions, capabilityOf } from "./a2a-agent.ts";
import { type Dialect, type StateName, stateNames } from "./find-endpoint.ts";

/** The content of a response or an event. */
export interface Payload {
  readonly kind: "task" | "message" | "statusUpdate" | "artifactUpdate";
  readonly value: JsonObject;
}

const kinds03: Readonly<Record<string, Payload["kind"]>> = {
  task: "task",
  message: "message",
  "status-update": "statusUpdate",
  "artifact-update": "artifactUpdate",
};

/** Returns the content of a result; undefined when it is not exactly one of task, message and the two updates. */
export function payloadOf(result: unknown, { version }: Dialect): Payload | undefined {
  if (!isObject(result)) return undefined;
  if (version === "0.3") {
    const kind = kinds03[String(result["kind"])];
    return kind && { kind, value: result };
  }
  const found = Object.values(kinds03).flatMap((kind) => {
    const value = objectOf(result[kind]);
    return value ? [{ kind, value }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the state of a task or an update, also when it is written as in the other version. */
export function stateOf(task: JsonObject): StateName | undefined {
  const word = objectOf(task["status"])?.["state"];
  const name = String(word).toLowerCase().replace("task_state_", "").replace("_", "-");
  return stateNames.find((known) => known === name);
}

const ends: readonly (StateName | undefined)[] = ["completed", "canceled", "failed", "rejected"];
const interruptions: readonly (StateName | undefined)[] = ["input-required", "auth-required"];

export const isEnded = (task: JsonObject): boolean => ends.includes(stateOf(task));

/** Whether the agent does no more for now: the task has ended, or waits for the caller. */
export const isIdle = (task: JsonObject): boolean => isEnded(task) || interruptions.includes(stateOf(task));

export const artifactsOf = (task: JsonObject): readonly JsonObject[] => objectsIn(task["artifacts"]);

export const partsOf = (holder: JsonObject | undefined): readonly JsonObject[] => objectsIn(holder?.["parts"]);

/** Returns the text of the text parts, joined as they are. */
export const textOf = (holder: JsonObject | undefined): string =>
  partsOf(holder)
    .map((part) => stringOf(part["text"]) ?? "")
    .join("");

/** Whether the task has content to show: artifacts, or a text. */
export const hasAnswer = (task: JsonObject): boolean =>
  artifactsOf(task).length > 0 || textOf(objectOf(objectOf(task["status"])?.["message"])) !== "";

/** Returns the file parts: with bytes, or a URL. */
export const filesOf = (holder: JsonObject): readonly JsonObject[] =>
  partsOf(holder).filter((part) => ["raw", "url", "file"].some((member) => part[member] !== undefined));

/** Returns every message of a task: of its history and its status. */
export function messagesOf(task: JsonObject): readonly JsonObject[] {
  const said = objectOf(objectOf(task["status"])?.["message"]);
  return objectsIn(task["history"]).concat(said ?? []);
}

export interface Course {
  readonly sent: A2ACall;
  /** The task as each response has it, oldest first; none when the agent answered with a message. */
  readonly tasks: readonly JsonObject[];
  /** The message instead of a task. */
  readonly message: JsonObject | undefined;
  /** The request that brought the last of `tasks`. */
  readonly last: A2ACall;
  /** Whether the task has ended or waits for the caller. */
  readonly isIdle: boolean;
}

/** Sends a question without waiting, and polls its task until it has ended or waits. */
export async function sendAndFollow(agent: A2AAgent, send: () => Promise<A2ACall>): Promise<Course> {
  const sent = await send();
  const payload = payloadOf(sent.response?.["result"], agent.dialect);
  const message = payload?.kind === "message" ? payload.value : undefined;
  if (payload?.kind !== "task") return { sent, tasks: [], message, last: sent, isIdle: message !== undefined };
  return pollUntilIdle(agent, sent, payload.value);
}

/** Milliseconds after which a task that has an answer but has not started is considered stuck. */
const stuckMs = 1_500;

/** Milliseconds between polls: short at first. */
const pauses = [100, 150, 200, 300, 500, 750];

/** Polls a task until it has ended or waits. */
export async function follow(agent: A2AAgent, id: unknown): Promise<Course> {
  const first = await agent.call("get", { id });
  const task = taskOf(first, agent);
  demand(task !== undefined, "The id does not lead to a task.", first);
  return pollUntilIdle(agent, first, task);
}

async function pollUntilIdle(agent: A2AAgent, sent: A2ACall, first: JsonObject): Promise<Course> {
  let [now, last] = [first, sent];
  const tasks = [first];
  const startedAt = performance.now();
  const endAt = startedAt + agent.limitMs;
  for (let poll = 0; performance.now() < endAt; poll++) {
    const id = stringOf(now["id"]);
    const isStuck = stateOf(now) === "submitted" && hasAnswer(now) && performance.now() - startedAt > stuckMs;
    if (isIdle(now) || id === undefined || isStuck) break;
    await pause(pauses[Math.min(poll, pauses.length - 1)]);
    const call = await agent.call("get", { id });
    const task = taskOf(call, agent);
    if (!task) break;
    tasks.push(task);
    [now, last] = [task, call];
  }
  return { sent, tasks, message: undefined, last, isIdle: isIdle(now) };
}

/** Returns the task of a response to `get`, `cancel` or `send`. `get` and `cancel` return it bare in both versions. */
export function taskOf({ response }: A2ACall, { dialect }: A2AAgent): JsonObject | undefined {
  const result = response?.["result"];
  const payload = payloadOf(result, dialect);
  if (payload) return payload.kind === "task" ? payload.value : undefined;
  const bare = objectOf(result);
  return bare && "status" in bare ? bare : undefined;
}

/** The course of the question that is answered. */
export const answered = (agent: A2AAgent): Promise<Course> =>
  agent.once("answered", () => sendAndFollow(agent, () => agent.send(agent.questions.answered)));

/** The task that answered the question. Not judged when the agent answers with a message. */
export async function answeredTask(agent: A2AAgent): Promise<{ readonly task: JsonObject; readonly course: Course }> {
  const course = await answered(agent);
  const task = course.tasks.at(-1);
  if (!task) throw new NotJudged("The agent answers with a message, without a task.");
  return { task, course };
}

/** Makes the judge of the course of the question that is answered. */
export const onAnswer: Judging<A2AAgent, Course> = judging(answered, ({ last }) => last);

/** Makes the judge of the task that answered the question. */
export const onTask: Judging<A2AAgent, Awaited<ReturnType<typeof answeredTask>>> = judging(
  answeredTask,
  ({ course }) => course.last,
);

/** Returns a question that was given as an option. */
export function question({ questions }: GivenAgent, name: OptionalQuestion): string {
  const text = questions[name];
  if (text === undefined) throw new NotJudged(`Needs ${optionFor[name]}.`);
  return text;
}

export type OptionalQuestion = keyof typeof optionFor;

/** The course of one of these questions; it is asked once. */
export const courseOf = (agent: A2AAgent, name: OptionalQuestion): Promise<Course> =>
  agent.once(name, () => sendAndFollow(agent, () => agent.send(question(agent, name))));

/** Which options bring which questions, in the words of a skipped check. */
const optionFor = {
  slow: "a question whose answer takes at least two seconds: --slow <text>",
  asksBack: "a question that the agent answers with a question: --ask <text>",
  file: "a question that is answered with a file: --file <text>",
  fails: "a question that fails: --fail <text>",
} as const;

/** Demands a JSON-RPC error with one of the codes. */
export function demandError(exchange: Exchange, codes: readonly number[], what: string): void {
  const { problem, status, json } = exchange;
  const error = objectOf(objectOf(json)?.["error"]);
  const came = problem ?? (error ? `the error ${quoted(error["code"])}` : `HTTP ${status} without an error`);
  const is = codes.includes(error?.["code"] as number);
  demand(is, `${what} gets ${came}. Expected is the error ${codes.join(" or ")}.`, exchange);
}

/** Demands a JSON-RPC error of a streaming call: as the response, or as the first event. */
export const demandStreamError = (call: A2ACall, code: number, what: string): void =>
  demandError({ ...call, json: call.json ?? call.events[0]?.json }, [code], what);

/** A stream that was read to its end, or until it should have ended. */
export interface Streamed {
  readonly call: A2ACall;
  /** The content of each event; undefined for an unknown one. */
  readonly payloads: readonly (Payload | undefined)[];
  /** The task after the stream; undefined when the stream has none. */
  readonly stored: JsonObject | undefined;
}

/** Milliseconds that a stream may stay open after its task has ended. */
const graceMs = 1_500;

/** Reads a stream. Leaves it when the task has ended, by its events or by a poll, and the stream stays open. */
export async function readTaskStream(
  agent: A2AAgent,
  open: (options: A2ACallOptions) => Promise<A2ACall>,
): Promise<Streamed> {
  const leave = new AbortController();
  const closed = new AbortController();
  const payloads: (Payload | undefined)[] = [];
  let taskId: string | undefined;
  const wait = (ms: number): Promise<void> => pause(ms, undefined, { signal: closed.signal }).catch(() => {});
  const leaveSoon = async (): Promise<void> => {
    await wait(graceMs);
    leave.abort();
  };
  const poll = async (id: string): Promise<void> => {
    do await wait(500);
    while (!closed.signal.aborted && !isEnded(taskOf(await agent.call("get", { id }), agent) ?? {}));
    await leaveSoon();
  };
  const onEvent: A2ACallOptions["onEvent"] = ({ json }) => {
    const payload = payloadOf(objectOf(json)?.["result"], agent.dialect);
    payloads.push(payload);
    if (payload?.kind === "message" || (payload && isEnded(payload.value))) void leaveSoon();
    if (taskId !== undefined || !payload) return;
    taskId = stringOf(payload.value[payload.kind === "task" ? "id" : "taskId"]);
    if (taskId !== undefined) void poll(taskId).catch(() => {});
  };
  const call = await open({ onEvent, until: leave.signal }).finally(() => closed.abort());
  const stored = taskId === undefined ? undefined : taskOf(await agent.call("get", { id: taskId }), agent);
  return { call, payloads, stored };
}

/** Streams a question, and leaves at the first event. */
export function peek(agent: A2AAgent, text: string): Promise<A2ACall> {
  const leave = new AbortController();
  return agent.send(text, { operation: "stream", onEvent: () => leave.abort(), until: leave.signal });
}

/** Skips the check unless the card says that the agent streams. */
export function demandStreaming(agent: A2AAgent): void {
  if (!capabilityOf(agent, "streaming")) throw new NotJudged("The card says that the agent does not stream.");
}

/** The stream of the slow question, otherwise of the answered one; it is opened once. */
const streamed = (agent: A2AAgent): Promise<Streamed> =>
  agent.once("streamed", async () => {
    demandStreaming(agent);
    await answered(agent);
    const { slow, answered: text } = agent.questions;
    return readTaskStream(agent, (options) => agent.send(slow ?? text, { ...options, operation: "stream" }));
  });

export const onStream: Judging<A2AAgent, Streamed> = judging(streamed, ({ call }) => call);
