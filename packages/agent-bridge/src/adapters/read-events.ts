import { isObject, type JsonObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { AgentFailure, type AgentReply, type Reading } from "../protocol/protocol-adapter.ts";
import { addPart, StreamedWords } from "./output-of-task.ts";
import { readReplyOf, type ReadReplyOptions, workingStates } from "./read-reply.ts";

/** Largest total size of a streamed task's artifacts and messages, bytes. Each event also has its own limit. */
const largestArtifacts = 32 * 1024 * 1024;
/** The most artifacts and messages of a streamed task. Each reading has all of them. */
const mostArtifacts = 10_000;

type Task = Record<string, unknown> & { artifacts?: JsonObject[] };

/**
 * Returns a function that reads the events of one stream. Each event is a JSON-RPC response with a task, a message or an update of the task.
 * Each reading covers the whole task so far. Messages that follow each other are one message. Without a task it is the answer once the
 * stream has ended; until then its reading is open. A task that is completed without an answer has the last words of its stream as answer.
 * The function throws a `ProtocolTranslationError` for an event that is not such a response, and an `AgentFailure` when artifacts and
 * messages become too large. https://a2a-protocol.org/v0.3.0/specification/#72-messagestream
 */
export function createEventReader({ normalize, ...options }: ReadReplyOptions): (event: AgentReply) => Reading {
  const task: Task = {};
  const words = new StreamedWords();
  let bytes = 0;
  let isOpen = false;
  const fold = (result: unknown, size: number): unknown => {
    const event = normalize === undefined ? result : normalize(result);
    if (!isObject(event)) return event;
    const { kind, artifact, status } = event;
    const hold = (): void => {
      bytes += size;
      if (bytes > largestArtifacts) throw tooLarge(`artifacts larger than ${largestArtifacts} bytes`);
    };
    if (kind === "message" || artifact !== undefined) hold();
    isOpen = kind === "message" && task["id"] === undefined;
    if (kind === "message") {
      const message = words.add(event);
      return isOpen ? message : task;
    }
    if (kind !== "status-update" && kind !== "artifact-update" && kind !== "task" && status === undefined) return event;
    const before = task["status"];
    if (kind === "status-update" || kind === "artifact-update") change(task, event);
    else Object.assign(task, given(event));
    task["status"] ??= { state: kind === "task" ? "unspecified" : "working" };
    if (task["status"] !== before && words.note(ownMember(task["status"], "message"), kind === "task")) hold();
    // An agent can send anything as its artifacts.
    const hasEnded = !workingStates.has(ownMember(task["status"], "state"));
    if (Array.isArray(task.artifacts) && hasEnded) task.artifacts = joinPieces(task.artifacts);
    return words.answering(task);
  };
  return (event) => {
    const reading = readReplyOf(event, { ...options, normalize: (result) => fold(result, event.body.byteLength) });
    if (reading.state === "ended" && !isOpen) return reading;
    const artifacts = [...ownList(task, "artifacts"), ...words.shown];
    if (artifacts.length > mostArtifacts) throw tooLarge(`more than ${mostArtifacts} artifacts and messages`);
    return { ...reading, artifacts: artifacts.length > 0 ? artifacts : undefined, isOpen };
  };
}

const tooLarge = (what: string): AgentFailure => new AgentFailure("response_too_large", `The agent streamed ${what}.`);

/** Returns the members that say something: null is absent, and an empty list takes nothing away. */
const given = (event: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(event).filter(([, member]) =>
      Array.isArray(member) ? member.length > 0 : (member ?? null) !== null,
    ),
  );

/** Applies an event to the task. An agent that never sends the task itself still sends its id and context id in every event. */
function change(task: Task, event: JsonObject): void {
  const { taskId, contextId, status, metadata } = event;
  task["kind"] = "task";
  task["id"] ??= taskId;
  task["contextId"] ??= contextId;
  if (event["kind"] === "artifact-update") return addArtifact(task, event);
  Object.assign(task, given({ status }), isObject(metadata) && { metadata });
}

/** Artifacts to which a stream has appended. */
const grown = new WeakSet<object>();

/** Makes one text of the pieces of an artifact that has been streamed. A preview needs the pieces until then. */
function joinPieces(artifacts: readonly JsonObject[]): JsonObject[] {
  return artifacts.map((artifact) => {
    if (!grown.has(artifact)) return artifact;
    const parts: JsonObject[] = [];
    for (const part of ownList(artifact, "parts")) addPart(parts, part);
    return { ...artifact, parts };
  });
}

/** The places of artifacts in their lists, by their ids. */
const places = new WeakMap<object, Map<unknown, number>>();

/** Returns the place of the artifact with this id; the end of the list for a new one, which is then expected there. */
function placeOf(artifacts: readonly JsonObject[], id: unknown): number {
  const known = places.getOrInsertComputed(artifacts, () => {
    const all = artifacts.map((each, at): [unknown, number] => [ownMember(each, "artifactId"), at]);
    return new Map(all.toReversed());
  });
  return known.getOrInsertComputed(id, () => artifacts.length);
}

function addArtifact(task: Task, { artifact, append }: JsonObject): void {
  if (!isObject(artifact)) return;
  const artifacts = (task.artifacts = Array.isArray(task.artifacts) ? task.artifacts : []);
  const at = placeOf(artifacts, artifact["artifactId"]);
  const known = artifacts[at];
  const parts = ownMember(known, "parts");
  if (known === undefined) artifacts.push(artifact);
  else if (append === true && Array.isArray(parts)) {
    grown.add(known);
    for (const part of ownList(artifact, "parts")) parts.push(part);
  } else artifacts[at] = artifact;
}
