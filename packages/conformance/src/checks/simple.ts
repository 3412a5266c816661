import { type Check, demand, NotJudged } from "../run/check.ts";
import type { SimpleAgent, SimpleReply } from "../simple/simple-agent.ts";
import { objectOf, quoted, stringOf } from "../wire/json.ts";
import { simple } from "./sources.ts";
import { optionFor } from "../a2a/scenarios.ts";

export const isOk = ({ status }: SimpleReply): boolean => status !== undefined && status >= 200 && status < 300;

const isSuccess = ({ response }: SimpleReply): boolean => response?.["status"] === "success";

/** The reply to the question that is answered, which succeeded. */
async function succeeded(agent: SimpleAgent): Promise<SimpleReply> {
  const reply = await agent.answered();
  if (!isSuccess(reply)) throw new NotJudged("The question is answered with an error: try another --question.");
  return reply;
}

async function failed(agent: SimpleAgent): Promise<SimpleReply> {
  const { fails } = agent.questions;
  if (fails === undefined) throw new NotJudged(`Needs ${optionFor.fails}.`);
  return agent.failed(fails);
}

export const simpleChecks: readonly Check<SimpleAgent>[] = [
  {
    id: "simple-answers",
    level: "must",
    title: "Answers a task with HTTP 2xx",
    rule: "The agent answers a POST of {task_id, input} with HTTP 2xx. The body of any other status is not read.",
    source: simple,
    fix: "Answer with HTTP 200 and {task_id, status, output, error}, also when the task failed.",
    judge: async (agent) => {
      const reply = await agent.answered();
      demand(isOk(reply), `The task gets ${reply.problem ?? `HTTP ${reply.status}`}.`, reply);
    },
  },
  {
    id: "simple-object",
    level: "must",
    title: "Answers with a JSON object",
    rule: "The body of a response is a JSON object.",
    source: simple,
    fix: "Send the JSON itself, not as a string and not inside of a list.",
    needs: ["simple-answers"],
    judge: async (agent) => {
      const reply = await agent.answered();
      demand(reply.response !== undefined, "The body is not a JSON object.", reply);
    },
  },
  {
    id: "simple-status",
    level: "must",
    title: "Says success or error",
    rule: 'The response has the member status, which is "success" or "error".',
    source: simple,
    fix: 'Set status to "success" or "error", in lower case.',
    needs: ["simple-object"],
    judge: async (agent) => {
      const reply = await agent.answered();
      const status = reply.response?.["status"];
      demand(status === "success" || status === "error", `The status is ${quoted(status)}.`, reply);
    },
  },
  {
    id: "simple-task-id",
    level: "should",
    title: "Echoes the task_id",
    rule: "The response has the task_id of the task.",
    source: simple,
    fix: "Copy task_id into the response as it is.",
    needs: ["simple-object"],
    judge: async (agent) => {
      const reply = await agent.answered();
      const got = reply.response?.["task_id"];
      demand(got === reply.taskId, `The task_id is ${quoted(got)} instead of ${quoted(reply.taskId)}.`, reply);
    },
  },
  {
    id: "simple-answered",
    level: "should",
    title: "Answers the question of the check",
    rule: "The question is answered with success.",
    source: simple,
    fix: "Run the command with a question that this agent answers: --question <text>.",
    needs: ["simple-status"],
    judge: async (agent) => {
      const reply = await agent.answered();
      demand(isSuccess(reply), `The error is ${quoted(reply.response?.["error"])}.`, reply);
    },
  },
  {
    id: "simple-output",
    level: "should",
    title: "Has an output on success",
    rule: "A successful response has the member output.",
    source: simple,
    fix: "Put the answer into output. Otherwise the whole response is taken as the output.",
    needs: ["simple-answered"],
    judge: async (agent) => {
      const reply = await succeeded(agent);
      const output = reply.response?.["output"];
      demand(output !== undefined && output !== null, `The output is ${quoted(output)}.`, reply);
    },
  },
  {
    id: "simple-output-text",
    level: "should",
    title: "Has the text of the answer in output",
    rule: "People read output.text, output.response, or an output that is a string.",
    source: simple,
    fix: 'Answer with "output": {"text": "…"}.',
    needs: ["simple-output"],
    judge: async (agent) => {
      const reply = await succeeded(agent);
      const output = reply.response?.["output"];
      const text = stringOf(output) ?? stringOf(objectOf(output)?.["text"]) ?? stringOf(objectOf(output)?.["response"]);
      demand(text !== undefined, `The output is ${quoted(output)}.`, reply);
    },
  },
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
];
