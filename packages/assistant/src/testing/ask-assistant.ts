import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate, setTimeout as delay } from "node:timers/promises";
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { TaskStep } from "@crosszone/contracts";
import { serve } from "@crosszone/testkit/temporary";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { vi } from "vitest";
import { type AssistantAnswer, createAssistant, type AssistantQuestion } from "../create-assistant.ts";
import type { AssistantEmit, AssistantLimits } from "../failure.ts";
import type { ThreadMemory, ThreadSummary } from "../memory/thread-memory.ts";
import type { ProviderName } from "../models/model-choice.ts";
import { type OpenModel, openModel } from "../models/open-model.ts";
import type { AssistantTool } from "../tools/assistant-tool.ts";
import type { ResumedTurn } from "../turn/paused-turn.ts";
import type { Spending, TurnUsage } from "../usage-meter.ts";

/** The recorded events of a question. */
interface AskOutcome {
  readonly answer?: AssistantAnswer;
  readonly error?: unknown;
  /** The shown text, piece by piece, and the steps after each change. */
  readonly shown: string[];
  readonly steps: TaskStep[][];
  readonly usage: TurnUsage[];
  readonly failures: string[];
  readonly retries: string[];
}

export interface AskOptions {
  readonly question?: Partial<AssistantQuestion>;
  readonly limits?: Partial<AssistantLimits>;
  readonly signal?: AbortSignal;
  readonly memory?: ThreadMemory;
  readonly spending?: Spending;
  readonly resumed?: ResumedTurn;
  /** Called with each shown piece. */
  readonly onText?: (delta: string) => void;
}

/** Friday noon, UTC. */
const noon = new Date("2026-11-20T12:00:00Z");

/** Asks a model one question and records everything. Retries wait a millisecond. */
export async function askAssistant(
  model: OpenModel,
  { question, limits, signal, memory, spending, resumed, onText }: AskOptions = {},
): Promise<AskOutcome> {
  const outcome = { shown: [], steps: [], usage: [], failures: [], retries: [] } as AskOutcome;
  const emit: AssistantEmit = (event, ...[fields]) => {
    const { agent_name, because, tool, cause } = fields as Readonly<Record<string, string | undefined>>;
    const isFailure = event === "model_tool_failed" || event === "summary_failed";
    outcome[isFailure ? "failures" : "retries"].push(agent_name ?? because ?? tool ?? String(cause));
  };
  const assistant = createAssistant({ model, limits: { backoffMs: 1, ...limits }, emit });
  const context = {
    signal: signal ?? new AbortController().signal,
    now: () => noon,
    memory,
    spending,
    resumed,
    preview: {
      text: (delta: string) => {
        outcome.shown.push(delta);
        onText?.(delta);
      },
      progress: ({ steps }: { readonly steps: TaskStep[] }) => void outcome.steps.push(steps),
    },
    onUsage: (usage: TurnUsage) => void outcome.usage.push(usage),
  };
  const defaults = { text: "Hello", userId: "U1", thread: [], files: [], tools: [] };
  try {
    return { ...outcome, answer: await assistant.answer({ ...defaults, ...question }, context) };
  } catch (error) {
    return { ...outcome, error };
  }
}

/** A tool from a function. */
export function toolThat(run: AssistantTool["run"], members: Partial<AssistantTool> = {}): AssistantTool {
  return {
    name: "lookup",
    title: "Look up",
    description: "Looks something up.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    sideEffects: false,
    trusted: false,
    run,
    ...members,
  };
}

/** The memory of one thread, in this process. */
export function createMemory(): ThreadMemory & { readonly kept: ThreadSummary[] } {
  const kept: ThreadSummary[] = [];
  return {
    kept,
    find: async () => kept.at(-1),
    keep: async (summary) => void kept.push(summary),
    drop: async () => void kept.splice(0),
  };
}

type Part = LanguageModelV4StreamPart;
type FinishReason = Extract<Part, { type: "finish" }>["finishReason"]["unified"];

/** Opens a model of each provider at a test server's URL, with the provider's real package. */
export const wireModels: Readonly<Record<ProviderName, (url: string) => Promise<OpenModel>>> = {
  anthropic: (url) => openModel("anthropic", "claude-sonnet-4-6", { apiKey: "planted-key", baseUrl: `${url}/v1` }),
  openai: (url) => openModel("openai", "gpt-5.2", { apiKey: "planted-key", baseUrl: `${url}/v1` }),
  "openai-compatible": (url) => openModel("openai-compatible", "qwen3:8b", { baseUrl: `${url}/v1` }),
  bedrock: (url) => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDPLANTED");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "planted-key");
    const place = { baseUrl: url, region: "eu-central-1" };
    return openModel("bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0", place);
  },
};

export const wireProviders = Object.keys(wireModels) as ProviderName[];

/** A call's script: the parts it sends, or an error before the first. */
export type Script = readonly Part[] | Error | ((options: LanguageModelV4CallOptions) => readonly (Part | Error)[]);

/**
 * A model that follows a script, one entry per call; the last entry repeats. An `Error` among the parts breaks the
 * stream.
 */
export function scriptedModel(...scripts: readonly Script[]) {
  /** The model's calls. */
  const calls: LanguageModelV4CallOptions[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not used")),
    doStream: async (options) => {
      const script = scripts[Math.min(calls.length, scripts.length - 1)] ?? [];
      calls.push(options);
      if (script instanceof Error) throw script;
      const parts = typeof script === "function" ? script(options) : script;
      return { stream: ReadableStream.from(send(parts)) };
    },
  };
  const id = model.modelId;
  return { model, id, name: `scripted/${id}`, label: "Scripted", priced: true, refused: new Set<string>(), calls };
}

async function* send(parts: readonly (Part | Error)[]): AsyncGenerator<Part> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

/** A text in these deltas. */
export function text(...deltas: readonly string[]): Part[] {
  const id = "t1";
  return [
    { type: "text-start", id },
    ...deltas.map((delta): Part => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}

let called = 0;

/** A call of a tool. */
export function call(toolName: string, input: unknown): Part {
  called += 1;
  return { type: "tool-call", toolCallId: `call-${called}`, toolName, input: JSON.stringify(input) };
}

/** The end of a call, with its token counts. */
export function finish(unified: FinishReason = "stop", { input = 10, output = 5, cached = 0 } = {}): Part {
  return {
    type: "finish",
    // A stream without a reason is `other`.
    finishReason: { unified, raw: unified === "other" ? undefined : unified },
    usage: {
      inputTokens: { total: input, noCache: input - cached, cacheRead: cached, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
  };
}

/** So few that lines, events and characters are split. */
const pieceBytes = 31;

/** What a model's server sends for one request. */
export interface ModelReply {
  readonly status?: number;
  readonly type?: string;
  readonly body: string | Buffer;
  /** How the connection ends: closed, broken, or left open. */
  readonly ends?: "breaks" | "never";
}

/** One request of a model's client. */
interface ModelRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Starts a server that answers each request as `replyTo` says, in small pieces, or not at all. Ends with the test.
 */
export async function startModelServer(replyTo: (request: ModelRequest) => ModelReply | undefined) {
  const requests: ModelRequest[] = [];
  const open = new Set<ModelRequest>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const asked = { path: request.url ?? "", body: JSON.parse(sent) as ModelRequest["body"] };
    requests.push(asked);
    open.add(asked);
    response.once("close", () => open.delete(asked));
    const reply = replyTo(asked);
    if (reply === undefined) return;
    const { status = 200, type = "text/event-stream", body, ends } = reply;
    response.writeHead(status, { "content-type": type });
    const bytes = Buffer.from(body as string);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      response.write(bytes.subarray(at, at + pieceBytes));
      await setImmediate();
    }
    // The client has to read the beginning first.
    if (ends === "breaks") await delay(50).then(() => response.destroy());
    else if (ends === undefined) response.end();
  };
  const url = await serve(answer);
  return {
    url,
    requests,
    /** The requests whose connections neither side has closed or answered. */
    open,
  };
}

/** Events of a stream: an object is JSON, a text is sent as it is. */
export const sse = (...events: readonly (object | string)[]): string =>
  events.map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`)).join("");

/** Anthropic's events, with their names. */
export const named = (...events: readonly { readonly type: string; readonly [member: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

/** Bedrock's events and exceptions, by name. */
export function frames(...events: readonly (readonly [type: string, body: object])[]): Buffer {
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (said) => Buffer.from(said),
  );
  const header = (value: string) => ({ type: "string" as const, value });
  const encoded = events.map(([type, body]) => {
    const kind = type.endsWith("Exception") ? "exception" : "event";
    const headers = {
      ":message-type": header(kind),
      [`:${kind}-type`]: header(type),
      ":content-type": header("application/json"),
    };
    return codec.encode({ headers, body: Buffer.from(JSON.stringify(body)) });
  });
  return Buffer.concat(encoded);
}
