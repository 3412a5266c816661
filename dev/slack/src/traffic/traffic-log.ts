import type { AgentExchange, TrafficEntry } from "../protocol/control-api.ts";
import type { ChangeFeed } from "../workspace/change-feed.ts";

/** An entry before it is numbered and redacted. */
export type NewTrafficEntry = Omit<TrafficEntry, "id">;

/** Stores recent traffic. */
export interface TrafficLog {
  record(entry: NewTrafficEntry): void;
  /** Oldest first. */
  entries(): TrafficEntry[];
}

const CAPACITY = 500;

/** Makes a log that redacts, stores and publishes entries, and keeps the last ones. */
export function createTrafficLog(feed: ChangeFeed, redact: Redactor): TrafficLog {
  const entries: TrafficEntry[] = [];
  let id = 0;
  return {
    record: (raw) => {
      const { request, response, events } = raw;
      const entry = {
        ...raw,
        id: ++id,
        request: redact(request),
        response: redact(response),
        ...(events && { events: events.map((event) => redact(event)) }),
      };
      entries.push(entry);
      if (entries.length > CAPACITY) entries.shift();
      feed.publish({ type: "traffic", entry });
    },
    entries: () => [...entries],
  };
}

/** Returns the exchange as an entry of the Traffic tab. */
export function asTraffic(exchange: AgentExchange): NewTrafficEntry {
  const { agent_name, operation, protocol, correlation_id, request = null, response = null } = exchange;
  const { method } = (request ?? {}) as { method?: unknown };
  const asked = request === null ? "event" : typeof method === "string" ? method : operation;
  return {
    at: Date.parse(exchange.at),
    kind: "agent",
    name: `${agent_name}: ${asked}`,
    status: exchange.status ?? 0,
    ms: exchange.duration_ms,
    verdict: exchange.problem ?? `${protocol}, ${correlation_id}`,
    correlation_id,
    request,
    response,
  };
}

/** Returns parsed JSON, whose secrets can be redacted by their names, or the text itself. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a JSON-compatible copy of a value, with a placeholder in place of every secret. */
export type Redactor = (value: unknown) => unknown;

const HIDDEN = "[redacted]";
const SECRET_NAME = /token|secret|cookie|password|(^|-)authorization$/i;
const SLACK_TOKEN = /xox[a-z](?:\.xox[a-z])?-[\w-]+|xapp-\d-[\w-]+/g;
const SOCKET_TICKET = /([?&]ticket=)[^&\s"]+/g;
const RESPONSE_URL = /(\/(?:actions|app|commands)\/)[\w/-]+/g;
const LONGEST_STRING = 20_000;

/**
 * Makes the redactor, the one place that keeps secrets out of the traffic record. It redacts members with a secret's name, Slack tokens in
 * any text, tickets of socket URLs, URLs for command answers, and the `known` secrets of this run. Very long texts are cut.
 */
export function createRedactor(known: readonly string[]): Redactor {
  const values = known.filter((secret) => secret !== "");

  function redactText(text: string): string {
    let clean = text
      .replaceAll(SLACK_TOKEN, HIDDEN)
      .replaceAll(SOCKET_TICKET, `$1${HIDDEN}`)
      .replaceAll(RESPONSE_URL, `$1${HIDDEN}`);
    for (const value of values) clean = clean.replaceAll(value, HIDDEN);
    return clean.length > LONGEST_STRING ? `${clean.slice(0, LONGEST_STRING)}… (${clean.length} characters)` : clean;
  }

  function redact(value: unknown): unknown {
    if (typeof value === "string") return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== "object" || value === null) return value ?? null;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        redactText(name),
        SECRET_NAME.test(name) && member !== null && member !== "" ? HIDDEN : redact(member),
      ]),
    );
  }
  return redact;
}
