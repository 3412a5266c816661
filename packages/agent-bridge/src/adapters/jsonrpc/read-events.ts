import { isObject, ownList, ownMember, type JsonObject } from "@crosszone/service-kit/json";
import { AgentFailure } from "../../protocol/agent-failure.ts";
import type { Reading, AgentReply } from "../../protocol/protocol-adapter.ts";
import { readReplyOf, type ReadReplyOptions } from "./read-reply.ts";

/** Largest total size of a streamed task's artifacts, bytes. Each event also has its own limit. */
const largestArtifacts = 32 * 1024 * 1024;

type Task = Record<string, unknown> & { artifacts?: JsonObject[] };

/**
 * Returns a function that reads the events of one stream. Each event is a JSON-RPC response with a task, a message or an update of the task.
 * Each reading covers the whole task so far. The function throws a `ProtocolTranslationError` for an event that is not such a response, and
 * an `AgentFailure` when the artifacts become too large. https://a2a-protocol.org/v0.3.0/specification/#72-messagestream
 */
export function createEventReader({ normalise, ...options }: ReadReplyOptions): (event: AgentReply) => Reading {
  const task: Task = {};
  let bytes = 0;
  const fold = (result: unknown, size: number): unknown => {
    const event = normalise === undefined ? result : normalise(result);
    if (!isObject(event)) return event;
    if (isChange(event)) {
      bytes += event["artifact"] === undefined ? 0 : size;
      if (bytes > largestArtifacts) throw tooLarge();
      change(task, event);
      return task;
    }
    if (event["kind"] !== "message" && event["status"] !== undefined) Object.assign(task, event);
    return event;
  };
  return (event) => {
    const reading = readReplyOf(event, { ...options, normalise: (result) => fold(result, event.body.byteLength) });
    const { artifacts } = task;
    return reading.state === "working" && Array.isArray(artifacts) ? { ...reading, artifacts } : reading;
  };
}

const tooLarge = (): AgentFailure =>
  new AgentFailure("response_too_large", `The agent streamed artifacts larger than ${largestArtifacts} bytes.`);

const isChange = (event: JsonObject): boolean =>
  event["kind"] === "status-update" || event["kind"] === "artifact-update";

/** Applies an event to the task. An agent that never sends the task itself still sends its id and context id in every event. */
function change(task: Task, event: JsonObject): void {
  const { taskId, contextId, status, metadata } = event;
  task["kind"] = "task";
  task["id"] ??= taskId;
  task["contextId"] ??= contextId;
  if (event["kind"] === "status-update") Object.assign(task, { status, ...(isObject(metadata) && { metadata }) });
  else addArtifact(task, event);
  task["status"] ??= { state: "working" };
}

function addArtifact(task: Task, { artifact, append }: JsonObject): void {
  if (!isObject(artifact)) return;
  const artifacts = (task.artifacts = Array.isArray(task.artifacts) ? task.artifacts : []);
  const at = artifacts.findIndex((each) => ownMember(each, "artifactId") === artifact["artifactId"]);
  const known = artifacts[at];
  const parts = ownMember(known, "parts");
  if (known === undefined) artifacts.push(artifact);
  else if (append === true && Array.isArray(parts)) for (const part of ownList(artifact, "parts")) parts.push(part);
  else artifacts[at] = artifact;
}
