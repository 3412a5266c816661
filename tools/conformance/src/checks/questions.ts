import { randomUUID } from "node:crypto";
import { type A2AAgent, type A2ACall, errorOf } from "../a2a/a2a-agent.ts";
import {
  answered,
  artifactsOf,
  type Course,
  demandError,
  filesOf,
  type OptionalQuestion,
  partsOf,
  payloadOf,
  question,
  sendAndFollow,
  stateOf,
  textOf,
} from "../a2a/scenarios.ts";
import { type Check, demand, judging, NotJudged } from "../check.ts";
import { type JsonObject, objectOf, quoted, stringOf } from "../wire.ts";
import { a2a, a2a1, contentProblem, crosszone } from "./sources.ts";
import { endedTask } from "./tasks.ts";

const courseOf = (agent: A2AAgent, name: OptionalQuestion): Promise<Course> =>
  agent.once(name, () => sendAndFollow(agent, () => agent.send(question(agent, name))));

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

const resultOf = (call: A2ACall, agent: A2AAgent) => payloadOf(call.response?.["result"], agent.dialect)?.value;

/** The second message of the conversation that the first answer opened. */
const second = (agent: A2AAgent): Promise<A2ACall> =>
  agent.once("second message", async () => {
    const contextId = await firstContext(agent);
    return agent.send(agent.questions.answered, { message: { contextId } });
  });

async function firstContext(agent: A2AAgent): Promise<string> {
  const { sent } = await answered(agent);
  const contextId = stringOf(resultOf(sent, agent)?.["contextId"]);
  if (contextId === undefined) throw new NotJudged("The first answer has no contextId.");
  return contextId;
}

/** The first message of a conversation whose id the caller has made. */
const ownContext = (agent: A2AAgent) =>
  agent.once("own context", async () => {
    const contextId = randomUUID();
    return { contextId, call: await agent.send(agent.questions.answered, { message: { contextId } }) };
  });

/** Demands that an answer has the contextId of its message, or is an error. */
function demandContext(agent: A2AAgent, call: A2ACall, wanted: string): void {
  const got = resultOf(call, agent)?.["contextId"];
  const kept = errorOf(call) !== undefined || got === wanted;
  demand(kept, `The message had the contextId ${quoted(wanted)}, the answer has ${quoted(got)}.`, call);
}

export const conversationChecks: readonly Check<A2AAgent>[] = [
  {
    id: "context-made",
    level: "hint",
    title: "Opens a conversation",
    rule: "The answer to a message without a contextId has a new one, with which the caller continues.",
    source: a2a("341-context-identifier-semantics", "61-task-object"),
    fix: "Make a contextId, such as a UUID, when the message has none, and put it into the task or message.",
    needs: ["result-shape"],
    judge: async (agent) => {
      const { sent } = await answered(agent);
      const contextId = resultOf(sent, agent)?.["contextId"];
      demand(stringOf(contextId) !== undefined, `The contextId is ${quoted(contextId)}.`, sent);
    },
  },
  {
    id: "context-kept",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Keeps the contextId of a message",
    rule: "The answer has the contextId of the message, whoever made it. An agent that can't keep it rejects the message.",
    source: a2a("341-context-identifier-semantics", "64-message-object"),
    fix: "Copy message.contextId into the task or message of the answer.",
    needs: ["context-made"],
    judge: async (agent) => {
      demandContext(agent, await second(agent), await firstContext(agent));
      const { call, contextId } = await ownContext(agent);
      demandContext(agent, call, contextId);
    },
  },
  {
    id: "context-accepted",
    level: "hint",
    title: "Accepts a contextId that it has not made",
    rule: "A question can open a conversation under an id of the caller. Crosszone has one for each thread.",
    source: crosszone("the-answer"),
    fix: "Accept ids that the agent has not made.",
    needs: ["context-kept"],
    alsoAlone: true,
    judge: async (agent) => {
      const { call } = await ownContext(agent);
      demand(errorOf(call) === undefined, `It is rejected: ${quoted(errorOf(call)?.["message"])}.`, call);
    },
  },
  {
    id: "task-ids-differ",
    title: "Makes a new id for each task",
    rule: "Each task has an id of its own.",
    source: a2a("342-task-identifier-semantics", "61-task-object"),
    fix: "Make a UUID for each task. Don't derive it from the message or the conversation.",
    needs: ["task-members", "context-made"],
    judge: async (agent) => {
      const { sent } = await answered(agent);
      const call = await second(agent);
      const ids = [sent, call].map((each) => stringOf(resultOf(each, agent)?.["id"]));
      if (ids.includes(undefined)) throw new NotJudged("The second answer has no task.");
      demand(ids[0] !== ids[1], `Two tasks have the id ${quoted(ids[0])}.`, call);
    },
  },
  {
    id: "message-unknown-task",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Rejects a message to an unknown task",
    rule: "A message with a taskId that does not exist gets TaskNotFoundError. Callers don't make task ids.",
    source: a2a("342-task-identifier-semantics", "82-a2a-specific-errors"),
    fix: "Look up message.taskId, and answer with code -32001 when it is unknown.",
    needs: ["result-shape", "error-object"],
    judge: async (agent) => {
      const call = await agent.send(agent.questions.answered, { message: { taskId: randomUUID() } });
      demandError(call, [-32001], "A message to an unknown task");
    },
  },
  {
    id: "context-mismatch",
    title: "Rejects a task and context that don't belong together",
    rule: "A message whose contextId is not the one of its task is rejected.",
    source: a2a1("343-multi-turn-conversation-patterns"),
    fix: "Compare message.contextId with the contextId of the task, and answer with code -32602.",
    needs: ["get-task"],
    judge: async (agent) => {
      const { id } = await endedTask(agent);
      const call = await agent.send(agent.questions.answered, { message: { taskId: id, contextId: randomUUID() } });
      demand(errorOf(call) !== undefined, "A message with the contextId of another conversation is accepted.", call);
    },
  },
  {
    id: "same-message-once",
    level: "hint",
    title: "Answers the same message once",
    rule: "Delivery is at least once. A repeated messageId belongs to the same task.",
    source: crosszone("the-answer"),
    fix: "Remember the messageId of each task, and answer a repeated one with that task.",
    needs: ["task-members"],
    judge: async (agent) => {
      const message = { messageId: randomUUID() };
      const first = await agent.send(agent.questions.answered, { message });
      const again = await agent.send(agent.questions.answered, { message });
      const ids = [first, again].map((call) => resultOf(call, agent)?.["id"]);
      demand(ids[0] === ids[1], "A repeated message got a second task.", again);
    },
  },
];
