import { setTimeout as delay } from "node:timers/promises";
import {
  isWorkflowRunEvent,
  problemsOf,
  type RunState,
  type StepState,
  type WorkflowRunEvent,
} from "@crosszone/contracts";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { readJson } from "../text/read-json.ts";
import { retryDelay, reconnectDelay, UnreachableError } from "./failures.ts";
import { send, type ZoneAddress } from "./send.ts";

export interface RunEventsOptions {
  readonly signal: AbortSignal;
  /** How long to keep reconnecting without a response from the zone, milliseconds. */
  readonly reconnectTimeoutMs?: number;
  /** How long a silent connection counts as alive, milliseconds. The zone sends something at least every 15 seconds. */
  readonly silenceMs?: number;
}

/**
 * Yields the events of a run until it ends, past events first. A lost connection is reopened after the last event id, so an event can be
 * repeated. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* runEvents(
  zone: ZoneAddress,
  runId: string,
  { signal, reconnectTimeoutMs = 60_000, silenceMs = 45_000 }: RunEventsOptions,
): AsyncGenerator<WorkflowRunEvent> {
  let lastEventId: string | undefined;
  let retryMs = 1_000;
  let lastReceivedAt = performance.now();
  let emptyConnections = 0;
  while (!signal.aborted) {
    let failure: unknown = new UnreachableError(`${zone.url} ended the event stream before the run ended.`);
    const connection = new AbortController();
    const silence = setTimeout(() => connection.abort(new Error("the connection went silent")), silenceMs);
    try {
      const response = await send(zone, {
        path: `runs/${encodeURIComponent(runId)}/events`,
        headers: { accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
        signal: AbortSignal.any([signal, connection.signal]),
      });
      if (response.status === 204) return;
      for await (const messages of messagesIn(response, (ms) => (retryMs = ms))) {
        silence.refresh();
        lastReceivedAt = performance.now();
        for (const { event, data, id } of messages) {
          // Skip event types of newer zones.
          if (event === "run" || event === "step") {
            const change = read(data, zone);
            emptyConnections = 0;
            yield change;
            if (change.type === "run" && isOver(change.state)) return;
          }
          lastEventId = id ?? lastEventId;
        }
      }
    } catch (error) {
      failure = error;
    } finally {
      clearTimeout(silence);
      connection.abort();
    }
    if (signal.aborted) return;
    const delayMs = retryDelay(failure, retryMs);
    if (delayMs === undefined || performance.now() - lastReceivedAt > reconnectTimeoutMs) throw failure;
    await delay(reconnectDelay(delayMs, emptyConnections++), undefined, { signal }).catch(() => undefined);
  }
}

/** Yields the messages of each chunk. Throws an `UnreachableError` when the connection breaks. */
async function* messagesIn(
  { body }: Response,
  onRetry: (ms: number) => void,
): AsyncGenerator<readonly EventSourceMessage[]> {
  let messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message), onRetry });
  const decoder = new TextDecoder();
  try {
    for await (const piece of body ?? []) {
      parser.feed(decoder.decode(piece, { stream: true }));
      yield messages;
      messages = [];
    }
  } catch (error) {
    throw new UnreachableError("The connection to the run's event stream broke.", { cause: error });
  }
}

function read(data: string, { url }: ZoneAddress): WorkflowRunEvent {
  const parsed = readJson(data);
  if ("value" in parsed && isWorkflowRunEvent(parsed.value)) return parsed.value;
  const [problem] = "value" in parsed ? problemsOf(isWorkflowRunEvent, parsed.value) : [];
  const what = problem === undefined ? "" : ` (${problem.pointer} ${problem.message})`;
  throw new UnreachableError(`${url} sent an event that this version of crosszone can't read${what}.`, {
    isTransient: false,
  });
}

/** Returns true for a final state: the run or step changes only after a retry. */
export const isOver = (state: RunState | StepState): boolean => state !== "pending" && state !== "running";
