import type { JsonObject } from "@crosszone/service-kit/json";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createParser } from "eventsource-parser";
import { isPriced } from "../usage-meter.ts";
import { labels, type ModelSettings, type ProviderName } from "./model-choice.ts";
import { findError, listOf, membersOf, stringIn } from "./provider-error.ts";

/** Reads what a server sends on one wire, and returns what the provider's package understands. */
interface WireReader {
  /** Returns the events for one event, or for a whole answer that came instead of a stream. */
  read(value: unknown): object[];
  /** Returns the events that are missing at the end. `isDone`: the server said that this is the end. */
  end(isDone: boolean): object[];
  /** Whether the model has said why it stopped: nothing that follows makes the answer incomplete. */
  isFinished(): boolean;
}

/** OpenAI's chat completions, as servers send them. https://platform.openai.com/docs/api-reference/chat-streaming */
function createChatReader(): WireReader {
  let [isFinished, isCalled] = [false, false];
  /** The index of the choice that is read: a server may send more than the one that it is asked for. */
  let read: unknown;
  return {
    isFinished: () => isFinished,
    end: (isDone) =>
      isDone && !isFinished ? [{ choices: [{ finish_reason: isCalled ? "tool_calls" : "stop" }] }] : [],
    read: (value) => {
      const error = findError(value);
      if (error) return isFinished ? [] : [{ error }];
      const { id, model, usage, choices } = membersOf(value);
      const known = listOf(choices)
        .map(membersOf)
        .filter(({ index }) => (index ?? read) === (read ??= index))
        .slice(0, 1)
        .map(({ delta, message, text, finish_reason }) => {
          const said = deltaOf({ content: text, ...membersOf(delta ?? message) });
          const reason = stringIn(finish_reason).replace(/^null$/, "");
          isFinished ||= reason !== "";
          isCalled ||= said.tool_calls.length > 0;
          return { delta: said, finish_reason: reason || undefined };
        });
      return [{ id: stringIn(id), model: stringIn(model), choices: known, usage }];
    },
  };
}

function deltaOf({ content, refusal, reasoning_content, reasoning, thinking, tool_calls }: JsonObject) {
  const calls = listOf(tool_calls).map((call) => {
    const { index, id, function: called, extra_content } = membersOf(call);
    const { name, arguments: input } = membersOf(called);
    const json = typeof input === "object" && input !== null ? JSON.stringify(input) : stringIn(input);
    const at = Number.parseInt(String(index), 10);
    return { index: Number.isNaN(at) ? undefined : at, id, function: { name, arguments: json }, extra_content };
  });
  return {
    content: Array.isArray(content) ? content.filter((part) => stringIn(membersOf(part)["type"])) : stringIn(content),
    refusal,
    reasoning_content: [reasoning_content, reasoning, thinking].map(stringIn).find(Boolean),
    tool_calls: calls.filter(({ id, function: { name, arguments: json } }) => stringIn(id) || stringIn(name) || json),
  };
}

const knownParts = /^(?:text|tool_use|(?:redacted_)?thinking|(?:text|input_json|thinking|signature)_delta)$/;

/** Anthropic's messages, without unknown events. https://platform.claude.com/docs/en/build-with-claude/streaming */
function createMessagesReader(): WireReader {
  let [isFinished, isOver] = [false, false];
  const alive = { type: "ping" };
  const unknownBlocks = new Set<unknown>();
  const isKnown = (part: unknown): boolean => knownParts.test(stringIn(membersOf(part)["type"]));
  const stop = (delta: object, usage?: unknown) => {
    isFinished = true;
    return { type: "message_delta", delta, usage: { output_tokens: 0, ...membersOf(usage) } };
  };
  const end = (isDone: boolean): object[] => {
    if (isOver || !(isDone || isFinished)) return [];
    const missing = isFinished ? [] : [stop({ stop_reason: "end_turn" })];
    isOver = true;
    return [...missing, { type: "message_stop" }];
  };
  const read = (value: unknown): object[] => {
    const event = membersOf(value);
    const { type = "error", index, usage, content_block: block, delta } = event;
    if (type === "message") return wholeMessage(event).flatMap(read);
    if (type === "message_stop") return end(true);
    if (type === "message_start") {
      const message = membersOf(event["message"]);
      const counted = { input_tokens: 0, ...membersOf(message["usage"]) };
      return [{ type, message: { ...message, content: [], usage: counted } }];
    }
    if (type === "message_delta")
      return typeof membersOf(delta)["stop_reason"] === "string" ? [stop(membersOf(delta), usage)] : [alive];
    if (type === "content_block_start" && !isKnown(block)) unknownBlocks.add(index);
    if (stringIn(type).startsWith("content_block"))
      return [unknownBlocks.has(index) || (delta !== undefined && !isKnown(delta)) ? alive : event];
    const error = type === "error" && !isFinished ? findError(value) : undefined;
    return [error ? { type, error: { ...error, type: error.type || "api_error" } } : alive];
  };
  return { isFinished: () => isFinished, end, read };
}

/** Returns the events of a message that was not streamed. */
function wholeMessage({ content, stop_reason = "end_turn", usage, ...message }: JsonObject): object[] {
  const blocks = listOf(content).flatMap((content_block, index) => {
    const { type, text } = membersOf(content_block);
    const stop = { type: "content_block_stop", index };
    if (type !== "text") return [{ type: "content_block_start", index, content_block }, stop];
    const start = { type: "content_block_start", index, content_block: { type, text: "" } };
    return [start, { type: "content_block_delta", index, delta: { type: "text_delta", text } }, stop];
  });
  return [{ type: "message_start", message }, ...blocks, { type: "message_delta", delta: { stop_reason }, usage }];
}

/** OpenAI's responses, as they are, but for the forms of an error. */
function createResponsesReader(): WireReader {
  let isFinished = false;
  const read = (value: unknown): object[] => {
    const { type = "error", sequence_number = 0 } = membersOf(value);
    isFinished ||= /^response\.(?:completed|incomplete|failed)$/.test(stringIn(type));
    const error = type === "error" ? findError(value) : undefined;
    return [error ? { ...error, code: error.code || error.type, type, sequence_number } : membersOf(value)];
  };
  return { isFinished: () => isFinished, end: () => [], read };
}

/** The longest answer that is no stream, characters. */
const longestWhole = 10_000_000;

/** Shows that the server is alive, on every wire. */
const ping = { type: "ping" };

/** How long a server may still send token counts after the model has stopped, milliseconds. */
const lateMs = 2_000;

/**
 * Returns the `fetch` of a provider's package. The packages read a strict stream of events; servers send more than that:
 * pings, a last event without its blank line, a whole answer instead of a stream, errors in many forms.
 */
function modelFetch(newReader: () => WireReader): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, init);
    const { ok, status, headers, body } = response;
    if (!ok || body === null) return response;
    return new Response(ReadableStream.from(readBody(body, newReader())), { status, headers });
  };
}

async function* readBody(body: ReadableStream<Uint8Array>, reader: WireReader): AsyncGenerator<Uint8Array> {
  let waiting = "";
  let [isDone, isWhole, broken] = [false, undefined as boolean | undefined, undefined as unknown];
  const send = (data: string): void => void (waiting += `data: ${data}\n\n`);
  const read = (value: unknown): void => reader.read(value).forEach((event) => send(JSON.stringify(event)));
  const onEvent = ({ data, event }: { readonly data: string; readonly event?: string }): void => {
    isDone ||= data.trim() === "[DONE]";
    if (isDone) return;
    const value = parse(data);
    if (event === "error" && !findError(value)) read({ error: value ?? data });
    // Half an event must break the answer.
    else if (value === undefined && data.includes("{")) send("{");
    else read(value ?? ping);
  };
  const parser = createParser({ onEvent, onComment: () => read(ping) });
  // llama.cpp sends errors as a field of their own. The parser drops unknown fields.
  const feed = (lines: string): void => parser.feed(lines.replaceAll(/^error:/gm, "event: error\ndata:"));
  const decoder = new TextDecoder();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let rest = "";
  try {
    for await (const piece of body.pipeThrough(new TransformStream(), { signal: late.signal })) {
      rest += decoder.decode(piece, { stream: true });
      isWhole ??= rest.trim() === "" ? undefined : /^\s*[[{]/.test(rest);
      const end = isWhole === false ? Math.max(rest.lastIndexOf("\n"), rest.lastIndexOf("\r")) + 1 : 0;
      feed(rest.slice(0, end));
      rest = rest.slice(end);
      if (rest.length > longestWhole) throw new Error("the answer is too long");
      yield Buffer.from(waiting);
      waiting = "";
      if (isDone) break;
      if (reader.isFinished()) timer ??= setTimeout(() => late.abort(), lateMs).unref();
    }
  } catch (error) {
    broken = error;
  }
  if (isWhole !== true) feed(`${rest}\n\n`);
  else for (const data of parse(rest) === undefined ? rest.split("\n") : [rest]) onEvent({ data });
  if (broken !== undefined && !reader.isFinished()) throw broken;
  for (const event of reader.end(isDone || isWhole === true)) send(JSON.stringify(event));
  yield Buffer.from(waiting);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
}

export interface ProviderAccess {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** The region of Bedrock. The AWS SDK finds credentials: an API key, access keys, profile, container, instance. */
  readonly region?: string;
}

export interface OpenModel {
  readonly model: LanguageModelV4;
  /** `provider/id`, for logs and usage. */
  readonly name: string;
  readonly id: string;
  /** Display name: `claude-sonnet-4-6 (Anthropic)`. */
  readonly label: string;
  readonly priced: boolean;
  /** The parameters that the model refused by name. They are not sent again. */
  readonly refused: Set<string>;
}

/** Returns a model. Loads only its provider's package. Opens no connection. */
export async function openModel(provider: ProviderName, id: string, access: ProviderAccess): Promise<OpenModel> {
  const refused = new Set<string>();
  const model = await openers[provider](id, { ...access, refused });
  const server = provider === "openai-compatible" ? ` at ${new URL(access.baseUrl ?? "").host}` : "";
  const label = `${id} (${labels[provider]}${server})`;
  return { model, id, name: `${provider}/${id}`, label, priced: isPriced({ provider, id }), refused };
}

// Keys and addresses are always passed: the packages would read missing ones from the environment.
const openers: Readonly<
  Record<
    ProviderName,
    (id: string, access: ProviderAccess & { readonly refused: Set<string> }) => Promise<LanguageModelV4>
  >
> = {
  anthropic: async (id, { apiKey = "", baseUrl = "https://api.anthropic.com/v1" }) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, baseURL: baseUrl, fetch: modelFetch(createMessagesReader) })(id);
  },

  openai: async (id, { apiKey = "", baseUrl = "https://api.openai.com/v1" }) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey, baseURL: baseUrl, fetch: modelFetch(createResponsesReader) }).responses(id);
  },

  "openai-compatible": async (id, { apiKey, baseUrl = "", refused }) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const settings = { name: "openai-compatible", baseURL: baseUrl, includeUsage: true };
    // OpenAI's name for `max_tokens` since its reasoning models.
    const named = ({ max_tokens, ...body }: JsonObject) =>
      refused.has("max_tokens") ? { ...body, max_completion_tokens: max_tokens } : { ...body, max_tokens };
    const transformRequestBody = (body: JsonObject) =>
      Object.fromEntries(Object.entries(named(body)).filter(([name]) => !refused.has(name)));
    const fetch = modelFetch(createChatReader);
    return createOpenAICompatible({ ...settings, apiKey, transformRequestBody, fetch })(id);
  },

  bedrock: async (id, { baseUrl, region = "us-east-1" }) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    // Without a base URL the package knows the address of each region's partition.
    const place = { region, baseURL: baseUrl };
    const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
    return createAmazonBedrock({ ...place, credentialProvider: defaultProvider() })(id);
  },
};

/** The environment's settings for reaching providers. */
export interface AccessSettings extends ModelSettings {
  readonly ANTHROPIC_BASE_URL?: string;
  readonly AWS_REGION?: string;
}

export function accessOf(provider: ProviderName, settings: AccessSettings): ProviderAccess {
  if (provider === "anthropic") return { apiKey: settings.ANTHROPIC_API_KEY, baseUrl: settings.ANTHROPIC_BASE_URL };
  if (provider !== "bedrock") return { apiKey: settings.OPENAI_API_KEY, baseUrl: settings.OPENAI_BASE_URL };
  return { region: settings.AWS_REGION };
}
