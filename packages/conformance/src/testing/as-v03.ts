import { isObject, type JsonObject } from "../wire/json.ts";

const word = (value: unknown): string =>
  String(value)
    .replace(/^(TASK_STATE|ROLE)_/, "")
    .toLowerCase()
    .replace("_", "-");

const partOf = ({ text, raw, filename, mediaType }: JsonObject): JsonObject =>
  raw === undefined
    ? { kind: "text", text }
    : { kind: "file", file: { bytes: raw, name: filename, mimeType: mediaType } };

/** Writes a result of A2A 1.0 as A2A 0.3 does. */
export function asV03(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asV03);
  if (!isObject(value)) return value;
  const inner: JsonObject = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "parts" ? (member as JsonObject[]).map(partOf) : asV03(member),
    ]),
  );
  const { task, message, statusUpdate, artifactUpdate, ...others } = inner;
  if (isObject(task)) return task;
  if (isObject(artifactUpdate)) return { ...artifactUpdate, kind: "artifact-update" };
  if (isObject(statusUpdate)) return { ...statusUpdate, kind: "status-update", final: isFinal(statusUpdate) };
  const whole: JsonObject = { ...others, ...(message !== undefined && { message }) };
  if ("state" in whole) return { ...whole, state: word(whole["state"]) };
  if ("messageId" in whole) return { ...whole, role: word(whole["role"]), kind: "message" };
  return "status" in whole && "id" in whole ? { ...whole, kind: "task" } : whole;
}

const isFinal = ({ status }: JsonObject): boolean =>
  isObject(status) && ["completed", "failed", "canceled", "input-required"].includes(String(status["state"]));
