import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { objectOf, stringOf, type JsonObject } from "../wire/json.ts";
import { partsOf } from "../a2a/read-task.ts";

/** A task in the words of A2A 1.0. */
export interface GoodTask {
  readonly id: string;
  readonly contextId: string;
  readonly messageIds: string[];
  readonly history: JsonObject[];
  artifacts: JsonObject[];
  status: JsonObject;
  readonly stop: AbortController;
  readonly listeners: Set<(event: JsonObject) => void>;
}

export const stateOfGood = ({ status }: GoodTask): string => String(status["state"]).replace("TASK_STATE_", "");

export const hasEnded = (task: GoodTask): boolean =>
  ["COMPLETED", "FAILED", "CANCELED", "REJECTED"].includes(stateOfGood(task));

export const isWaiting = (task: GoodTask): boolean => stateOfGood(task) === "INPUT_REQUIRED";

const said = (text: string): JsonObject => ({ messageId: randomUUID(), role: "ROLE_AGENT", parts: [{ text }] });

const statusOf = (state: string, text?: string): JsonObject => ({
  state: `TASK_STATE_${state}`,
  timestamp: new Date().toISOString(),
  ...(text !== undefined && { message: said(text) }),
});

export function newTask(contextId: string): GoodTask {
  return {
    id: randomUUID(),
    contextId,
    messageIds: [],
    history: [],
    artifacts: [],
    status: statusOf("SUBMITTED"),
    stop: new AbortController(),
    listeners: new Set(),
  };
}

/** Sets the state of a task and calls the listeners. An ended task stays as it is. */
export function setState(task: GoodTask, state: string, text?: string): void {
  if (hasEnded(task)) return;
  task.status = statusOf(state, text);
  const { id: taskId, contextId, status } = task;
  for (const publish of task.listeners) publish({ statusUpdate: { taskId, contextId, status } });
}

function addPiece(task: GoodTask, artifactId: string, { part, last }: { part: JsonObject; last: boolean }): void {
  if (hasEnded(task)) return;
  const known = task.artifacts.find((each) => each["artifactId"] === artifactId);
  const parts = [...partsOf(known), part];
  const text = parts.map((each) => stringOf(each["text"]) ?? "").join("");
  const whole = { artifactId, parts: part["text"] === undefined ? parts : [{ text }] };
  task.artifacts = known ? task.artifacts.map((each) => (each === known ? whole : each)) : [...task.artifacts, whole];
  const { id: taskId, contextId } = task;
  const artifact = { artifactId, parts: [part] };
  for (const publish of task.listeners)
    publish({ artifactUpdate: { taskId, contextId, artifact, append: known !== undefined, lastChunk: last } });
}

const pieces = ["One ", "two ", "three."];

/** Does the work of a message: answers, slowly, with a question, with a file or with a failure. */
export async function work(task: GoodTask, message: JsonObject): Promise<void> {
  const text = stringOf(partsOf(message)[0]?.["text"]) ?? "";
  const replies = isWaiting(task);
  setState(task, "WORKING", "On it.");
  // Gives the opener of a stream time to listen.
  await pause(5);
  if (text === "fail") return setState(task, "FAILED", "The archive burned down.");
  if (text === "ask" && !replies) return setState(task, "INPUT_REQUIRED", "Which city?");
  for (const [index, piece] of pieces.entries()) {
    if (text === "slow") await pause(750, undefined, { signal: task.stop.signal }).catch(() => {});
    addPiece(task, "answer", { part: { text: piece }, last: index === pieces.length - 1 });
  }
  const file = { raw: Buffer.from("a,b\n").toString("base64"), filename: "a.csv", mediaType: "text/csv" };
  if (text === "file") addPiece(task, "file", { part: file, last: true });
  setState(task, "COMPLETED");
}

/** Returns a task as a response has it. */
export function shown({ id, contextId, status, artifacts, history }: GoodTask, historyLength?: unknown): JsonObject {
  const kept = typeof historyLength === "number" ? history.slice(history.length - historyLength) : history;
  const messages = historyLength === 0 ? [] : kept;
  return { id, contextId, status, artifacts, ...(messages.length > 0 && { history: messages }) };
}

export const messageIn = (params: JsonObject): JsonObject | undefined => objectOf(params["message"]);
