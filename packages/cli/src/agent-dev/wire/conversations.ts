import { createA2A10Adapter, createAdapters, type ProtocolAdapter, type Reading } from "@crosszone/agent-bridge/wire";
import type { AgentTask } from "@crosszone/contracts";
import { answerOf, unreadAnswer, type AgentAnswer } from "../talk/agent-answer.ts";
import { isSend, methodOf, type WireExchange } from "./wire-exchange.ts";

/** A message of a user, and what the agent answered. */
export interface Turn {
  readonly message: string;
  /** Undefined while the agent works. */
  answer: AgentAnswer | undefined;
}

/** Groups exchanges into turns, in order. */
export function turnsOf(exchanges: readonly WireExchange[]): readonly Turn[] {
  const turns: Turn[] = [];
  const working = new Map<unknown, Turn>();
  for (const exchange of exchanges) {
    const { params } = (exchange.request ?? {}) as { readonly params?: { readonly id?: unknown } };
    const isNew = isSend(exchange);
    const turn = isNew ? { message: messageIn(exchange), answer: undefined } : working.get(params?.id);
    if (turn === undefined) continue;
    if (isNew) turns.push(turn);
    if (exchange.duration_ms === undefined) continue;
    const answer = readAnswer(exchange);
    if ("remoteId" in answer) working.set(answer.remoteId, turn);
    else turn.answer = answer;
  }
  return turns;
}

/** Returns the text of a message in any of the protocols. */
function messageIn({ request }: WireExchange): string {
  const { input, params } = (request ?? {}) as { readonly input?: unknown; readonly params?: MessageParams };
  if (typeof input === "string") return input;
  if (input !== undefined) {
    const { text } = (input ?? {}) as { readonly text?: unknown };
    return typeof text === "string" ? text : JSON.stringify(input);
  }
  const texts = (params?.message?.parts ?? []).map((part) => part?.text);
  return texts.filter((text) => typeof text === "string").join("\n");
}

interface MessageParams {
  readonly message?: { readonly parts?: readonly ({ readonly text?: unknown } | null)[] };
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
