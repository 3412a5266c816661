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
import type { ReadRun } from "../store/run-reader.ts";
import { isEnded } from "../state/run-record.ts";
import { redactEvent } from "./redact-run.ts";
import { WorkflowProblem } from "./workflow-problem.ts";

/**
 * Returns the route that streams a run's events until it ends. The id of an update's last event is its revision; a client that reconnects
 * with it gets the later events. A client that has seen the end gets 204, so that it stops reconnecting. `find` returns the run of
 * the path, or throws when it does not exist.
 */
export function createWatchRoute(
  workflows: Workflows,
  find: (exchange: ApiExchange) => Promise<ReadRun>,
  maxWatchers: number,
): AnswerTo {
  let watchers = 0;
  return async (exchange) => {
    const { redact = false } = readQuery(exchange.request.url, { redact: trueOrFalse });
    const { run, record } = await find(exchange);
    const since = lastEventIdOf(exchange, run.revision);
    if (isEnded(record) && since === run.revision) return { status: 204 };
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
        const options = { signal, since };
        for await (const update of workflows.watch(run.run_id, options)) yield eventsOf(update, redact);
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
