import { type ApiEvent, ApiProblem, type ApiHandler, ApiReply } from "@crosszone/admin-api";
import type { RunProblem, WorkflowDefinition, WorkflowRun, WorkflowRunEvent, WorkflowStep } from "@crosszone/contracts";
import { hideSecrets, redact as redactValue } from "@crosszone/service-kit";
import type { Workflows } from "../runner/create-workflows.ts";
import type { RunUpdate } from "../runner/watch-runs.ts";
import { expressionsOf } from "../steps/step-kinds.ts";
import type { RunSize } from "../store/run-reader.ts";

const redactMember = (value: unknown): unknown => (value === undefined ? undefined : redactValue(value));

/** Redacts probable secrets in texts of people and agents, and cuts very long ones, for display. */
export function redactSaid<
  Value extends { readonly input?: unknown; readonly output?: unknown; readonly error?: RunProblem },
>(value: Value): Value {
  const { input, output, error } = value;
  return { ...value, input: redactMember(input), output: redactMember(output), error: redactMember(error) };
}

/** Redacts probable secrets in mappings and conditions. The result is still a valid definition. */
function redactDefinition(definition: WorkflowDefinition): WorkflowDefinition {
  const { steps, output_mapping } = definition;
  return {
    ...definition,
    steps: Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, step && redactExpressions(step)])),
    output_mapping: redactMember(output_mapping),
  };
}

function redactExpressions(step: WorkflowStep): WorkflowStep {
  const redacted = expressionsOf(step).reduce<unknown>(
    (before, { kind, value, keys }) =>
      withMember(before, keys, kind === "condition" ? hideSecrets(String(value)) : redactValue(value)),
    step,
  );
  return redacted as WorkflowStep;
}

/** Returns a copy of an object with another value at a path. */
function withMember(object: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const members = object as Readonly<Record<string, unknown>>;
  return { ...members, [key]: withMember(members[key], rest, value) };
}

export function redactRun(run: WorkflowRun): WorkflowRun {
  return { ...redactSaid(run), definition: redactDefinition(run.definition), steps: run.steps.map(redactSaid) };
}

function redactEvent(event: WorkflowRunEvent): WorkflowRunEvent {
  return event.type === "step" ? { ...event, step: redactSaid(event.step) } : redactSaid(event);
}

/**
 * Returns what streams a run's events until it ends. The id of an update's last event is its revision; a client that reconnects
 * with it gets the later events. A client that has seen the end gets 204, so that it stops reconnecting. A stream
 * ends while the zone has no memory for an update, and the client reconnects. `measure` throws when no run has the id.
 */
export function createWatchRun(
  workflows: Workflows,
  measure: (runId: string) => Promise<RunSize>,
  maxWatchers: number,
): ApiHandler<"watchRun"> {
  let watchers = 0;
  return async ({ params: { run_id: runId }, query: { redact }, headers, signal: gone, content }) => {
    const { revision, hasEnded } = await measure(runId);
    const since = sinceOf(headers["last-event-id"], revision);
    if (hasEnded && since === revision) return new ApiReply({ status: 204 });
    if (watchers >= maxWatchers)
      throw new ApiProblem("too_many_watchers", undefined, { headers: { "retry-after": "5" } });
    // A client may have disconnected while the run was read; its watcher would never be removed.
    gone.throwIfAborted();
    watchers += 1;
    // This signal aborts at the end of the response at the latest.
    gone.addEventListener("abort", () => void (watchers -= 1), { once: true });
    return new ApiReply({
      events: async function* (signal) {
        for await (const update of workflows.watch(runId, { signal, since, content })) yield eventsOf(update, redact);
      },
    });
  };
}

function sinceOf(id: string | undefined, revision: number): number | undefined {
  if (id === undefined) return undefined;
  if (/^\d{1,15}$/.test(id) && Number(id) <= revision) return Number(id);
  throw new ApiProblem("malformed_request", "Send a Last-Event-ID of this run, or none.");
}

function eventsOf({ revision, events }: RunUpdate, redact: boolean): readonly ApiEvent[] {
  return events.map((event, index) => ({
    event: event.type,
    data: redact ? redactEvent(event) : event,
    id: index === events.length - 1 ? String(revision) : undefined,
  }));
}
