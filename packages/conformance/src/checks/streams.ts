import { type A2AAgent, capabilityOf } from "../a2a/a2a-agent.ts";
import { demandError, demandStreaming, optionFor, question, streamed } from "../a2a/scenarios.ts";
import { type Check, demand, NotJudged } from "../run/check.ts";
import { objectOf, quoted } from "../wire/json.ts";
import { eventProblem } from "./data-problems.ts";
import { a2a } from "./sources.ts";

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
      const leave = new AbortController();
      const options = { operation: "stream", onEvent: () => leave.abort(), until: leave.signal } as const;
      const call = await agent.send(agent.questions.answered, options);
      demand(call.events.length === 0, "The card says that the agent does not stream, and it does.", call);
      const codes = agent.dialect.version === "1.0" ? [-32004] : [-32004, -32601];
      demandError(call, codes, "A streaming call");
    },
  },
  {
    id: "stream-opens",
    level: "must",
    title: "Opens a stream",
    rule: "A streaming call is answered with HTTP 200, text/event-stream and at least one event.",
    source: a2a("942-sendstreamingmessage", "331-json-rpc-20-streaming"),
    fix: "Answer with Content-Type: text/event-stream, and write each event as data: <JSON> and an empty line.",
    needs: ["result-shape", "card-members"],
    judge: async (agent) => {
      const { call } = await streamed(agent);
      const came = call.problem ?? `HTTP ${call.status} ${call.mediaType}`;
      demand(call.status === 200 && call.mediaType === "text/event-stream", `The answer is ${came}.`, call);
      demand(call.events.length > 0, "The stream has no event.", call);
    },
  },
  {
    id: "stream-responses",
    level: "must",
    title: "Wraps each event into a response",
    rule: "The data of each event is a whole JSON-RPC response with a result.",
    source: a2a("942-sendstreamingmessage", "331-json-rpc-20-streaming"),
    fix: 'Write {"jsonrpc": "2.0", "id": …, "result": …} into each event.',
    needs: ["stream-opens"],
    judge: async (agent) => {
      const { call } = await streamed(agent);
      for (const { json, data } of call.events) {
        const response = objectOf(json);
        const error = objectOf(response?.["error"]);
        if (error)
          throw new NotJudged(`The stream ends with the error ${quoted(error["code"])}: ${quoted(error["message"])}.`);
        const is = response?.["jsonrpc"] === "2.0" && objectOf(response["result"]) !== undefined;
        demand(is, `The data of an event is ${data.slice(0, 200)}`, call);
      }
    },
  },
  {
    id: "stream-id",
    level: "must",
    title: "Puts the request's id into each event",
    rule: "The response in each event has the id of the request.",
    source: a2a("942-sendstreamingmessage", "331-json-rpc-20-streaming"),
    fix: "Copy the id of the request into each event.",
    needs: ["stream-responses"],
    explainedBy: ["id-string"],
    judge: async (agent) => {
      const { call } = await streamed(agent);
      const wrong = call.events.map(({ json }) => objectOf(json)?.["id"]).find((id) => id !== call.id);
      demand(wrong === undefined, `An event has the id ${quoted(wrong)} instead of ${quoted(call.id)}.`, call);
    },
  },
  {
    id: "stream-events",
    level: "must",
    title: "Sends complete events",
    rule: "An event is exactly one of task, message, status update and artifact update, with its required members.",
    source: a2a("323-stream-response", "722-taskstatusupdateevent-object"),
    fix: "Add the members that are named: taskId, contextId, and status or artifact; in 0.3 also kind and final.",
    needs: ["stream-responses"],
    explainedBy: ["task-members", "state-word", "artifact-members", "message-members"],
    judge: async (agent) => {
      const { call, payloads } = await streamed(agent);
      for (const payload of payloads) {
        const wrong = eventProblem(payload, agent.dialect);
        demand(wrong === undefined, `An event has ${wrong}.`, call);
      }
    },
  },
  {
    id: "stream-at-once",
    level: "should",
    title: "Streams while it works",
    rule: "The first event arrives at once, not together with the answer.",
    source: a2a("312-send-streaming-message", "33-streaming-transport-server-sent-events"),
    fix: "Flush the headers and the first event before the work begins, and don't buffer or compress the stream.",
    needs: ["stream-opens"],
    judge: async (agent) => {
      question(agent, "slow", optionFor.slow);
      const { call } = await streamed(agent);
      const firstMs = call.events[0]?.atMs ?? call.tookMs;
      demand(firstMs < 1_500, `The first event came after ${(firstMs / 1_000).toFixed(1)} s.`, call);
    },
  },
  {
    id: "stream-rejects-invalid",
    level: "must",
    title: "Rejects an invalid streaming call",
    rule: "A streaming call without a message gets the error -32602, as the response or as the only event.",
    source: a2a("332-error-handling", "81-standard-json-rpc-errors"),
    fix: "Validate the params before the stream is opened.",
    needs: ["stream-opens", "invalid-params"],
    judge: async (agent) => {
      demandStreaming(agent);
      const call = await agent.call("stream", {});
      const response = call.response ?? objectOf(call.events[0]?.json);
      demandError({ ...call, response }, [-32602], "A streaming call without a message");
    },
  },
];
