import { createA2A10Adapter, createAdapters, type ProtocolAdapter, type Reading } from "@crosszone/agent-bridge/wire";
import type { AgentTask } from "@crosszone/contracts";
import { answerOf, unreadAnswer, type AgentAnswer } from "../talk/agent-answer.ts";
import { methodOf, type WireExchange } from "./wire-exchange.ts";

/** Reads the answer in a response. Returns `undefined` while the task runs. */
export function readAnswer(exchange: WireExchange): AgentAnswer | undefined {
  if (exchange.problem !== undefined) return unreadAnswer(new Error(exchange.problem));
  const task: AgentTask = { run_id: "r", task_id: "t", agent_name: "agent", correlation_id: "r", input_data: "" };
  try {
    const reading = read(exchange, task);
    if (reading === undefined) return unreadAnswer(new Error("The stream had no event."));
    return reading.state === "working" ? undefined : answerOf(reading.result);
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
