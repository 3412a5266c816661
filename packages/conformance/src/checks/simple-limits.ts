import { randomUUID } from "node:crypto";
import { question } from "../a2a/scenarios.ts";
import { demand, type Check } from "../run/check.ts";
import type { SimpleAgent } from "../simple/simple-agent.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject, objectOf, quoted } from "../wire/json.ts";
import { simple } from "./sources.ts";

/** Whether a faulty request is rejected: by the HTTP status, or by the status of the response. */
const isRefused = ({ status = 0, json }: Exchange): boolean =>
  (status >= 400 && status < 500) || (status < 300 && objectOf(json)?.["status"] === "error");

const cameOf = ({ problem, status }: Exchange): string => problem ?? `HTTP ${status}`;

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
      const exchange = await agent.post('{"task_id": ');
      demand(isRefused(exchange), `Malformed JSON gets ${cameOf(exchange)}.`, exchange);
    },
  },
  {
    id: "simple-goes-on",
    title: "Goes on after a faulty request",
    rule: "Whatever is sent to it, the agent answers the next task.",
    source: simple,
    fix: "Catch every error of a request in the handler.",
    needs: ["simple-answered"],
    judge: async (agent) => {
      for (const body of ["", "[]", "null", '{"task_id":']) await agent.post(body);
      const reply = await agent.run(agent.questions.answered);
      demand(isObject(reply.response), `After faulty requests, a task gets ${cameOf(reply)}.`, reply);
    },
  },
  {
    id: "simple-concurrent",
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
    id: "simple-slow",
    title: "Holds the connection until the answer",
    rule: "The response comes when the task is done. There is no status for work that goes on.",
    source: simple,
    fix: "Wait for the work, then answer with success or error.",
    needs: ["simple-status"],
    judge: async (agent) => {
      const reply = await agent.run(question(agent, "slow"));
      const status = reply.response?.["status"];
      const is = status === "success" || status === "error";
      demand(is, `The slow task gets ${quoted(status ?? cameOf(reply))}.`, reply);
    },
  },
];
