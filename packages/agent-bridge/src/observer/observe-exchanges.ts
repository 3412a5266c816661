import type { AgentTestExchange } from "@crosszone/contracts";
import type { AgentCallIds, BridgeObserver } from "./bridge-observer.ts";

/** A request to an agent, its response, and the call that they belong to. */
export interface ShownExchange extends AgentTestExchange {
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

/** Returns an observer that calls `onExchange` for each request to an agent and its response, and for each event of a stream. */
export function observeExchanges(onExchange: (exchange: ShownExchange) => void): BridgeObserver {
  const open = new Map<string, Sent>();
  const keyOf = ({ run_id, task_id }: AgentCallIds): string => JSON.stringify([run_id, task_id]);

  /** Returns the request that a response to `operation` belongs to, and closes it. */
  const take = (call: AgentCallIds, operation: Sent["operation"]): Sent => {
    const sent = open.get(keyOf(call)) ?? { operation, sentAt: Date.now() };
    open.delete(keyOf(call));
    return sent;
  };
  const show = (call: AgentCallIds, { sentAt, ...sent }: Sent, came: Partial<ShownExchange>): void => {
    const { agent_name, correlation_id, protocol } = call;
    const at = new Date(sentAt).toISOString();
    onExchange({ at, ...sent, protocol, agent_name, correlation_id, duration_ms: Date.now() - sentAt, ...came });
  };
  const showUnanswered = (call: AgentCallIds, problem: string): void => {
    const sent = open.get(keyOf(call));
    open.delete(keyOf(call));
    if (sent?.request !== undefined) show(call, sent, { problem });
  };

  return {
    ...silentObserver,
    requestTranslated: (call, { operation, request }) =>
      void open.set(keyOf(call), { operation, request: shown(request), sentAt: Date.now() }),
    responseTranslated: (call, { operation, reply, warnings }) => {
      const { status, body } = reply;
      const response = body.byteLength === 0 ? {} : { response: shown(new TextDecoder().decode(body)) };
      const problem = warnings.length === 0 ? {} : { problem: warnings.join("; ") };
      show(call, take(call, operation), { status, ...response, ...problem });
      if (operation !== "cancel") open.set(keyOf(call), { operation, sentAt: Date.now() });
    },
    translationFailed: (call, { operation, error: { message, originalData } }) =>
      show(call, take(call, operation), { response: shown(originalData), problem: message }),
    retried: (call, { failure }) => showUnanswered(call, failure.message),
    callEnded: (call, { result }) => showUnanswered(call, result.error?.message ?? "The agent gave no answer."),
    callAborted: (call) => showUnanswered(call, "The call was aborted."),
    cancelFailed: (call, { message }) => showUnanswered(call, message),
  };
}

/** Returns a body as JSON if possible, otherwise as text. A long body is cut. */
function shown(body: unknown): unknown {
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  if (text.length > mostUnits) return `${text.slice(0, mostUnits)}…`.toWellFormed();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const ignore = (): void => undefined;

/** An observer that does nothing. */
const silentObserver: BridgeObserver = {
  requestTranslated: ignore,
  responseTranslated: ignore,
  translationFailed: ignore,
  retried: ignore,
  callEnded: ignore,
  callAborted: ignore,
  cancelFailed: ignore,
  circuitChanged: ignore,
  taskStored: ignore,
  taskLeased: ignore,
  taskEnded: ignore,
  taskRefused: ignore,
  resultRefused: ignore,
  taskDropped: ignore,
  storeFailed: ignore,
};

/** Returns an observer that passes every event to both observers. */
export function combineObservers(first: BridgeObserver, second: BridgeObserver): BridgeObserver {
  type Report = (...event: unknown[]) => void;
  const names = Object.keys(silentObserver) as (keyof BridgeObserver)[];
  const combined = names.map((name): [string, Report] => {
    const [one, other] = [first[name] as Report, second[name] as Report];
    return [
      name,
      (...event) => {
        one(...event);
        other(...event);
      },
    ];
  });
  return Object.fromEntries(combined) as unknown as BridgeObserver;
}
