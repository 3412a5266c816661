import { randomUUID } from "node:crypto";
import { type A2AAgent, type A2ACall, errorOf } from "../a2a/a2a-agent.ts";
import { answered, demandError, payloadOf } from "../a2a/scenarios.ts";
import { type Check, demand, NotJudged } from "../check.ts";
import { quoted, stringOf } from "../wire.ts";
import { a2a, a2a1, crosszone } from "./sources.ts";
import { endedTask } from "./tasks.ts";

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
