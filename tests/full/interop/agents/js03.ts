import { randomUUID } from "node:crypto";
import type { Message, Part } from "@a2a-js/sdk-03";
import { DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from "@a2a-js/sdk-03/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk-03/server/express";
import { cancelScenario, playScenario, serveAgent, type OutPart, type Turn } from "./play-scenario.ts";

const outPart = ({ text = "", data, file }: OutPart): Part =>
  data
    ? { kind: "data", data }
    : file
      ? {
          kind: "file",
          file: { name: file.name, mimeType: file.type, bytes: Buffer.from(file.text).toString("base64") },
        }
      : { kind: "text", text };

const textOf = ({ parts }: Message): string => parts.find((part) => part.kind === "text")?.text ?? "";

const filesOf = ({ parts }: Message): Turn["files"] =>
  parts.flatMap((part) =>
    part.kind === "file"
      ? [
          {
            name: part.file.name ?? "",
            type: part.file.mimeType ?? "",
            bytes: Buffer.from("bytes" in part.file ? part.file.bytes : "", "base64"),
          },
        ]
      : [],
  );

const executor: AgentExecutor = {
  execute: async ({ taskId, contextId, userMessage, task }, bus) => {
    const ids = { taskId, contextId };
    const said = (text: string): Message => ({
      kind: "message",
      role: "agent",
      messageId: randomUUID(),
      parts: [{ kind: "text", text }],
      ...ids,
    });
    const turn = { ...ids, text: textOf(userMessage), files: filesOf(userMessage), continued: task !== undefined };
    await playScenario(turn, {
      message: (text) => {
        const { taskId: _none, ...message } = said(text);
        bus.publish(message);
      },
      begin: () =>
        bus.publish({ kind: "task", id: taskId, contextId, status: { state: "submitted" }, history: [userMessage] }),
      status: (state, says) =>
        bus.publish({
          kind: "status-update",
          ...ids,
          status: { state, timestamp: new Date().toISOString(), ...(says !== undefined && { message: said(says) }) },
          final: state !== "working",
        }),
      artifact: ({ id, name, parts, append = false, last }) =>
        bus.publish({
          kind: "artifact-update",
          ...ids,
          artifact: { artifactId: id, parts: parts.map(outPart), name },
          append,
          lastChunk: last,
        }),
    });
    bus.finished();
  },
  cancelTask: async (taskId, bus) => {
    const contextId = cancelScenario(taskId);
    bus.publish({ kind: "status-update", taskId, contextId, status: { state: "canceled" }, final: true });
    bus.finished();
  },
};

serveAgent((app, url) => {
  const handler = new DefaultRequestHandler(
    {
      name: "js03",
      description: "Plays scenarios on @a2a-js/sdk 0.3.",
      protocolVersion: "0.3.0",
      version: "1.0.0",
      url: `${url}/a2a`,
      preferredTransport: "JSONRPC",
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain", "text/csv"],
      defaultOutputModes: ["text/plain", "application/json", "text/csv"],
      skills: [{ id: "play", name: "Play", description: "Plays a scenario.", tags: ["test"] }],
    },
    new InMemoryTaskStore(),
    executor,
  );
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler }));
  app.use("/a2a", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
});
