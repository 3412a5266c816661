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
import { isEnded } from "../run/run-record.ts";
import { redactEvent } from "./redact-run.ts";
import { WorkflowProblem } from "./workflow-problem.ts";

export interface WatchRouteOptions {
  /** The run of the path; throws when there is none. */
  readonly find: (exchange: ApiExchange) => Promise<ReadRun>;
  readonly maxWatchers: number;
}

/**
 * Tells of a run until it has ended. The id of the last event of an update is the revision that was told; who comes back with it is told what
 * came after. What has ended and was told to its end is 204, at which clients stop to come back.
 */
export function createWatchRoute(
  workflows: Pick<Workflows, "watch">,
  { find, maxWatchers }: WatchRouteOptions,
): AnswerTo {
  let watchers = 0;
  return async (exchange) => {
    const { redact = false } = readQuery(exchange.request.url, { redact: trueOrFalse });
    const { run, record } = await find(exchange);
    const since = lastEventIdOf(exchange, run.revision);
    if (isEnded(record) && since === run.revision) return { status: 204 };
    if (watchers >= maxWatchers)
      throw new WorkflowProblem("too_many_watchers", "Watch later, or ask for the run from time to time.", {
        headers: { "retry-after": "5" },
      });
    // Who left while the run was read would never be counted out.
    exchange.signal.throwIfAborted();
    watchers += 1;
    // Aborted at the latest when the answer is at its end, however that comes.
    exchange.signal.addEventListener("abort", () => void (watchers -= 1), { once: true });
    return {
      events: async function* (signal) {
        const options = { signal, ...(since !== undefined && { since }) };
        for await (const update of workflows.watch(run.run_id, options)) yield eventsOf(update, redact);
      },
    };
  };
}

function lastEventIdOf({ request }: ApiExchange, revision: number): number | undefined {
  const id = request.headers["last-event-id"];
  if (id === undefined) return undefined;
  if (typeof id === "string" && /^\d{1,15}$/.test(id) && Number(id) <= revision) return Number(id);
  throw new SharedProblem("malformed_request", "Send the Last-Event-ID that you were told of this run, or none.");
}

function eventsOf({ revision, events }: RunUpdate, redact: boolean): readonly ApiEvent[] {
  return events.map((event, index) => ({
    event: event.type,
    data: redact ? redactEvent(event) : event,
    ...(index === events.length - 1 && { id: String(revision) }),
  }));
}
