import type { AddressInfo } from "node:net";
import { DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from "@a2a-js/sdk-03/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk-03/server/express";
import express from "express";
import { onTestFinished } from "vitest";

/** A piece of an answer. It is appended to an artifact that exists already. */
export interface StreamedPiece {
  readonly artifactId: string;
  readonly text: string;
}

/** Starts an A2A 0.3 agent on the official SDK that streams the pieces that the function yields. Ends with the test. */
export async function startStreamingAgent(answer: (text: string) => AsyncIterable<StreamedPiece>): Promise<string> {
  const app = express();
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => void server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = {
    name: "writer",
    description: "Streams what it writes.",
    protocolVersion: "0.3.0",
    version: "1.0.0",
    url: `${url}/a2a`,
    preferredTransport: "JSONRPC",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executorOf(answer));
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler }));
  app.use("/a2a", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  return url;
}

const executorOf = (answer: (text: string) => AsyncIterable<StreamedPiece>): AgentExecutor => ({
  execute: async ({ taskId, contextId, userMessage }, bus) => {
    const ids = { taskId, contextId };
    const [part] = userMessage.parts;
    const known = new Set<string>();
    bus.publish({ kind: "task", id: taskId, contextId, status: { state: "working" } });
    for await (const { artifactId, text } of answer(part?.kind === "text" ? part.text : "")) {
      const artifact = { artifactId, parts: [{ kind: "text" as const, text }] };
      bus.publish({ kind: "artifact-update", ...ids, artifact, append: known.has(artifactId) });
      known.add(artifactId);
    }
    bus.publish({ kind: "status-update", ...ids, status: { state: "completed" }, final: true });
    bus.finished();
  },
  cancelTask: async () => undefined,
});
