import { isObject, objectOf, objectsOf, stringOf, type JsonObject } from "../wire/json.ts";
import { stateNames, type Dialect, type StateName } from "./dialect.ts";

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

export const artifactsOf = (task: JsonObject): readonly JsonObject[] => objectsOf(task["artifacts"]);

export const partsOf = (holder: JsonObject | undefined): readonly JsonObject[] => objectsOf(holder?.["parts"]);

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
  return [...objectsOf(task["history"]), ...(said ? [said] : [])];
}
