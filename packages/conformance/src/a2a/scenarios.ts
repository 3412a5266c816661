import { setTimeout as pause } from "node:timers/promises";
import { demand, NotJudged } from "../run/check.ts";
import { stringOf, type JsonObject } from "../wire/json.ts";
import { errorOf, type A2AAgent, type Call } from "./a2a-agent.ts";
import { hasAnswer, isIdle, payloadOf, stateOf } from "./read-task.ts";

/** A question and its course. */
export interface Course {
  readonly sent: Call;
  /** The task as each response has it, oldest first; none when the agent answered with a message. */
  readonly tasks: readonly JsonObject[];
  /** The message instead of a task. */
  readonly message: JsonObject | undefined;
  /** The request that brought the last of `tasks`. */
  readonly last: Call;
  /** Whether the task has ended or waits for the caller. */
  readonly isIdle: boolean;
}

/** Sends a question without waiting, and polls its task until it has ended or waits. */
export async function sendAndFollow(agent: A2AAgent, send: () => Promise<Call>): Promise<Course> {
  const sent = await send();
  const payload = payloadOf(sent.response?.["result"], agent.dialect);
  const message = payload?.kind === "message" ? payload.value : undefined;
  if (payload?.kind !== "task") return { sent, tasks: [], message, last: sent, isIdle: message !== undefined };
  return pollUntilIdle(agent, { sent, tasks: [payload.value], message: undefined, last: sent, isIdle: false });
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
  return pollUntilIdle(agent, { sent: first, tasks: [task], message: undefined, last: first, isIdle: false });
}

async function pollUntilIdle(agent: A2AAgent, start: Course): Promise<Course> {
  let { last } = start;
  const tasks = [...start.tasks];
  const startedAt = performance.now();
  const endAt = startedAt + agent.limitMs;
  for (let poll = 0; performance.now() < endAt; poll++) {
    const now = tasks.at(-1) as JsonObject;
    const id = stringOf(now["id"]);
    if (isIdle(now)) return { ...start, tasks, last, isIdle: true };
    const isStuck = stateOf(now) === "submitted" && hasAnswer(now) && performance.now() - startedAt > stuckMs;
    if (id === undefined || isStuck) break;
    await pause(pauses[Math.min(poll, pauses.length - 1)]);
    const call = await agent.call("get", { id });
    const task = taskOf(call, agent);
    if (!task) break;
    tasks.push(task);
    last = call;
  }
  return { ...start, tasks, last, isIdle: isIdle(tasks.at(-1) as JsonObject) };
}

/** Returns the task of a response to `get`, `cancel` or `send`. `get` and `cancel` return it bare in both versions. */
export function taskOf({ response }: Pick<Call, "response">, { dialect }: A2AAgent): JsonObject | undefined {
  const result = response?.["result"];
  const payload = payloadOf(result, dialect);
  if (payload) return payload.kind === "task" ? payload.value : undefined;
  const bare = typeof result === "object" && result !== null ? (result as JsonObject) : undefined;
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

/** Returns a question that was given as an option. */
export function question(agent: A2AAgent, name: keyof A2AAgent["questions"], option: string): string {
  const text = agent.questions[name];
  if (text === undefined) throw new NotJudged(`Needs ${option}.`);
  return text;
}

/** Which options bring which questions, in the words of a skipped check. */
export const optionFor = {
  slow: "a question whose answer takes at least two seconds: --slow <text>",
  asksBack: "a question that the agent answers with a question: --ask <text>",
  file: "a question that is answered with a file: --file <text>",
  fails: "a question that fails: --fail <text>",
} as const;

/** Demands a JSON-RPC error with one of the codes. */
export function demandError(call: Call, codes: readonly number[], when: string): void {
  const error = errorOf(call);
  const wanted = codes.join(" or ");
  demand(error !== undefined, `${when} is not rejected: expected the error ${wanted}.`, call);
  const code = error["code"];
  demand(codes.includes(code as number), `${when} is rejected with ${String(code)}, expected ${wanted}.`, call);
}
