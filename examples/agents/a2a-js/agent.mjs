// An A2A agent on the official JavaScript SDK: it counts the words of a message, and says what it is doing.
import { randomUUID } from "node:crypto";
import { Role, TaskState } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

const port = Number(process.env.PORT ?? 8094);
const url = `http://127.0.0.1:${port}`;

const textPart = (value) => ({ content: { $case: "text", value }, filename: "", mediaType: "text/plain" });
const lists = { extensions: [], referenceTaskIds: [] };

const executor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const status = (state, says) => {
      const message = { messageId: randomUUID(), taskId, contextId, role: Role.ROLE_AGENT, parts: [textPart(says)] };
      return { state, message: says && { ...message, ...lists }, timestamp: new Date().toISOString() };
    };
    const submitted = status(TaskState.TASK_STATE_SUBMITTED);
    bus.publish(AgentEvent.task({ id: taskId, contextId, status: submitted, artifacts: [], history: [userMessage] }));
    const working = status(TaskState.TASK_STATE_WORKING, "Counting…");
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: working }));
    const text = userMessage.parts[0].content.value;
    const answer = `${text.split(/\s+/).filter(Boolean).length} words, ${text.length} characters`;
    const artifact = { artifactId: "answer", name: "", description: "", parts: [textPart(answer)], extensions: [] };
    bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true }));
    const completed = status(TaskState.TASK_STATE_COMPLETED);
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: completed }));
    bus.finished();
  },
  async cancelTask(taskId, bus) {
    const status = { state: TaskState.TASK_STATE_CANCELED, timestamp: new Date().toISOString() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId: "", status }));
    bus.finished();
  },
};

const card = {
  name: "Word counter",
  description: "Counts words.",
  version: "1.0.0",
  supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" }],
  capabilities: { streaming: true, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  signatures: [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [
    {
      id: "count",
      name: "Count words",
      description: "Counts words.",
      tags: ["text"],
      examples: ["How many words are here?"],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
};
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
const app = express();
app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
app.use("/a2a", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
app.listen(port, "127.0.0.1", () => console.log(`Listening on ${url}`));
