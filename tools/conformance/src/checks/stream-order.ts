import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { artifactsOf, isEnded, onStream, type Payload, type Streamed, textOf } from "../a2a/scenarios.ts";
import { type Check, NotJudged } from "../check.ts";
import { type JsonObject, objectOf, quoted } from "../wire.ts";
import { a2a, a2a03 } from "./sources.ts";

/** Makes the judge of the payloads of a stream in which every event has one. */
const onPayloads = (verdict: (payloads: readonly Payload[], stream: Streamed) => true | string) =>
  onStream((stream) =>
    verdict(
      stream.payloads.filter((payload) => payload !== undefined),
      stream,
    ),
  );

const artifactIdOf = (update: JsonObject): unknown => objectOf(update["artifact"])?.["artifactId"];

/** Returns the text of each artifact as the events have it. */
function textsOf(payloads: readonly Payload[]): ReadonlyMap<unknown, string> {
  const texts = new Map<unknown, string>();
  for (const { kind, value } of payloads) {
    if (kind === "task") for (const artifact of artifactsOf(value)) texts.set(artifact["artifactId"], textOf(artifact));
    if (kind !== "artifactUpdate") continue;
    const id = artifactIdOf(value);
    const before = value["append"] === true ? (texts.get(id) ?? "") : "";
    texts.set(id, before + textOf(objectOf(value["artifact"])));
  }
  return texts;
}

export const streamOrderChecks: readonly Check<A2AAgent>[] = [
  {
    id: "stream-begins",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Begins a stream with the task or message",
    rule: "The first event is the task, or the message that is the answer.",
    source: a2a("312-send-streaming-message", "72-messagestream"),
    fix: "Send the task as the first event, before updates.",
    needs: ["stream-events"],
    judge: onPayloads(
      ([first]) => first?.kind === "task" || first?.kind === "message" || `The first event is ${quoted(first?.kind)}.`,
    ),
  },
  {
    id: "stream-one-message",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Ends the stream after a message",
    rule: "A stream that answers with a message has exactly that one event.",
    source: a2a("312-send-streaming-message", "72-messagestream"),
    fix: "Send the whole answer as one message and close the stream. To send it in pieces, send a task and artifact updates with append.",
    needs: ["stream-events"],
    judge: onPayloads((payloads) => {
      if (!payloads.some(({ kind }) => kind === "message")) throw new NotJudged("The stream has no message.");
      const more = `The stream has a message and ${payloads.length - 1} more events.`;
      return payloads.length === 1 || `${more} Clients that stop at the first message cut off the answer.`;
    }),
  },
  {
    id: "stream-ids",
    title: "Tells of one task in a stream",
    rule: "Every event has the id and the contextId of the same task.",
    source: a2a("42-streaming-events", "722-taskstatusupdateevent-object"),
    fix: "Put the ids of the task into each event.",
    needs: ["stream-events"],
    judge: onPayloads((payloads) => {
      const tasks = payloads.filter(({ kind }) => kind !== "message");
      const ids = new Set(tasks.map(({ kind, value }) => String(value[kind === "task" ? "id" : "taskId"])));
      const contexts = new Set(tasks.map(({ value }) => value["contextId"]));
      if (ids.size > 1) return `There are the tasks ${[...ids].join(", ")}.`;
      return contexts.size <= 1 || `There are the contexts ${[...contexts].join(", ")}.`;
    }),
  },
  {
    id: "stream-closes",
    title: "Closes the stream at the end of the task",
    rule: "When the task has ended, the stream reports it and closes.",
    source: a2a("312-send-streaming-message", "722-taskstatusupdateevent-object"),
    fix: "Send the last status update, then end the response. Do so also when the work fails.",
    needs: ["stream-events"],
    judge: onPayloads((payloads, { call, stored }) => {
      if (stored && !isEnded(stored)) throw new NotJudged("The task of the stream has not ended.");
      if (call.ended !== "whole") return "The task has ended, and the stream is still open.";
      const hasEnd = payloads.some(({ kind, value }) => kind === "message" || isEnded(value));
      return hasEnd || "The stream closed without an event for the end.";
    }),
  },
  {
    id: "stream-final",
    title: "Marks the last event as final",
    rule: "The status update that ends the stream has final true, and no other one has.",
    source: a2a03("722-taskstatusupdateevent-object"),
    fix: "Set final: true on the last status update, and false on those before.",
    needs: ["stream-closes"],
    judge: onPayloads((payloads) => {
      const finals = payloads.map(({ value }) => value["final"] === true);
      if (!payloads.some(({ kind }) => kind === "statusUpdate")) throw new NotJudged("There is no status update.");
      if (finals.at(-1) !== true) return "The last event is not final.";
      return !finals.slice(0, -1).includes(true) || "An event before the last is final.";
    }),
  },
  {
    id: "stream-nothing-after-end",
    title: "Sends nothing after the end",
    rule: "The event for the end of the task is the last one; only the whole task may follow once more. Events arrive in order.",
    source: a2a("352-streaming-event-delivery", "722-taskstatusupdateevent-object"),
    fix: "Wait for all artifacts before you send the terminal state.",
    needs: ["stream-events"],
    judge: onPayloads((payloads) => {
      const end = payloads.findIndex(({ value }) => isEnded(value));
      const after = end === -1 ? [] : payloads.slice(end + 1);
      return (
        after.every(({ kind, value }) => kind === "task" && isEnded(value)) ||
        `After the end of the task there are ${after.length} events.`
      );
    }),
  },
  {
    id: "stream-append",
    title: "Appends only to artifacts that it has sent",
    rule: "append adds to an artifact of the same id that was sent before.",
    source: a2a("422-taskartifactupdateevent", "723-taskartifactupdateevent-object"),
    fix: "Send the first piece of each artifact without append.",
    needs: ["stream-events"],
    judge: onPayloads((payloads) => {
      const known = new Set<unknown>();
      for (const { kind, value } of payloads) {
        if (kind === "task") for (const artifact of artifactsOf(value)) known.add(artifact["artifactId"]);
        if (kind !== "artifactUpdate") continue;
        const id = artifactIdOf(value);
        if (value["append"] === true && !known.has(id)) return `The artifact ${quoted(id)} begins with append.`;
        known.add(id);
      }
      return true;
    }),
  },
  {
    id: "stream-last-chunk",
    title: "Sends nothing for an artifact after its last chunk",
    rule: "lastChunk says that the artifact is complete.",
    source: a2a("422-taskartifactupdateevent", "723-taskartifactupdateevent-object"),
    fix: "Set lastChunk only on the last piece.",
    needs: ["stream-append"],
    judge: onPayloads((payloads) => {
      const complete = new Set<unknown>();
      for (const { value } of payloads.filter(({ kind }) => kind === "artifactUpdate")) {
        const id = artifactIdOf(value);
        if (complete.has(id)) return `The artifact ${quoted(id)} goes on after lastChunk.`;
        if (value["lastChunk"] === true) complete.add(id);
      }
      return true;
    }),
  },
  {
    id: "stream-text",
    title: "Streams the text that it stores",
    rule: "The pieces of an artifact, in the order in which they arrive, are the artifact of the task.",
    source: a2a("352-streaming-event-delivery", "723-taskartifactupdateevent-object"),
    fix: "Send each piece once and in order: only what is new, with append, or the whole artifact without it.",
    needs: ["stream-append", "stream-nothing-after-end"],
    explainedBy: ["stream-one-message"],
    judge: onPayloads((payloads, { stored }) => {
      if (!stored) throw new NotJudged("The stream has no task that can be fetched.");
      const texts = textsOf(payloads);
      for (const artifact of artifactsOf(stored)) {
        const [inStream, inTask] = [texts.get(artifact["artifactId"]) ?? "", textOf(artifact)];
        if (inStream !== inTask) return `The stream has ${quoted(inStream)}, and the task has ${quoted(inTask)}.`;
      }
      return texts.size <= artifactsOf(stored).length || "The stream has artifacts that the task lacks.";
    }),
  },
];
