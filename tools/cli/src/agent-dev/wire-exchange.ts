/** A request to the agent and its response, as the proxy saw them. */
export interface WireExchange {
  /** Counts from 1. */
  readonly n: number;
  /** When the request came, RFC 3339. */
  readonly at: string;
  /** Who sent it. */
  readonly from: "zone" | "terminal";
  readonly path: string;
  /** JSON, or the text when it is not JSON. */
  readonly request: unknown;
  /** HTTP status; absent when no response came. */
  status?: number;
  /** JSON, or the text when it is not JSON; absent for a stream. */
  response?: unknown;
  /** Events of a stream, each with the milliseconds since the request. */
  events?: WireEvent[];
  /** Milliseconds from the request to the end of the response. */
  duration_ms?: number;
  /** Why no response came. */
  problem?: string;
}

export interface WireEvent {
  readonly at_ms: number;
  readonly data: unknown;
}

/** An event of an exchange: its start, a stream event, its end. */
export type OnWire = (what: "request" | "event" | "end", exchange: WireExchange, event?: WireEvent) => void;

/** Returns a body as JSON if it is, otherwise as text. */
export function jsonElseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the JSON-RPC method of a request; undefined for other bodies. */
export function rpcMethodOf({ request }: WireExchange): string | undefined {
  const { method } = (request ?? {}) as { readonly method?: unknown };
  return typeof method === "string" ? method : undefined;
}

/** Returns the protocol of a request, by its method. */
export function protocolOf(exchange: WireExchange): string {
  const method = rpcMethodOf(exchange);
  return method === undefined ? "simple-a2a" : /^[A-Z]/.test(method) ? "a2a-1.0" : "jsonrpc-2.0";
}

const sends = new Set([
  "SendMessage",
  "SendStreamingMessage",
  "message/send",
  "message/stream",
  "tasks/send",
  "agent/invoke",
]);

/** Whether a request brings a message of a user, in any of the protocols. */
export function isSend(exchange: WireExchange): boolean {
  const method = rpcMethodOf(exchange);
  if (method !== undefined) return sends.has(method);
  const { task_id } = (exchange.request ?? {}) as { readonly task_id?: unknown };
  return typeof task_id === "string";
}
