import { setTimeout as delay } from "node:timers/promises";
import {
  isWorkflowRunEvent,
  problemsOf,
  type RunState,
  type StepState,
  type WorkflowRunEvent,
} from "@crosszone/contracts";
import { EventSourceParserStream } from "eventsource-parser/stream";
import {
  isApiFailure,
  readJson,
  reconnectDelay,
  retryDelay,
  send,
  UnreachableError,
  type ZoneAddress,
} from "./send.ts";

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
    const onReceived = (): void => {
      silence.refresh();
      lastReceivedAt = performance.now();
    };
    try {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
      const request = { path: `runs/${encodeURIComponent(runId)}/events`, headers };
      const { body } = await send(zone, request, AbortSignal.any([signal, connection.signal]));
      // No content: the run has ended.
      if (body === null) return;
      const parser = new EventSourceParserStream({ onRetry: (ms) => (retryMs = ms), onComment: onReceived });
      for await (const { event, data, id } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
        onReceived();
        // Skip event types of newer zones.
        if (event === "run" || event === "step") {
          const change = read(data, zone);
          emptyConnections = 0;
          yield change;
          if (change.type === "run" && isOver(change.state)) return;
        }
        lastEventId = id ?? lastEventId;
      }
    } catch (error) {
      const broken = "The connection to the run's event stream broke.";
      failure = isApiFailure(error) ? error : new UnreachableError(broken, { cause: error });
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
