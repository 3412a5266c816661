import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Agent, type AgentContext, TaskPaused } from "@crosszone/execution";
import { serve, tempFile } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { startExecution } from "../harness/start-execution.ts";

const asker = { actor: "token:tck", agents: ["tck"], openTasks: 1 };
const askers = "askers: [{token: tck, agents: [tck], per_minute: 100000, open_tasks: 10000}]";
const file = { name: "output.txt", media_type: "text/plain", bytes: Buffer.from("tck") };
const requester = { people: [], groups: [], requester: true, approve: 1, deny: 1 };
const question = { awaits: "input", text: "Which one?", data: [] } as const;

/** How a task begins for each message id that the suites send, by its beginning. The first row that matches counts. */
const scenarios: readonly (readonly [prefix: string, text: string])[] = [
  ["tck-complete-task", "Hello from TCK"],
  ["tck-artifact-text", "Generated text content"],
  ["tck-artifact-data", '{"key": "value", "count": 42}'],
  ["tck-artifact-file-url", "https://example.com/output.txt"],
  ["tck-message-response", "Direct message response"],
  ["tck-stream-001", "Stream hello from TCK"],
  ["tck-stream-003", "Stream task lifecycle"],
  ["tck-stream-ordering-001", "Ordered output"],
  ["tck-stream-artifact-text", "Streamed text content"],
  ["tck-stream-artifact-chunked", "chunk-1 chunk-2"],
];

/** The suite of 0.3 continues and cancels the tasks of its other messages, so that they must not end. */
const staysOpen = (messageId: string): boolean => !/^(tck-|test-resubscribe-message-id)/.test(messageId);

/** Plays the executor of the suites: a task does what its message id says. */
async function play(messageId: string, { inputs, preview, signal }: AgentContext) {
  const is = (prefix: string): boolean => messageId.startsWith(prefix);
  if (is("tck-input-required") || staysOpen(messageId)) {
    const replies = [...(inputs?.decided.values() ?? [])].map(({ answer }) => JSON.stringify(answer));
    // The reply tells: "TCK history message" is another question, anything else ends the task.
    if (staysOpen(messageId) || replies.every((reply) => reply.includes("history message"))) {
      const asked = { key: `reply-${replies.length}`, kind: "text", title: question.text, decide: requester } as const;
      throw new TaskPaused([asked], { continuation: null, question });
    }
  }
  if (is("tck-reject-task")) throw new Error("rejected");
  // The suites wait for twice their timeout, 2 seconds.
  if (is("test-resubscribe-message-id")) await delay(4_500, undefined, { signal });
  const [, text = "Hello from TCK"] = scenarios.find(([prefix]) => is(prefix)) ?? [];
  if (is("tck-stream")) for (const piece of text.split(/(?<= )/)) preview?.text(piece);
  const files = /^tck-(stream-)?artifact-file(?!-url)/.test(messageId) ? { files: [file] } : {};
  return { response_text: text, ...files };
}

/**
 * Starts the execution zone with an agent that plays the executor of the suites, and its surface for programs at the root of two hosts, where the
 * suites look for an agent. Ends with the test.
 */
export async function startTckZone() {
  const messageOf = { read: async (_taskId: string): Promise<string> => "" };
  const agent: Agent = {
    name: "tck",
    description: "Plays the executor of the A2A TCK.",
    skills: [],
    run: async ({ task_id: taskId }, context) => play(await messageOf.read(taskId), context),
  };
  const ASK_FILE = tempFile("askers.yaml", askers);
  const env = { ASK_PORT: "0", ADMIN_TOKENS: adminToken, ASK_FILE };
  const zone = await startExecution({ agents: [agent], token: randomUUID() + randomUUID(), env, log: [] });
  onTestFinished(() => zone.stop());
  messageOf.read = async (taskId) => (await zone.app.ask.find(asker, taskId)).message?.messageId ?? "";
  const made = { name: "tck", scopes: ["ask"], expires_in: 3_600 };
  const { token } = (await runsApi(zone.url).post("/tokens", made)) as { readonly token: string };
  const atRoot =
    (credentials: Readonly<Record<string, string>> = {}): RequestListener =>
    (request, response) => {
      if (!request.url?.startsWith("/a2a/tck")) request.url = `/a2a/tck${request.url}`;
      // The suites send the same message id with other messages, so it can't be the key of a task.
      const added = { "idempotency-key": randomUUID(), ...credentials };
      Object.assign(request.headers, added);
      for (const [name, value] of Object.entries(added)) request.headersDistinct[name] = [value];
      zone.programs?.(request, response);
    };
  return {
    /** Asks with a token, because the suites send none. */
    open: await serve(atRoot({ authorization: `Bearer ${token}` })),
    strict: await serve(atRoot()),
  };
}
