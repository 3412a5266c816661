import { randomUUID } from "node:crypto";
import { optionFor } from "../a2a/scenarios.ts";
import { demand, NotJudged, type Check } from "../run/check.ts";
import type { SimpleAgent } from "../simple/simple-agent.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject, objectOf, quoted } from "../wire/json.ts";
import { simple } from "./sources.ts";

/** Whether a faulty request is rejected: by the HTTP status, or by the status of the response. */
const isRefused = ({ status = 0, json }: Exchange): boolean =>
  (status >= 400 && status < 500) || (status < 300 && objectOf(json)?.["status"] === "error");

const cameOf = ({ problem, status }: Exchange): string => problem ?? `HTTP ${status}`;

const malformed = { "content-type": "application/json" };

export const simpleLimitChecks: readonly Check<SimpleAgent>[] = [
  {
    id: "simple-malformed",
    level: "should",
    title: "Rejects malformed JSON",
    rule: "A body that is not JSON gets HTTP 400, or the status error.",
    source: simple,
    fix: "Catch the parser's error, and answer with HTTP 400.",
    needs: ["simple-answers"],
    judge: async (agent) => {
      const exchange = await agent.post('{"task_id": ', malformed);
      demand(isRefused(exchange), `Malformed JSON gets ${cameOf(exchange)}.`, exchange);
    },
  },
  {
    id: "simple-goes-on",
    level: "must",
    title: "Goes on after a faulty request",
    rule: "Whatever is sent to it, the agent answers the next task.",
    source: simple,
    fix: "Catch every error of a request in the handler.",
    needs: ["simple-answered"],
    judge: async (agent) => {
      for (const body of ["", "[]", "null", '{"task_id":']) await agent.post(body, malformed);
      const reply = await agent.run(agent.questions.answered);
      demand(isObject(reply.response), `After faulty requests, a task gets ${cameOf(reply)}.`, reply);
    },
  },
  {
    id: "simple-input-required",
    level: "should",
    title: "Rejects a task without input",
    rule: "A task has the members task_id and input. One without input gets HTTP 400, or the status error.",
    source: simple,
    fix: "Check that input is there before you use it.",
    needs: ["simple-answers"],
    judge: async (agent) => {
      const exchange = await agent.post(JSON.stringify({ task_id: randomUUID() }), malformed);
      demand(isRefused(exchange), `A task without input gets ${cameOf(exchange)}.`, exchange);
    },
  },
  {
    id: "simple-unknown-members",
    level: "should",
    title: "Ignores members that it does not know",
    rule: "Requests may have more members than task_id and input.",
    source: simple,
    fix: "Don't validate with a closed schema.",
    needs: ["simple-answered"],
    judge: async (agent) => {
      const reply = await agent.run(agent.questions.answered, { more: { crosszone_unknown: { a: 1 } } });
      const status = reply.response?.["status"];
      demand(status === "success", `The status is ${quoted(status ?? cameOf(reply))}.`, reply);
    },
  },
  {
    id: "simple-concurrent",
    level: "must",
    title: "Answers each of several tasks at once",
    rule: "Responses belong to their requests, no matter how many are open.",
    source: simple,
    fix: "Keep no request state in variables that requests share.",
    needs: ["simple-answered", "simple-task-id"],
    judge: async (agent) => {
      const ids = Array.from({ length: 4 }, () => randomUUID());
      const replies = await Promise.all(ids.map((taskId) => agent.run(agent.questions.answered, { taskId })));
      const wrong = replies.find(({ taskId, response }) => response?.["task_id"] !== taskId);
      demand(wrong === undefined, "One of 4 tasks got no response or the response of another.", wrong);
    },
  },
  {
    id: "simple-repeat",
    level: "should",
    title: "Answers a repeated task",
    rule: "Delivery is at least once: the same task_id can arrive again, and is answered again.",
    source: simple,
    fix: "Answer a repeated task_id with the same response. Don't reject it, and don't do the work again.",
    needs: ["simple-answered"],
    judge: async (agent) => {
      const first = await agent.answered();
      const again = await agent.run(agent.questions.answered, { taskId: first.taskId });
      const status = again.response?.["status"];
      demand(status === "success", `The status is ${quoted(status ?? cameOf(again))}.`, again);
    },
  },
  {
    id: "simple-large-body",
    level: "should",
    title: "Takes or rejects a body of 1 MiB",
    rule: "A large request is answered, or rejected with a status of 400 to 499.",
    source: simple,
    fix: "Raise the body limit of the web framework.",
    needs: ["simple-answers"],
    judge: async (agent) => {
      const input = { text: agent.questions.answered, pad: "x".repeat(1_048_576) };
      const exchange = await agent.post(JSON.stringify({ task_id: randomUUID(), input }), malformed);
      const is = exchange.status !== undefined && exchange.status < 500;
      demand(is, `A body of 1 MiB gets ${cameOf(exchange)}.`, exchange);
    },
  },
  {
    id: "simple-slow",
    level: "must",
    title: "Holds the connection until the answer",
    rule: "The response comes when the task is done. There is no status for work that goes on.",
    source: simple,
    fix: "Wait for the work, then answer with success or error.",
    needs: ["simple-status"],
    judge: async (agent) => {
      const { slow } = agent.questions;
      if (slow === undefined) throw new NotJudged(`Needs ${optionFor.slow}.`);
      const reply = await agent.run(slow);
      const status = reply.response?.["status"];
      const is = status === "success" || status === "error";
      demand(is, `The slow task gets ${quoted(status ?? cameOf(reply))}.`, reply);
    },
  },
  {
    id: "simple-get",
    level: "should",
    title: "Rejects a GET request",
    rule: "Tasks come by POST. A GET request gets a status below 500, and no crash.",
    source: simple,
    fix: "Answer GET with HTTP 405 or a card.",
    needs: ["simple-answers"],
    judge: async (agent) => {
      const exchange = await agent.get();
      const is = exchange.status !== undefined && exchange.status < 500;
      demand(is, `A GET request gets ${cameOf(exchange)}.`, exchange);
    },
  },
  {
    id: "simple-no-internals",
    level: "should",
    title: "Keeps stack traces to itself",
    rule: "Responses have no stack traces and no paths of files.",
    source: simple,
    fix: "Log the exception, and send a fixed sentence.",
    needs: ["simple-malformed"],
    judge: async (agent) => {
      const exchange = await agent.post('{"task_id": 7, "input": []}', malformed);
      const found = /Traceback \(most recent|\n\s+at .+:\d+:\d+|node_modules\//.exec(
        exchange.text.replaceAll("\\n", "\n"),
      );
      demand(found === null, `The response contains ${JSON.stringify(found?.[0])}.`, exchange);
    },
  },
];
