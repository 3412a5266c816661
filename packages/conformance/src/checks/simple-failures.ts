import { optionFor } from "../a2a/scenarios.ts";
import { demand, NotJudged, type Check } from "../run/check.ts";
import type { SimpleAgent, SimpleReply } from "../simple/simple-agent.ts";
import { objectOf, quoted, stringOf } from "../wire/json.ts";
import { isOk } from "./simple.ts";
import { simple } from "./sources.ts";

async function failed(agent: SimpleAgent): Promise<SimpleReply> {
  const { fails } = agent.questions;
  if (fails === undefined) throw new NotJudged(`Needs ${optionFor.fails}.`);
  return agent.failed(fails);
}

export const simpleFailureChecks: readonly Check<SimpleAgent>[] = [
  {
    id: "simple-failure",
    level: "must",
    title: "Answers a failed task with the status error",
    rule: 'A task that fails is answered with HTTP 2xx and the status "error".',
    source: simple,
    fix: "Catch what the work throws, and answer with status error.",
    needs: ["simple-status"],
    judge: async (agent) => {
      const reply = await failed(agent);
      const status = reply.response?.["status"];
      demand(isOk(reply), `The failed task gets ${reply.problem ?? `HTTP ${reply.status}`}.`, reply);
      demand(status === "error", `The status is ${quoted(status)}.`, reply);
    },
  },
  {
    id: "simple-failure-error",
    level: "should",
    title: "Says why a task failed",
    rule: "A failed response has the reason in error, as text or as an object with a message.",
    source: simple,
    fix: 'Answer with "error": "<one sentence>". Keep exceptions in the log.',
    needs: ["simple-failure"],
    judge: async (agent) => {
      const reply = await failed(agent);
      const error = reply.response?.["error"];
      const text = stringOf(error) ?? stringOf(objectOf(error)?.["message"]);
      demand(text !== undefined, `The error is ${quoted(error)}.`, reply);
      demand(!/\n\s+at |Traceback/.test(text), "The error is a stack trace.", reply);
    },
  },
  {
    id: "simple-failure-output",
    level: "should",
    title: "Has no output on failure",
    rule: "The output of a failed response is null or missing.",
    source: simple,
    fix: "Set output to null when status is error.",
    needs: ["simple-failure"],
    judge: async (agent) => {
      const reply = await failed(agent);
      const output = reply.response?.["output"];
      demand(output === undefined || output === null, `The output is ${quoted(output)}.`, reply);
    },
  },
];
