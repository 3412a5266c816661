import {
  readQuery,
  SharedProblem,
  trueOrFalse,
  type AnswerTo,
  type ApiEvent,
  type ApiExchange,
} from "@crosszone/admin-api";
import type { RunUpdate } from "../runner/watch-runs.ts";
import type { Workflows } from "../runner/workflows.ts";
import { redactEvent } from "./redact-run.ts";
import type { RunSize } from "../store/run-queries.ts";
import { WorkflowProblem } from "./workflow-problem.ts";

/** Returns the size of the run in a path, or throws. */
export type MeasureRun = (exchange: ApiExchange) => Promise<RunSize>;

/**
 * Returns the route that streams a run's events until it ends. The id of an update's last event is its revision; a client that reconnects
 * with it gets the later events. A client that has seen the end gets 204, so that it stops reconnecting. A stream
 * ends while the zone has no memory for an update, and the client reconnects. `measure` throws when the run of the path does not exist.
 */
export function createWatchRoute(workflows: Workflows, measure: MeasureRun, maxWatchers: number): AnswerTo {
  let watchers = 0;
  return async (exchange) => {
    const { redact = false } = readQuery(exchange.request.url, { redact: trueOrFalse });
    const { revision, hasEnded } = await measure(exchange);
    const since = lastEventIdOf(exchange, revision);
    if (hasEnded && since === revision) return { status: 204 };
    if (watchers >= maxWatchers)
      throw new WorkflowProblem("too_many_watchers", "Try again later, or poll the run.", {
        headers: { "retry-after": "5" },
      });
    // A client may have disconnected while the run was read; its watcher would never be removed.
    exchange.signal.throwIfAborted();
    watchers += 1;
    // The exchange aborts this signal at the end of the response at the latest.
    exchange.signal.addEventListener("abort", () => void (watchers -= 1), { once: true });
    return {
      events: async function* (signal) {
        const options = { signal, since, content: exchange.content };
        const runId = exchange.params["run_id"] ?? "";
        for await (const update of workflows.watch(runId, options)) yield eventsOf(update, redact);
      },
    };
  };
}

function lastEventIdOf({ request }: ApiExchange, revision: number): number | undefined {
  const id = request.headers["last-event-id"];
  if (id === undefined) return undefined;
  if (typeof id === "string" && /^\d{1,15}$/.test(id) && Number(id) <= revision) return Number(id);
  throw new SharedProblem("malformed_request", "Send a Last-Event-ID of this run, or none.");
}

function eventsOf({ revision, events }: RunUpdate, redact: boolean): readonly ApiEvent[] {
  return events.map((event, index) => ({
    event: event.type,
    data: redact ? redactEvent(event) : event,
    id: index === events.length - 1 ? String(revision) : undefined,
  }));
}
