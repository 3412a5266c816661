import { type A2AAgent, capabilityOf } from "../a2a/a2a-agent.ts";
import { demandError, demandStreamError, demandStreaming, onStream, peek, question } from "../a2a/scenarios.ts";
import { type Check, demand, NotJudged } from "../check.ts";
import { objectOf, quoted } from "../wire.ts";
import { atOnceMs } from "./execution.ts";
import { a2a, eventProblem } from "./sources.ts";

export const streamChecks: readonly Check<A2AAgent>[] = [
  {
    id: "streaming-off",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Does not stream when its card says so",
    rule: "Without the capability streaming in the card, streaming calls get UnsupportedOperationError.",
    source: a2a("334-capability-validation", "72-messagestream"),
    fix: 'Set "streaming": true in the capabilities of the card, or answer streaming calls with code -32004.',
    needs: ["version-spoken", "error-object", "card-members"],
    judge: async (agent) => {
      if (capabilityOf(agent, "streaming")) throw new NotJudged("The card says that the agent streams.");
      const call = await peek(agent, agent.questions.answered);
      demand(call.events.length === 0, "The card says that the agent does not stream, and it does.", call);
      const codes = agent.dialect.version === "1.0" ? [-32004] : [-32004, -32601];
      demandError(call, codes, "A streaming call");
    },
  },
  {
    id: "stream-opens",
    title: "Opens a stream",
    rule: "A streaming call is answered with HTTP 200, text/event-stream and at least one event.",
    source: a2a("942-sendstreamingmessage", "331-json-rpc-20-streaming"),
    fix: "Answer with Content-Type: text/event-stream, and write each event as data: <JSON> and an empty line.",
    needs: ["result-shape", "card-members"],
    judge: onStream(({ call: { status, mediaType, problem, events, ended, text } }) => {
      const came = problem ?? `HTTP ${status} ${mediaType}`;
      if (status !== 200 || mediaType !== "text/event-stream") return `The answer is ${came}.`;
      // Whatever the stream ends with before an empty line is not an event: https://html.spec.whatwg.org/multipage/server-sent-events.html
      const rest = text.split(/(?:\r\n|\n|\r(?!\n)){2}/).at(-1) ?? "";
      if (ended === "whole" && /^data:/m.test(rest)) return "There is no empty line after the last event.";
      return events.length > 0 || "The stream has no event.";
    }),
  },
  {
    id: "stream-responses",
    title: "Wraps each event into a response",
    rule: "The data of each event is a whole JSON-RPC response with a result and the id of the request.",
    source: a2a("942-sendstreamingmessage", "331-json-rpc-20-streaming"),
    fix: 'Write {"jsonrpc": "2.0", "id": …, "result": …} into each event.',
    needs: ["stream-opens"],
    explainedBy: ["id-string"],
    judge: onStream(({ call: { events, id } }) => {
      for (const { json, data } of events) {
        const response = objectOf(json);
        const error = objectOf(response?.["error"]);
        if (error)
          throw new NotJudged(`The stream ends with the error ${quoted(error["code"])}: ${quoted(error["message"])}.`);
        const is = response?.["jsonrpc"] === "2.0" && objectOf(response["result"]) !== undefined;
        if (!is) return `The data of an event is ${data.slice(0, 200)}`;
        if (response["id"] !== id) return `An event has the id ${quoted(response["id"])} instead of ${quoted(id)}.`;
      }
      return true;
    }),
  },
  {
    id: "stream-events",
    title: "Sends complete events",
    rule: "An event is exactly one of task, message, status update and artifact update, with its required members.",
    source: a2a("323-stream-response", "722-taskstatusupdateevent-object"),
    fix: "Add the members that are named: taskId, contextId, and status or artifact; in 0.3 also kind and final.",
    needs: ["stream-responses"],
    explainedBy: ["task-members", "state-word", "artifact-members", "message-members"],
    judge: onStream(({ payloads }, { dialect }) => {
      const wrong = payloads.map((payload) => eventProblem(payload, dialect)).find((problem) => problem !== undefined);
      return wrong === undefined || `An event has ${wrong}.`;
    }),
  },
  {
    id: "stream-at-once",
    level: "should",
    title: "Streams while it works",
    rule: "The first event arrives at once, not together with the answer.",
    source: a2a("312-send-streaming-message", "33-streaming-transport-server-sent-events"),
    fix: "Flush the headers and the first event before the work begins, and don't buffer or compress the stream.",
    needs: ["stream-opens"],
    alsoAlone: true,
    judge: onStream(({ call }, agent) => {
      question(agent, "slow");
      const error = objectOf(objectOf(call.events[0]?.json)?.["error"]);
      if (error) return `The stream begins with the error ${quoted(error["code"])}: ${quoted(error["message"])}.`;
      const firstMs = call.events[0]?.atMs ?? call.tookMs;
      const lastMs = call.events.at(-1)?.atMs ?? call.tookMs;
      // A busy machine is late with each event; a buffer holds the first one back until the last.
      const isAtOnce = firstMs < atOnceMs || firstMs < lastMs / 2;
      const [first, last] = [firstMs, lastMs].map((ms) => (ms / 1_000).toFixed(1));
      return isAtOnce || `The first event came after ${first} s, the last after ${last} s.`;
    }),
  },
  {
    id: "stream-rejects-invalid",
    title: "Rejects an invalid streaming call",
    rule: "A streaming call without a message gets the error -32602, as the response or as the only event.",
    source: a2a("332-error-handling", "81-standard-json-rpc-errors"),
    fix: "Validate the params before the stream is opened.",
    needs: ["stream-opens", "invalid-params"],
    judge: async (agent) => {
      demandStreaming(agent);
      demandStreamError(await agent.call("stream", {}), -32602, "A streaming call without a message");
    },
  },
];
