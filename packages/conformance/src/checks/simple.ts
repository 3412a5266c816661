import { demand, NotJudged, type Check } from "../run/check.ts";
import type { SimpleAgent, SimpleReply } from "../simple/simple-agent.ts";
import { objectOf, quoted, stringOf } from "../wire/json.ts";
import { simple } from "./sources.ts";

export const isOk = ({ status }: SimpleReply): boolean => status !== undefined && status >= 200 && status < 300;

const isSuccess = ({ response }: SimpleReply): boolean => response?.["status"] === "success";

/** The reply to the question that is answered, which succeeded. */
async function succeeded(agent: SimpleAgent): Promise<SimpleReply> {
  const reply = await agent.answered();
  if (!isSuccess(reply)) throw new NotJudged("The question is answered with an error: try another --question.");
  return reply;
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
    id: "simple-content-type",
    level: "should",
    title: "Sends application/json",
    rule: "Responses have the content type application/json.",
    source: simple,
    fix: "Set the header Content-Type: application/json.",
    needs: ["simple-object"],
    judge: async (agent) => {
      const reply = await agent.answered();
      demand(reply.mediaType === "application/json", `The content type is ${quoted(reply.mediaType)}.`, reply);
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
    id: "simple-task-id-opaque",
    level: "should",
    title: "Takes any task_id",
    rule: "A task_id has up to 255 characters of any kind. It is echoed unchanged.",
    source: simple,
    fix: "Treat task_id as opaque text. Don't parse it as a UUID.",
    needs: ["simple-task-id"],
    judge: async (agent) => {
      const taskId = `run/1:ä ${"x".repeat(200)}`;
      const reply = await agent.run(agent.questions.answered, { taskId });
      const got = reply.response?.["task_id"];
      demand(got === taskId, `The task_id is ${quoted(got ?? reply.problem)}.`, reply);
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
    id: "simple-no-error-on-success",
    level: "should",
    title: "Has no error on success",
    rule: "The member error of a successful response is null or missing.",
    source: simple,
    fix: "Set error to null when status is success.",
    needs: ["simple-answered"],
    judge: async (agent) => {
      const reply = await succeeded(agent);
      const error = reply.response?.["error"];
      demand(error === undefined || error === null, `The error is ${quoted(error)}.`, reply);
    },
  },
];
