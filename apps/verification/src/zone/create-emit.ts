import { zoneMethods } from "@crosszone/contracts";
import {
  badRequestStatuses,
  createEmit,
  createGauge,
  type Emit,
  type Logger,
  type MetricsRegistry,
} from "@crosszone/service-kit";
import { sharedRun } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { verificationEvents, type VerificationEvent } from "@crosszone/telemetry";
import type { QuestionTasks } from "../inbox/running-tasks.ts";
import { eventVerdicts } from "../edge/event-intake.ts";
import { slackRefusals } from "../edge/slack-route.ts";
import { installRefusals } from "../edge/install-pages.ts";
import { recordOutcomes } from "../inbox/record-ends.ts";
import type { MessageEnds } from "../asking/message-ends.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { fileRefusals } from "../slack/file-refusals.ts";
import { errorFields, errorKinds, slackMethods, withErrorFields } from "../workspaces/traces.ts";

/** The values of the labels that the table of metrics names. */
const sets = {
  error_kind: errorKinds,
  event_verdict: eventVerdicts,
  file_refusal: Object.keys(fileRefusals),
  http_refusal: badRequestStatuses.map((status) => `http_${status}`),
  install_refusal: Object.keys(installRefusals),
  record_outcome: recordOutcomes,
  slack_method: Object.values(slackMethods),
  slack_refusal: slackRefusals,
  zone_method: Object.keys(zoneMethods),
};

/** The events that end a question's task, with the outcome; that of a failure is the kind of its error. */
const ends: ReadonlyMap<VerificationEvent, string | null> = new Map([
  ["task_done", "done"],
  ["task_stopped", "stopped"],
  ["task_failed", null],
]);

/** Makes the function that logs and measures the zone's events. Its metrics can be registered once in a registry. */
export function createAppEmit(
  logger: Logger<VerificationEvent>,
  registry: MetricsRegistry,
  tracer: Tracer,
): Emit<VerificationEvent> {
  const measured = { registry, sets };
  const emit = createEmit({ logger, events: verificationEvents, complete: withErrorFields, measured });
  return (event, ...[fields]) => {
    emit(event, ...([fields] as never));
    const end = ends.get(event);
    if (end === undefined) return;
    const { failure, task_id } = (fields ?? {}) as { readonly task_id?: string; readonly failure?: unknown };
    tracer.current()?.set({ "crosszone.outcome": end ?? errorFields(failure).kind, "crosszone.task_id": task_id });
  };
}

/** Makes the function that logs the events of what exists before the app's metrics do. */
export function createLogEmit(logger: Logger<VerificationEvent>): Emit<VerificationEvent> {
  return createEmit({ logger, events: verificationEvents, complete: withErrorFields });
}

/** Measures the inbox and what execution does not know of it, for all processes, and the questions that this process is answering. */
export function measureLoad(
  registry: MetricsRegistry,
  given: { readonly inbox: Inbox; readonly running: QuestionTasks; readonly messages?: MessageEnds },
): void {
  const { inbox, running, messages } = given;
  if (messages !== undefined) createGauge(registry, "messages_unreported", messages.unreportedCount);
  createGauge(registry, "questions_in_work", () => running.size);
  // Both gauges of one scrape share one query.
  const load = sharedRun(inbox.load.bind(inbox));
  createGauge(registry, "inbox_questions", {
    labels: { state: ["waiting", "in_work", "parked"] },
    read: async () => {
      const { waiting, inWork: in_work, parked } = await load();
      return Object.entries({ waiting, in_work, parked }).map(([state, value]) => ({ labels: { state }, value }));
    },
  });
  createGauge(registry, "inbox_oldest_age_seconds", async () => (await load()).oldestMs / 1_000);
}
