import { type A2AAgent, errorOf } from "../a2a/a2a-agent.ts";
import {
  artifactsOf,
  type Course,
  courseOf,
  demandError,
  filesOf,
  type OptionalQuestion,
  partsOf,
  question,
  sendAndFollow,
  stateOf,
  textOf,
} from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../check.ts";
import { type JsonObject, objectOf, quoted } from "../wire.ts";
import { a2a, a2a1, contentProblem, crosszone } from "./sources.ts";

/** Makes the judge of the course of one of these questions. */
const onCourse = (name: OptionalQuestion, verdict: (course: Course, agent: A2AAgent) => true | string) =>
  judging(
    (agent: A2AAgent) => courseOf(agent, name),
    ({ last }) => last,
  )(verdict);

const taskIn = ({ tasks }: Course): JsonObject => {
  const task = tasks.at(-1);
  if (!task) throw new NotJudged("The question is answered without a task.");
  return task;
};

const statusText = (task: JsonObject): string => textOf(objectOf(objectOf(task["status"])?.["message"]));

const fileParts = (course: Course): readonly JsonObject[] =>
  artifactsOf(course.tasks.at(-1) ?? {})
    .concat(course.message ?? [])
    .flatMap(filesOf);

/** The caller's reply to the agent's question, to the task alone. */
const replied = (agent: A2AAgent) =>
  agent.once("replied", async () => {
    const open = taskIn(await courseOf(agent, "asksBack"));
    const course = await sendAndFollow(agent, () => agent.send("Paris", { message: { taskId: open["id"] } }));
    return { open, course };
  });

const onReply = judging(replied, ({ course }) => course.last);

export const questionChecks: readonly Check<A2AAgent>[] = [
  {
    id: "input-required",
    level: "hint",
    title: "Asks by the state input-required",
    rule: "An agent that needs more from the caller sets the task's state to input-required.",
    source: a2a("343-multi-turn-conversation-patterns", "63-taskstate-enum"),
    fix: "Set the state TASK_STATE_INPUT_REQUIRED (0.3: input-required), with the question as status.message.",
    needs: ["get-task"],
    explainedBy: ["answer-is-final", "state-word"],
    judge: onCourse("asksBack", (course) => {
      const state = stateOf(taskIn(course));
      return state === "input-required" || `The state is ${quoted(state)}.`;
    }),
  },
  {
    id: "input-required-message",
    level: "hint",
    title: "Says what it needs",
    rule: "The question is the text of the message of the status. Of data, people read the JSON.",
    source: a2a("412-taskstatus", "62-taskstatus-object"),
    fix: "Put the question into a text part of status.message, next to data that describes it.",
    needs: ["input-required"],
    judge: onCourse("asksBack", (course) => statusText(taskIn(course)) !== "" || "There is no text in status.message."),
  },
  {
    id: "input-required-whole",
    level: "hint",
    title: "Asks so that the question stands alone",
    rule: "What a question is about, such as a draft, is in its message. Callers can show that without the artifacts.",
    source: crosszone("the-answer"),
    fix: "Repeat in status.message what the person needs to decide, also when it is an artifact.",
    needs: ["input-required-message"],
    judge: onCourse("asksBack", (course) => {
      const task = taskIn(course);
      const beside = artifactsOf(task).flatMap(partsOf);
      const left = beside.find(({ text }) => typeof text !== "string" || !statusText(task).includes(text));
      return !left || `The question is ${quoted(statusText(task))}, next to ${quoted(left)}.`;
    }),
  },
  {
    id: "context-mismatch-open",
    title: "Rejects a reply with another contextId",
    rule: "A message whose contextId is not the one of its task is rejected, also while the task waits for a reply.",
    source: a2a1("343-multi-turn-conversation-patterns"),
    fix: "Compare message.contextId with the contextId of the task, and answer with code -32602.",
    needs: ["input-required", "context-mismatch"],
    judge: async (agent) => {
      const text = question(agent, "asksBack");
      const task = taskIn(await sendAndFollow(agent, () => agent.send(text)));
      const call = await agent.send("Paris", { message: { taskId: task["id"], contextId: "another-context" } });
      demand(errorOf(call) !== undefined, "The reply is accepted.", call);
    },
  },
  {
    id: "reply-continues-task",
    title: "Continues the task with the reply",
    rule: "A message with the taskId of a task that waits continues that task.",
    source: a2a("343-multi-turn-conversation-patterns", "71-messagesend"),
    fix: "Look up message.taskId before you make a new task.",
    needs: ["input-required"],
    judge: async (agent) => {
      const { open, course } = await replied(agent);
      const error = errorOf(course.sent);
      demand(error === undefined, `The reply gets the error ${quoted(error?.["code"])}.`, course.sent);
      const id = course.tasks.at(-1)?.["id"] ?? course.message?.["taskId"];
      demand(id === open["id"], `The reply belongs to the task ${quoted(id)}.`, course.last);
    },
  },
  {
    id: "reply-infers-context",
    title: "Knows the context of a task",
    rule: "A message with a taskId and without a contextId belongs to the context of the task.",
    source: a2a1("343-multi-turn-conversation-patterns"),
    fix: "Take the contextId of the task when the message has none.",
    needs: ["reply-continues-task"],
    judge: onReply(({ open, course }) => {
      const got = course.tasks.at(-1)?.["contextId"] ?? course.message?.["contextId"];
      return got === open["contextId"] || `The context is ${quoted(got)}.`;
    }),
  },
  {
    id: "file-part",
    title: "Sends files in the shape of its version",
    rule: "A file is base64 or a URL: raw or url in 1.0, file.bytes or file.uri in 0.3.",
    source: a2a("416-part", "652-filepart-object"),
    fix: "Encode the bytes as base64 in the member of this version.",
    needs: ["result-shape"],
    judge: onCourse("file", (course, { dialect }) => {
      const files = fileParts(course);
      if (files.length === 0) throw new NotJudged("The answer has no file: give another question with --file.");
      const wrong = files.map((part) => contentProblem(part, dialect)).find((problem) => problem !== undefined);
      return wrong === undefined || `A part ${wrong}.`;
    }),
  },
  {
    id: "file-accepted",
    level: "hint",
    title: "Takes or rejects a file",
    rule: "A message with a file is answered, or rejected with ContentTypeNotSupportedError.",
    source: crosszone("files"),
    fix: "Skip parts that the agent does not use, or answer with code -32005.",
    needs: ["result-shape"],
    alsoAlone: true,
    judge: async (agent) => {
      const file = { raw: Buffer.from("Hello").toString("base64"), filename: "a.txt", mediaType: "text/plain" };
      const call = await agent.send(agent.questions.answered, { parts: [file] });
      if (call.response?.["result"] === undefined) demandError(call, [-32005], "A message with a file");
    },
  },
  {
    id: "failure-state",
    level: "should",
    title: "Ends a failed task in a failed state",
    rule: "Work that fails ends in the state failed or rejected, or is rejected with an error.",
    source: a2a("413-taskstate", "63-taskstate-enum"),
    fix: "Catch what the work throws, and set the state TASK_STATE_FAILED (0.3: failed).",
    needs: ["result-shape"],
    explainedBy: ["answer-is-final", "state-word"],
    judge: onCourse("fails", (course) => {
      if (errorOf(course.sent)) return true;
      const state = stateOf(taskIn(course));
      return state === "failed" || state === "rejected" || `The state is ${quoted(state)}.`;
    }),
  },
  {
    id: "failure-words",
    level: "hint",
    title: "Says why it failed",
    rule: "A failed task says in words what went wrong.",
    source: a2a("412-taskstatus", "62-taskstatus-object"),
    fix: "Put a sentence for the caller into status.message. Keep exceptions in the log.",
    needs: ["failure-state"],
    judge: onCourse("fails", (course) => {
      if (errorOf(course.sent)) return true;
      const text = statusText(taskIn(course));
      if (text === "") return "There is no text in status.message.";
      return !/\n\s+at |Traceback/.test(text) || "The text is a stack trace.";
    }),
  },
];
