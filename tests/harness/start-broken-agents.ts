import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentSettings } from "@crosszone/contracts";
import { type AgentReplies, startAgent } from "@crosszone/testkit";

/** An agent with one common mistake. */
export interface BrokenAgent extends AgentReplies {
  /** The text that a person or the agent's owner reads, as on the page. `…` matches any text. */
  readonly words: string;
  readonly settings?: Partial<AgentSettings>;
}

export const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

export const html = (response: ServerResponse, status: number): void =>
  void response.writeHead(status, { "content-type": "text/html" }).end("<html><body>nginx</body></html>");

/** Answers every request with this result. */
export const result =
  (value: object): BrokenAgent["answer"] =>
  ({ id }, response) =>
    json(response, { jsonrpc: "2.0", id, result: value });

/** Streams results, each after the pauses before it (milliseconds), and literal text. Ends the stream unless the last step is `open`. */
export const stream =
  (...steps: readonly (object | number | string)[]): BrokenAgent["answer"] =>
  async ({ id }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    for (const step of steps) {
      if (typeof step === "number") await pause(step);
      else if (typeof step === "object")
        response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: step })}\n\n`);
      else if (step !== "open") response.write(step);
    }
    if (steps.at(-1) !== "open") response.end();
  };

const about = { name: "Broken", description: "Is broken.", version: "1.0.0", skills: [] };
const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] };
export const cardOf =
  (version: "0.3" | "1.0", members: object = {}) =>
  (url: string): object => ({
    ...about,
    ...modes,
    capabilities: { streaming: true },
    ...(version === "0.3"
      ? { protocolVersion: "0.3.0", url, preferredTransport: "JSONRPC" }
      : { supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }] }),
    ...members,
  });

export const task = { kind: "task", id: "task-9", contextId: "ctx-1" };
export const artifact = { artifactId: "answer", parts: [{ kind: "text", text: "42" }] };
export const says = (text: string): object => ({
  kind: "message",
  role: "agent",
  messageId: "m1",
  parts: [{ kind: "text", text }],
});
export const methodNotFound = { code: -32601, message: "Method not found" };
export const piece = (text: string): object => ({
  kind: "artifact-update",
  taskId: "task-9",
  contextId: "ctx-1",
  append: true,
  artifact: { artifactId: "answer", parts: [{ kind: "text", text }] },
});
export const completed = {
  kind: "status-update",
  taskId: "task-9",
  contextId: "ctx-1",
  status: { state: "completed" },
  final: true,
};
export const slowly =
  (ms: number, value: object): BrokenAgent["answer"] =>
  (call, response) =>
    void setTimeout(() => result(value)(call, response), ms);

/** Starts these agents. Returns their settings, and their requests by name. They end with the test. */
export async function startBrokenAgents(agents: Readonly<Record<string, BrokenAgent>>) {
  const started = await Promise.all(
    Object.entries(agents).map(async ([name, agent]) => ({ name, agent, ...(await startAgent(agent)) })),
  );
  const retry = { max_retries: 0, base_ms: 1, max_ms: 1 };
  const settings = started.map(({ name, url, agent }) => ({ name, url, retry, ...agent.settings }));
  return { settings, calls: new Map(started.map(({ name, calls }) => [name, calls])) };
}
