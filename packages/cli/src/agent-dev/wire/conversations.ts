import { createA2A10Adapter, createAdapters, type ProtocolAdapter, type Reading } from "@crosszone/agent-bridge/wire";
import type { AgentTask } from "@crosszone/contracts";
import { answerOf, unreadAnswer, type AgentAnswer } from "../talk/agent-answer.ts";
import type { MessageFile, UserMessage } from "../talk/converse.ts";
import { isSend, methodOf, type WireExchange } from "./wire-exchange.ts";

/** A message of a user, and what the agent answered. */
export interface Turn {
  readonly message: UserMessage;
  /** Undefined while the agent works. */
  readonly answer: AgentAnswer | undefined;
  /** The requests and responses of this message, in order. */
  readonly exchanges: readonly WireExchange[];
  readonly contextId: string | undefined;
}

type Open = { -readonly [Member in keyof Turn]: Turn[Member] } & { exchanges: WireExchange[]; remoteId?: string };

/** Groups exchanges into turns, in order. */
export function turnsOf(exchanges: readonly WireExchange[]): readonly Turn[] {
  const turns: Open[] = [];
  for (const exchange of exchanges) {
    const { params } = (exchange.request ?? {}) as { readonly params?: { readonly id?: unknown } };
    const isNew = isSend(exchange);
    const turn = isNew
      ? { message: messageIn(exchange), answer: undefined, exchanges: [], contextId: contextIn(exchange) }
      : turns.findLast(({ remoteId }) => remoteId !== undefined && remoteId === params?.id);
    if (turn === undefined) continue;
    if (isNew) turns.push(turn);
    turn.exchanges.push(exchange);
    if (exchange.duration_ms === undefined) continue;
    const answer = readAnswer(exchange);
    if ("remoteId" in answer) turn.remoteId = answer.remoteId;
    else turn.answer = answer;
  }
  return turns;
}

/** Returns the turns of the conversation that the last message belongs to. Messages without a context id are a conversation each. */
export function lastConversation(exchanges: readonly WireExchange[]): readonly Turn[] {
  const turns = turnsOf(exchanges);
  const last = turns.at(-1);
  if (last === undefined) return [];
  return last.contextId === undefined ? [last] : turns.filter(({ contextId }) => contextId === last.contextId);
}

interface WireMessage {
  readonly parts?: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly contextId?: unknown;
}

function wireMessage({ request }: WireExchange): WireMessage {
  const { params } = (request ?? {}) as { readonly params?: { readonly message?: WireMessage } };
  return params?.message ?? {};
}

function contextIn(exchange: WireExchange): string | undefined {
  const { contextId } = wireMessage(exchange);
  return typeof contextId === "string" ? contextId : undefined;
}

/** Returns the text and the files of a message in any of the protocols. Files by link are left out: the link ends with the task. */
export function messageIn(exchange: WireExchange): UserMessage {
  const { input } = (exchange.request ?? {}) as { readonly input?: unknown };
  if (input !== undefined) return { text: typeof input === "string" ? input : inputText(input) };
  const parts = wireMessage(exchange).parts ?? [];
  const texts = parts.flatMap((part) => (typeof part?.["text"] === "string" ? [part["text"]] : []));
  const files = parts.flatMap(fileIn);
  return { text: texts.join("\n"), ...(files.length > 0 && { files }) };
}

function inputText(input: unknown): string {
  const { text } = (input ?? {}) as { readonly text?: unknown };
  return typeof text === "string" ? text : JSON.stringify(input);
}

function fileIn(part: Readonly<Record<string, unknown>> | null): readonly MessageFile[] {
  const { raw, filename, mediaType, file } = part ?? {};
  const old = (file ?? {}) as { readonly name?: unknown; readonly mimeType?: unknown; readonly bytes?: unknown };
  const bytes = raw ?? old.bytes;
  if (typeof bytes !== "string") return [];
  const [name, type] = [filename ?? old.name, mediaType ?? old.mimeType];
  return [
    {
      name: typeof name === "string" ? name : "file",
      media_type: typeof type === "string" ? type : "application/octet-stream",
      bytes,
    },
  ];
}

/** Reads the answer in a response, or the agent's id of the task that still runs. */
export function readAnswer(exchange: WireExchange): AgentAnswer | { readonly remoteId: string } {
  if (exchange.problem !== undefined) return unreadAnswer(new Error(exchange.problem));
  const task: AgentTask = { run_id: "r", task_id: "t", agent_name: "agent", correlation_id: "r", input_data: "" };
  try {
    const reading = read(exchange, task);
    if (reading === undefined) return unreadAnswer(new Error("The stream had no event."));
    return reading.state === "working" ? { remoteId: reading.remoteId } : answerOf(reading.result);
  } catch (error) {
    return unreadAnswer(error);
  }
}

function read(exchange: WireExchange, task: AgentTask): Reading | undefined {
  const adapter = adapterOf(exchange);
  const { status = 200, response, events } = exchange;
  // The adapter expects the id that it would have sent.
  const reply = (body: unknown) => {
    const own = typeof body === "object" && body !== null && "jsonrpc" in body ? { ...body, id: "t" } : body;
    return { status, headers: {}, body: Buffer.from(typeof own === "string" ? own : (JSON.stringify(own) ?? "")) };
  };
  if (events === undefined) return adapter.fromResponse(reply(response), task);
  const reader = adapter.createEventReader?.(task);
  return events.map(({ data }) => reader?.(reply(structuredClone(data)))).at(-1);
}

function adapterOf(exchange: WireExchange): ProtocolAdapter {
  const method = methodOf(exchange);
  if (method !== undefined && /^[A-Z]/.test(method)) return createA2A10Adapter({});
  const protocol = method === undefined ? "simple-a2a" : "jsonrpc-2.0";
  return createAdapters().adapterOf({ protocol, protocol_config: {} });
}
