import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createAgent, type Handler } from "@crosszone/agent";
import { onTestFinished } from "vitest";

export interface KitAgent {
  readonly url: string;
  /** The questions that its handler was given, without those of conformance checks. */
  readonly asked: readonly string[];
  /** While true, it answers A2A 1.0 with an id of its own. */
  isBad: boolean;
}

/** An agent made with the TypeScript kit, for A2A 1.0 and 0.3, on a free port of loopback. Ends with the test. */
export async function startKitAgent(name: string, handler: Handler): Promise<KitAgent> {
  const asked: string[] = [];
  const { listener } = createAgent({ name, description: "Answers.", onError: () => undefined }, (message, task) => {
    if (message.text.startsWith("task ")) asked.push(message.text);
    return handler(message, task);
  });
  const agent = { url: "", asked, isBad: false };
  const server = createServer((request, response) => {
    const isNew = request.headers["a2a-version"]?.toString().startsWith("1") === true;
    if (agent.isBad && isNew && request.method === "POST") void answerBadly(request, response);
    else listener(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  agent.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return agent;
}

async function answerBadly(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await text(request);
  const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "Hello" }] };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id: "mine", result: { message } }));
}
