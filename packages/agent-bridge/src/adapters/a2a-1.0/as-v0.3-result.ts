import { isObject, ownList, ownMember, type JsonObject } from "../own-member.ts";

/**
 * Converts a result or stream event of A2A 1.0 to the shape of 0.3: `{task}`, `{message}`, `{statusUpdate}` and `{artifactUpdate}` lose their
 * wrapper, `TASK_STATE_COMPLETED` becomes `completed`, and each part gets its `kind`. Members that 0.3 does not have are kept. A value of
 * an unknown shape is returned unchanged.
 */
export function asV03Result(result: unknown): unknown {
  const message = ownMember(result, "message");
  if (isObject(message)) return { ...messageOf(message), kind: "message" };
  const { statusUpdate, artifactUpdate } = isObject(result) ? result : {};
  if (isObject(statusUpdate)) return { ...statusUpdate, kind: "status-update", ...statusIn(statusUpdate) };
  if (isObject(artifactUpdate))
    return { ...artifactUpdate, kind: "artifact-update", artifact: withKinds(artifactUpdate["artifact"]) };
  const task = ownMember(result, "task") ?? result;
  return isObject(task) ? taskOf(task) : result;
}

function taskOf(task: JsonObject): JsonObject {
  return {
    ...task,
    kind: "task",
    ...statusIn(task),
    ...(Array.isArray(task["artifacts"]) && { artifacts: ownList(task, "artifacts").map(withKinds) }),
    ...(Array.isArray(task["history"]) && { history: ownList(task, "history").map(messageOf) }),
  };
}

function statusIn(holder: JsonObject): { readonly status?: JsonObject } {
  const status = ownMember(holder, "status");
  return isObject(status) ? { status: statusOf(status) } : {};
}

function statusOf(status: JsonObject): JsonObject {
  const message = ownMember(status, "message");
  return {
    ...status,
    state: stateOf(status["state"]),
    ...(isObject(message) && { message: messageOf(message) }),
  };
}

/** `TASK_STATE_INPUT_REQUIRED` as `input-required`. */
function stateOf(state: unknown): unknown {
  if (typeof state !== "string" || !state.startsWith("TASK_STATE_")) return state;
  return state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-");
}

function messageOf(message: unknown): JsonObject {
  const role = ownMember(message, "role");
  return { ...withKinds(message), ...(role !== undefined && { role: role === "ROLE_USER" ? "user" : "agent" }) };
}

function withKinds(holder: unknown): JsonObject {
  if (!isObject(holder)) return {};
  return Array.isArray(holder["parts"]) ? { ...holder, parts: ownList(holder, "parts").map(partOf) } : holder;
}

function partOf(part: unknown): unknown {
  if (!isObject(part) || part["kind"] !== undefined) return part;
  const { text, raw, url, data, mediaType, filename, ...others } = part;
  if (text !== undefined) return { ...others, kind: "text", text };
  if (data !== undefined) return { ...others, kind: "data", data, ...(filename !== undefined && { filename }) };
  if (raw === undefined && url === undefined) return part;
  const file = {
    ...(filename !== undefined && { name: filename }),
    ...(mediaType !== undefined && { mimeType: mediaType }),
    ...(raw === undefined ? { uri: url } : { bytes: raw }),
  };
  return { ...others, kind: "file", file };
}
