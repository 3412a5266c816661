import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentSettings } from "@crosszone/contracts";
import { type AgentReplies, startAgent } from "@crosszone/testkit";
import { writeAgentsFile } from "./temp-file.ts";
import { startCrosszone } from "./start-crosszone.ts";

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

/**
 * Asks each agent in a direct message. Returns its requests by name, and a function that returns what a person reads of each so far: all words of its
 * messages, and the files as `name: content`.
 */
export async function askBrokenAgents(agents: Readonly<Record<string, BrokenAgent>>) {
  const { settings, calls } = await startBrokenAgents(agents);
  const AGENTS_FILE = writeAgentsFile(settings);
  // The burst of questions is more than Slack takes: without these limits each one waits for its turn.
  const many = { burst: 1_000, per_minute: 100_000 };
  const zones = await startCrosszone({
    env: { AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*", MESSAGES_PER_MINUTE: "1000" },
    slack: { rateLimits: { post_message: many, tier_3: many, tier_4: many } },
  });
  const asked = Object.keys(agents).map((name) => [name, zones.write({ text: `ask ${name}: Hello` })] as const);
  await Promise.all(asked.map(([, root]) => zones.answerTo(root, 60_000)));
  const contentOf = (id: string) => zones.slack.control.file(id).bytes.toString();
  const read = () =>
    Object.fromEntries(
      asked.map(([name, root]) => {
        const replies = zones.replies(root);
        const files = replies
          .flatMap((reply) => reply.files ?? [])
          .map(({ name: called, id }) => `${called}: ${contentOf(id)}`);
        const words = replies
          .filter((reply) => reply.files === undefined)
          .map((reply) => reply.text.replace(`**${name}**\n\n`, "").replace(/Reference: [^_]*/, "Reference: …"));
        // The message about a pause and the one that asks have no order.
        const isPause = (said: string): boolean => said.startsWith("_I need a decision");
        const ordered = [...words.filter(isPause), ...words.filter((said) => !isPause(said))];
        return [name, { words: ordered.join("\n\n"), files }];
      }),
    );
  return { calls, read };
}
