import type { AgentTestExchange } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { plainJson } from "@crosszone/service-kit/json";
import type { ExecutionEvent } from "@crosszone/telemetry";

export interface AgentTaskIds {
  readonly run_id: string;
  readonly task_id: string;
  readonly agent_name: string;
  readonly correlation_id: string;
  readonly traceparent?: string;
}

/** Identifies an agent call: a task given to an agent, in the agent's protocol. */
export interface AgentCallIds extends AgentTaskIds {
  readonly protocol: string;
}

/** Requests to an agent: start a task, poll it, subscribe to its events, cancel it. */
export type AgentOperation = "send" | "poll" | "subscribe" | "cancel";

/** One request of a call. */
export interface AgentExchange {
  readonly operation: AgentOperation;
  /** Requests so far that started the task, including this one. */
  readonly attempt: number;
  readonly duration_ms: number;
}

/**
 * Reports the events of calls by name; the table says what each means. Each failure is reported once: by `protocol_translation_error` and
 * `agent_call_retried` within a call, by the call's end otherwise.
 */
export type BridgeEmit = Emit<ExecutionEvent>;

/** Reports that an operation of the store failed; it is retried. */
export const reportStoreFailed =
  (emit: BridgeEmit) =>
  (operation: "take" | "renew" | "release" | "end" | "progress" | "count", cause: unknown): void =>
    emit("agent_store_failed", { operation, cause });

/** A request to an agent, its response, and the call that they belong to. */
interface ShownExchange extends AgentTestExchange {
  readonly agent_name: string;
  readonly correlation_id: string;
}

/** A sent request, or a stream whose next event is awaited. A stream has no `request`. */
interface Sent {
  readonly operation: ShownExchange["operation"];
  readonly request?: unknown;
  readonly sentAt: number;
}

/** Maximum length of a displayed body, UTF-16 units. */
const mostUnits = 16_384;

/** The fields of the events that are shown. */
interface Shown extends AgentCallIds {
  readonly operation: ShownExchange["operation"];
  readonly request: unknown;
  readonly status: number;
  readonly bytes: number;
  readonly response: string;
  readonly warnings: readonly string[];
  readonly because: string;
  readonly data: unknown;
  readonly error: Error;
}

/** Returns a function that shows each request to an agent and its response, and each event of a stream, of the calls that it is told of. */
export function showExchanges(onExchange: (exchange: ShownExchange) => void): BridgeEmit {
  const open = new Map<string, Sent>();
  const keyOf = ({ run_id, task_id }: AgentCallIds): string => JSON.stringify([run_id, task_id]);

  /** Returns the request that a response to `operation` belongs to, and closes it. */
  const take = (call: Shown): Sent => {
    const sent = open.get(keyOf(call)) ?? { operation: call.operation, sentAt: Date.now() };
    open.delete(keyOf(call));
    return sent;
  };
  const show = (call: AgentCallIds, { sentAt, ...sent }: Sent, came: Partial<ShownExchange>): void => {
    const { agent_name, correlation_id, protocol } = call;
    const at = new Date(sentAt).toISOString();
    onExchange({ at, ...sent, protocol, agent_name, correlation_id, duration_ms: Date.now() - sentAt, ...came });
  };
  const showUnanswered = (call: Shown, problem: string): void => {
    const sent = open.get(keyOf(call));
    open.delete(keyOf(call));
    if (sent?.request !== undefined) show(call, sent, { problem });
  };

  const shows: { readonly [Name in ExecutionEvent]?: (one: Shown) => void } = {
    protocol_request_translation: (one) =>
      void open.set(keyOf(one), { operation: one.operation, request: shown(one.request), sentAt: Date.now() }),
    protocol_response_translation: (one) => {
      const response = one.bytes === 0 ? {} : { response: shown(one.response) };
      const problem = one.warnings.length === 0 ? {} : { problem: one.warnings.join("; ") };
      show(one, take(one), { status: one.status, ...response, ...problem });
      if (one.operation !== "cancel") open.set(keyOf(one), { operation: one.operation, sentAt: Date.now() });
    },
    protocol_translation_error: (one) => show(one, take(one), { response: shown(one.data), problem: one.because }),
    agent_call_retried: (one) => showUnanswered(one, one.because),
    agent_call_ended: (one) => showUnanswered(one, "The agent gave no answer."),
    agent_call_failed: (one) => showUnanswered(one, one.error.message),
    agent_call_aborted: (one) => showUnanswered(one, "The call was aborted."),
    agent_cancel_failed: (one) => showUnanswered(one, one.because),
  };
  return (event, ...[fields]) => shows[event]?.(fields as unknown as Shown);
}

/** Returns a body as JSON if possible, otherwise as text. A long body is cut. */
function shown(body: unknown): unknown {
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  if (text.length > mostUnits) return `${text.slice(0, mostUnits)}…`.toWellFormed();
  const value = plainJson(text);
  return value === undefined ? text : value;
}
