import { zoneMethods } from "@crosszone/contracts";
import {
  badRequestStatuses,
  createCounter,
  createGauge,
  createHistogram,
  createRedMetrics,
  type MetricsRegistry,
} from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { CommandEnding } from "../../answering/commands/answer-command.ts";
import type { RunningTasks } from "../../answering/tasks/running-tasks.ts";
import { eventVerdicts } from "../../edge/events/event-intake.ts";
import { slackRefusals } from "../../edge/http/slack-route.ts";
import { installRefusals } from "../../edge/install/install-refusal.ts";
import { recordOutcomes } from "../../inbox/inbox-work.ts";
import type { InboxLoad } from "../../inbox/inbox-queries.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import { judgmentStages } from "../../policy/policies.ts";
import { fileRefusals } from "../../slack/files/check-file.ts";
import { errorFields, errorKinds, slackErrorKinds } from "../../tracing/error-fields.ts";
import { slackMethods } from "../../tracing/trace-calls.ts";

const commandEndings: readonly CommandEnding[] = ["answered", "denied", "failed", "not_installed", "wrong_app"];

interface Refusal {
  readonly reason: string;
}

interface Judged {
  readonly verdict: string;
}

/** `duration_ms`: milliseconds. */
interface Timed {
  readonly duration_ms: number;
}

interface Called extends Timed {
  readonly operation: string;
}

/** Returns what measures the events of Slack, browsers and execution at the zone's edge. */
export function measureEdge(registry: MetricsRegistry) {
  const acknowledged = createHistogram(registry, "slack_ack_duration_seconds");
  const events = createCounter(registry, "slack_events_total", { verdict: [...eventVerdicts, "not_stored"] });
  const refused = createCounter(registry, "slack_requests_refused_total", { reason: slackRefusals });
  const broken = createCounter(registry, "http_requests_refused_total", {
    reason: badRequestStatuses.map((status) => `http_${status}`),
  });
  const files = createRedMetrics(registry, "file", { outcomes: ["served", "gone", ...Object.keys(fileRefusals)] });
  const installs = createCounter(registry, "slack_installs_total", {
    outcome: ["installed", "removed", ...installRefusals],
  });
  const event = ({ verdict }: Judged): void => events.add({ verdict });
  const file = (outcome: string, durationMs: number): void => files.record({ labels: {}, outcome, durationMs });
  return {
    slack_request_answered: ({ duration_ms: ms }: Timed) => acknowledged.observe({}, ms / 1_000),
    slack_request_refused: ({ reason }: Refusal) => refused.add({ reason }),
    http_refused: ({ reason }: Refusal) => broken.add({ reason }),
    event_accepted: event,
    event_duplicate: event,
    event_ignored: event,
    event_refused: event,
    event_not_stored: () => events.add({ verdict: "not_stored" }),
    file_served: ({ duration_ms: ms }: Timed) => file("served", ms),
    file_refused: ({ reason, duration_ms: ms }: Timed & Refusal) => file(reason, ms),
    app_installed: () => installs.add({ outcome: "installed" }),
    app_removed: () => installs.add({ outcome: "removed" }),
    install_refused: ({ reason }: Refusal) => installs.add({ outcome: reason }),
  };
}

/** Returns what measures calls of Slack and of execution. */
export function measureCalls(registry: MetricsRegistry) {
  const slack = createRedMetrics(registry, "slack_api", {
    labels: { method: Object.values(slackMethods) },
    outcomes: ["success", ...slackErrorKinds],
  });
  const zone = createRedMetrics(registry, "zone_rpc", {
    labels: { method: Object.keys(zoneMethods) },
    outcomes: ["success", ...errorKinds],
  });
  return {
    slack_called: ({ operation: method, duration_ms: durationMs, error }: Called & { readonly error?: unknown }) =>
      slack.record({
        labels: { method },
        outcome: error === undefined ? "success" : errorFields(error).kind,
        durationMs,
      }),
    rpc_answered: ({ operation: method, duration_ms: durationMs, outcome }: Called & { readonly outcome: string }) =>
      zone.record({ labels: { method }, outcome, durationMs }),
  };
}

interface Judgment extends Timed {
  readonly last_verdict: string;
  readonly stage: (typeof judgmentStages)[number];
  /** How long each rule took, in order. Those before the last one allowed it. */
  readonly rules: Readonly<Record<string, number>>;
}

/** Returns what measures the policy's judgments. */
export function measurePolicy(registry: MetricsRegistry) {
  // Rules are defined in the app, and few.
  const labels = { rule: () => true, verdict: ["allowed", "denied", "failed"] };
  const verdicts = createCounter(registry, "policy_verdicts_total", labels);
  const duration = createHistogram(registry, "policy_duration_seconds", { stage: judgmentStages });
  const judged = ({ stage, duration_ms: ms, rules, last_verdict: last }: Judgment): void => {
    const names = Object.keys(rules);
    for (const rule of names) verdicts.add({ rule, verdict: rule === names.at(-1) ? last : "allowed" });
    duration.observe({ stage }, ms / 1_000);
  };
  return { policy_passed: judged, policy_allowed: judged, policy_denied: judged };
}

interface RecordEnd {
  readonly kind_of_record: string;
  readonly outcome?: string;
}

interface AnswerEnd extends Timed {
  readonly task_id: string | undefined;
  readonly failure?: unknown;
}

/** Returns what measures records, answers and slash commands. */
export function measureAnswers(registry: MetricsRegistry, tracer: Tracer) {
  const attempts = createCounter(registry, "inbox_attempts_total", {
    kind: ["ask", "stop", "turned_away", "notice", "failed_run"],
    outcome: recordOutcomes,
  });
  const answers = createRedMetrics(registry, "answer", { outcomes: ["done", "stopped", ...errorKinds] });
  const commands = createCounter(registry, "slack_commands_total", { verdict: [...commandEndings, "busy"] });
  const lostAnswers = createCounter(registry, "slack_command_answers_lost_total");
  const ended = ({ kind_of_record: kind, outcome }: RecordEnd): void => {
    if (outcome !== undefined) attempts.add({ kind, outcome });
  };
  const answered = (outcome: string, { task_id, duration_ms: durationMs }: AnswerEnd): void => {
    answers.record({ labels: {}, outcome, durationMs });
    tracer.current()?.set({ "crosszone.outcome": outcome, "crosszone.task_id": task_id });
  };
  return {
    question_done: ended,
    question_waits: ended,
    question_retried: ended,
    question_released: ended,
    question_parked: ended,
    lease_lost: ended,
    answer_lost: ended,
    task_done: (end: AnswerEnd) => answered("done", end),
    task_stopped: (end: AnswerEnd) => answered("stopped", end),
    task_failed: (end: AnswerEnd) => answered(errorFields(end.failure).kind, end),
    command_refused: ({ reason }: Refusal) => commands.add({ verdict: reason }),
    command_ended: ({ verdict }: Judged) => commands.add({ verdict }),
    command_answer_lost: () => lostAnswers.add({}),
  };
}

/** Measures the inbox, for all processes, and the questions that this process is answering. */
export function measureLoad(registry: MetricsRegistry, inbox: Inbox, running: RunningTasks): void {
  createGauge(registry, "questions_in_work", () => running.size);
  // Both gauges of one scrape share one query.
  let reading: Promise<InboxLoad> | undefined;
  const load = (): Promise<InboxLoad> => (reading ??= inbox.load().finally(() => (reading = undefined)));
  createGauge(registry, "inbox_questions", {
    labels: { state: ["waiting", "in_work", "parked"] },
    read: async () => {
      const { waiting, inWork, parked } = await load();
      return [
        { labels: { state: "waiting" }, value: waiting },
        { labels: { state: "in_work" }, value: inWork },
        { labels: { state: "parked" }, value: parked },
      ];
    },
  });
  createGauge(registry, "inbox_oldest_age_seconds", async () => (await load()).oldestMs / 1_000);
}
