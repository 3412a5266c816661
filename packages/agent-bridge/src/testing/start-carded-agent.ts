import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { clientOf, startCall, type StartCallOptions } from "./start-call.ts";
import { bodyOf, startServer } from "./http-agents.ts";

export const card = { protocolVersion: "0.3.0", url: "/", capabilities: { streaming: true } };
export const card10 = {
  supportedInterfaces: [{ url: "/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
};
export const ids = { taskId: "remote-1", contextId: "ctx-1" };
/** A status message. One with the id of another is a further piece of it. */
export const says = (text: string, messageId = `m ${text}`) => ({
  message: { role: "agent", messageId, parts: [{ kind: "text", text }] },
});
export const status = (state: string, members: object = {}) =>
  result({ kind: "status-update", ...ids, status: { state, ...members }, final: state !== "working" });
export const chunk = (text: string, append: boolean) =>
  result({ kind: "artifact-update", ...ids, artifact: { artifactId: "a", parts: [{ kind: "text", text }] }, append });

/** The same in A2A 1.0, where a stream can be resumed. */
const stateOf10 = (state: string) => `TASK_STATE_${state.toUpperCase().replace("-", "_")}`;
export const said10 = (text: string, messageId = `m ${text}`) => ({
  message: { role: "ROLE_AGENT", messageId, parts: [{ text }] },
});
export const task10 = (state: string, members: object = {}) => ({
  id: "remote-1",
  contextId: "ctx-1",
  status: { state: stateOf10(state), ...members },
});
export const showing10 = (state: string, members: object = {}) => result({ task: task10(state, members) });
export const status10 = (state: string, members: object = {}) =>
  result({ statusUpdate: { ...ids, status: { state: stateOf10(state), ...members } } });
export const done10 = (text: string) => ({
  ...task10("completed"),
  artifacts: [{ artifactId: "a", parts: [{ text }] }],
});

/** Starts a streaming agent. Its `call` records the reported progress. */
export async function streaming(answers: CardedOptions["answers"], own: { card?: object; timeout_ms?: number } = {}) {
  const agent = await startCardedAgent({ card: own.card ?? card, answers });
  const progress: string[] = [];
  const remoteIds: string[] = [];
  const call = (options: object = {}, task: object = {}) =>
    agent.start({
      agent: { timeout_ms: own.timeout_ms ?? 60_000 },
      task,
      options: {
        onProgress: (text) => progress.push(text),
        onRemoteId: async (id) => void remoteIds.push(id),
        ...options,
      },
    });
  return { agent, call, progress, remoteIds };
}

interface RpcAsked {
  readonly path: string;
  readonly version: string | undefined;
  /** The extensions of A2A that the request activates. */
  readonly extensions: string | undefined;
  readonly body: {
    readonly id: unknown;
    readonly method: string;
    readonly params: { readonly id?: string; readonly message?: Record<string, unknown>; readonly tenant?: string };
  };
}

/** Events of a stream, each the result or error of a JSON-RPC response or literal text, and how the stream ends (default: normally). */
interface Streamed {
  readonly events: readonly (object | string)[];
  /** Further events, a while after the others. */
  readonly late?: readonly (object | string)[];
  /** A text that is written before the events, again and again, as servers keep a silent connection open. */
  readonly beats?: { readonly text: string; readonly times: number; readonly everyMs: number };
  /** Written before these. */
  readonly first?: object;
  /** `bare`: without the blank line after the last event. `unopened`: it never begins, as on @a2a-js/sdk before the first event. */
  readonly ends?: "hang" | "cut" | "bare" | "unopened";
}

/** A JSON-RPC result or error, a stream, a bare status, `{status, body}`, or literal text. */
export type CardedAnswer = object | Streamed | number | string;

export interface CardedOptions {
  /** Returns the card for a port; undefined for a 404, `unreachable` for a broken connection. */
  readonly card: object | ((port: number) => object | "unreachable") | undefined;
  /** Responses by method: one, or a list in order whose last one repeats. Any other method is not found. */
  readonly answers: Readonly<Record<string, CardedAnswer | readonly CardedAnswer[]>>;
}

export const errorOf = (code: number): object => ({ error: { code, message: "no" } });
export const result = (value: unknown): object => ({ result: value });

/** Starts an agent with a card on loopback, for one test. Calls to it use the bridge's own client. */
export async function startCardedAgent({ answers, ...options }: CardedOptions) {
  const asked: RpcAsked[] = [];
  const url = await startServer(async (request, response) => {
    if (request.method === "GET") {
      const served = typeof options.card === "function" ? options.card(request.socket.localPort ?? 0) : options.card;
      if (served === "unreachable") return response.destroy();
      return response.writeHead(served === undefined ? 404 : 200).end(JSON.stringify(served));
    }
    const body = JSON.parse(await bodyOf(request)) as RpcAsked["body"];
    const before = asked.filter((each) => each.body.method === body.method).length;
    const [version, extensions] = ["a2a-version", "a2a-extensions"].map((name) => request.headers[name]?.toString());
    asked.push({ path: request.url ?? "", version, extensions, body });
    const found = answers[body.method] ?? errorOf(-32_601);
    const answer = Array.isArray(found) ? (found[Math.min(before, found.length - 1)] as CardedAnswer) : found;
    return give(response, body.id, answer);
  });
  const start = ({ agent, ...given }: StartCallOptions = {}) =>
    startCall({
      agent: { url: `${url}/`, protocol: "auto", ...agent },
      deps: { client: clientOf({ origins: [url] }) },
      ...given,
    });
  const methods = (): readonly string[] => asked.map(({ body }) => body.method);
  return {
    url,
    asked,
    methods,
    start,
    call: (agent: Partial<AgentRecord> = {}, task: Partial<AgentTask> = {}) => start({ agent, task }).end,
  };
}

async function give(response: ServerResponse, id: unknown, answer: CardedAnswer): Promise<void> {
  const envelope = (content: object): string => JSON.stringify({ jsonrpc: "2.0", id, ...content });
  if (typeof answer === "number") response.writeHead(answer).end();
  else if (typeof answer === "string") response.end(answer);
  else if ("body" in answer) {
    const { status: code, body } = answer as { readonly status: number; readonly body: object };
    response.writeHead(code).end(JSON.stringify(body));
  } else if (!("events" in answer)) response.end(envelope(answer));
  else if (!("ends" in answer && answer.ends === "unopened")) {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.flushHeaders();
    const { events, late = [], ends, beats } = answer;
    if (answer.first !== undefined) response.write(`data: ${envelope(answer.first)}\n\n`);
    for (const text of Array.from({ length: beats?.times ?? 0 }, () => beats?.text)) {
      response.write(text);
      await pause(beats?.everyMs);
    }
    const texts = [...events, ...late].map((event) => `data: ${typeof event === "string" ? event : envelope(event)}`);
    for (const [index, text] of texts.entries()) {
      if (index === events.length) await pause(100);
      response.write(ends === "bare" && index === texts.length - 1 ? text : `${text}\n\n`);
    }
    if (ends === undefined || ends === "bare") response.end();
    // Give the written events time to arrive before the connection breaks.
    if (ends === "cut") setTimeout(() => response.destroy(), 50);
  }
}
