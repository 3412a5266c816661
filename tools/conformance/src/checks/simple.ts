import { randomUUID } from "node:crypto";
import type { GivenAgent } from "../a2a/a2a-agent.ts";
import { question } from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../check.ts";
import { exchange, type Exchange, isObject, type JsonObject, objectOf, quoted, stringOf, type Wire } from "../wire.ts";
import { simple } from "./sources.ts";

/** A task and the response to it. */
interface SimpleReply extends Exchange {
  readonly taskId: string;
  /** Undefined when the body is not an object. */
  readonly response: JsonObject | undefined;
}

/** An agent that is checked against Simple A2A. */
export type SimpleAgent = ReturnType<typeof createSimpleAgent>;

export function createSimpleAgent(given: GivenAgent, wire: Wire) {
  const { baseUrl: url, limitMs } = given;
  const headers = { accept: "application/json", "content-type": "application/json" };
  /** Sends a body as it is. */
  const post = (body: string): Promise<Exchange> => exchange(wire, { url, method: "POST", headers, body, limitMs });
  const run = async (text: string, { taskId = randomUUID() } = {}): Promise<SimpleReply> => {
    const reply = await post(JSON.stringify({ task_id: taskId, input: { text } }));
    return { ...reply, taskId, response: objectOf(reply.json) };
  };
  let answer: Promise<SimpleReply> | undefined;
  let failure: Promise<SimpleReply> | undefined;
  return {
    ...given,
    post,
    run,
    /** The reply to the question that is answered; it is sent once. */
    answered: () => (answer ??= run(given.questions.answered)),
    /** The reply to a question that fails; it is sent once. */
    failed: (text: string) => (failure ??= run(text)),
  };
}

const isOk = ({ status }: SimpleReply): boolean => status !== undefined && status >= 200 && status < 300;

const isSuccess = ({ response }: SimpleReply): boolean => response?.["status"] === "success";

/** Makes the judge of the reply to the question that is answered. */
const onReply = judging(
  (agent: SimpleAgent) => agent.answered(),
  (reply) => reply,
);

/** Makes the judge of the output of that reply when it succeeded. */
const onOutput = (isRight: (output: unknown) => boolean): Check<SimpleAgent>["judge"] =>
  onReply((reply) => {
    if (!isSuccess(reply)) throw new NotJudged("The question is answered with an error: try another --question.");
    const output = reply.response?.["output"];
    return isRight(output) || `The output is ${quoted(output)}.`;
  });

/** Makes the judge of the reply to a question that fails. */
const onFailure = judging(
  async (agent: SimpleAgent) => agent.failed(question(agent, "fails")),
  (reply) => reply,
);

export const simpleChecks: readonly Check<SimpleAgent>[] = [
  {
    id: "simple-answers",
    title: "Answers a task with HTTP 2xx",
    rule: "The agent answers a POST of {task_id, input} with HTTP 2xx. The body of any other status is not read.",
    source: simple,
    fix: "Answer with HTTP 200 and {task_id, status, output, error}, also when the task failed.",
    judge: onReply((reply) => isOk(reply) || `The task gets ${reply.problem ?? `HTTP ${reply.status}`}.`),
  },
  {
    id: "simple-object",
    title: "Answers with a JSON object",
    rule: "The body of a response is a JSON object.",
    source: simple,
    fix: "Send the JSON itself, not as a string and not inside of a list.",
    needs: ["simple-answers"],
    judge: onReply(({ response }) => response !== undefined || "The body is not a JSON object."),
  },
  {
    id: "simple-status",
    title: "Says success or error",
    rule: 'The response has the member status, which is "success" or "error".',
    source: simple,
    fix: 'Set status to "success" or "error", in lower case.',
    needs: ["simple-object"],
    judge: onReply(({ response }) => {
      const status = response?.["status"];
      return status === "success" || status === "error" || `The status is ${quoted(status)}.`;
    }),
  },
  {
    id: "simple-task-id",
    level: "should",
    title: "Echoes the task_id",
    rule: "The response has the task_id of the task.",
    source: simple,
    fix: "Copy task_id into the response as it is.",
    needs: ["simple-object"],
    judge: onReply(({ response, taskId }) => {
      const got = response?.["task_id"];
      return got === taskId || `The task_id is ${quoted(got)} instead of ${quoted(taskId)}.`;
    }),
  },
  {
    id: "simple-answered",
    level: "should",
    title: "Answers the question of the check",
    rule: "The question is answered with success.",
    source: simple,
    fix: "Run the command with a question that this agent answers: --question <text>.",
    needs: ["simple-status"],
    judge: onReply((reply) => isSuccess(reply) || `The error is ${quoted(reply.response?.["error"])}.`),
  },
  {
    id: "simple-output",
    level: "should",
    title: "Has an output on success",
    rule: "A successful response has the member output.",
    source: simple,
    fix: "Put the answer into output. Otherwise the whole response is taken as the output.",
    needs: ["simple-answered"],
    judge: onOutput((output) => output !== undefined && output !== null),
  },
  {
    id: "simple-output-text",
    level: "should",
    title: "Has the text of the answer in output",
    rule: "People read output.text, output.response, or an output that is a string.",
    source: simple,
    fix: 'Answer with "output": {"text": "…"}.',
    needs: ["simple-output"],
    judge: onOutput((output) => {
      const { text, response } = objectOf(output) ?? {};
      return [output, text, response].some((each) => stringOf(each) !== undefined);
    }),
  },
  {
    id: "simple-failure",
    title: "Answers a failed task with the status error",
    rule: 'A task that fails is answered with HTTP 2xx and the status "error".',
    source: simple,
    fix: "Catch what the work throws, and answer with status error.",
    needs: ["simple-status"],
    judge: onFailure((reply) => {
      const status = reply.response?.["status"];
      if (!isOk(reply)) return `The failed task gets ${reply.problem ?? `HTTP ${reply.status}`}.`;
      return status === "error" || `The status is ${quoted(status)}.`;
    }),
  },
  {
    id: "simple-failure-error",
    level: "should",
    title: "Says why a task failed",
    rule: "A failed response has the reason in error, as text or as an object with a message.",
    source: simple,
    fix: 'Answer with "error": "<one sentence>". Keep exceptions in the log.',
    needs: ["simple-failure"],
    judge: onFailure(({ response }) => {
      const error = response?.["error"];
      const text = stringOf(error) ?? stringOf(objectOf(error)?.["message"]);
      if (text === undefined) return `The error is ${quoted(error)}.`;
      return !/\n\s+at |Traceback/.test(text) || "The error is a stack trace.";
    }),
  },
];

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
      const answered = await agent.post('{"task_id": ');
      demand(isRefused(answered), `Malformed JSON gets ${cameOf(answered)}.`, answered);
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
