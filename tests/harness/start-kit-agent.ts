import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createAgent, type AgentOptions, type Handler } from "@crosszone/agent";
import { serve } from "@crosszone/testkit/temporary";

/** Starts an agent of the TypeScript kit on a free port and returns its URL. Ends with the test. */
export async function startKitAgent(handler: Handler, options: Partial<AgentOptions> = {}): Promise<string> {
  const { listener } = createAgent({ name: "Kit", description: "Is tested.", ...options }, handler);
  return serve(listener);
}

export type MendableAgent = Awaited<ReturnType<typeof startMendableAgent>>;

/** Starts an agent of the TypeScript kit for A2A 1.0 and 0.3 on a free port. Its answers can be broken. Ends with the test. */
export async function startMendableAgent(name: string, handler: Handler) {
  /** Questions to the handler, without those of conformance checks. */
  const asked: string[] = [];
  const { listener } = createAgent({ name, description: "Answers.", onError: () => undefined }, (message, task) => {
    if (message.text.startsWith("task ")) asked.push(message.text);
    return handler(message, task);
  });
  /** While `isBad`, answers in A2A 1.0 have a wrong id. */
  const agent = { url: "", asked, isBad: false };
  agent.url = await serve((request, response) => {
    const isNew = request.headers["a2a-version"] === "1.0" && request.headers["x-passed-on"] === undefined;
    if (agent.isBad && isNew && request.method === "POST") void answerBadly(agent.url, request, response);
    else listener(request, response);
  });
  return agent;
}

/** Forwards a request to the agent and replaces the id of its answer. */
async function answerBadly(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = { "content-type": request.headers["content-type"] ?? "", "a2a-version": "1.0", "x-passed-on": "yes" };
  const answer = await fetch(url, { method: "POST", headers, body: await text(request) });
  const body = await answer.text();
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
  response.end(body.replace(/"id":(\d+|null|"[^"]*")/, '"id":"other"'));
}
