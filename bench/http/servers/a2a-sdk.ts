import { createServer, type Server } from "node:http";
import { Role, TaskState, type Message } from "@a2a-js/sdk";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { agentCard } from "../../agents/agent-card.ts";
import { answerText } from "../../requests/messages.ts";

/**
 * @a2a-js/sdk on Express. A2A lets an agent answer with a message, which is the work of the other peers, or with a task,
 * which is the usual way and has the SDK keep the task.
 */
export function createA2aServer(answer: "message" | "task"): Server {
  const executor: AgentExecutor = {
    execute: async (request, bus) => {
      bus.publish(answer === "message" ? AgentEvent.message(messageFor(request)) : completedTask(request));
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  const card = agentCard("http://127.0.0.1/rpc");
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const app = express();
  app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return createServer(app);
}

function completedTask(request: RequestContext): ReturnType<typeof AgentEvent.task> {
  const { taskId, contextId, userMessage } = request;
  const timestamp = new Date().toISOString();
  const status = { state: TaskState.TASK_STATE_COMPLETED, message: messageFor(request), timestamp };
  return AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined });
}

export function messageFor({ contextId, taskId }: RequestContext): Message {
  const content = { $case: "text", value: answerText } as const;
  return {
    messageId: crypto.randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [{ content, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
