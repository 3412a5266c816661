import { type Check, judging, NotJudged } from "../run/check.ts";
import type { SimpleAgent, SimpleReply } from "../simple/simple-agent.ts";
import { objectOf, quoted, stringOf } from "../wire/json.ts";
import { simple } from "./sources.ts";
import { question } from "../a2a/scenarios.ts";

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
