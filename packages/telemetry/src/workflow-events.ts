import { debug, error, failedCall, info, same, timed, warn } from "./event-rows.ts";

const byWorkflow = ({ workflow_id: workflow = "" }: { readonly workflow_id?: string }) => ({ workflow });

const endOf = ({ state: outcome, ...of }: { readonly state: string; readonly workflow_id?: string }) => ({
  ...byWorkflow(of),
  outcome,
});

const counted = (kind: "broken" | "unreadable" | "timer" | "results") => ({
  counts: { workflow_failures_total: () => ({ kind }) },
});

/** The log events of workflow runs. */
export const workflows = {
  workflows_applied: info("The workflow files were read", { created: "list", kept: "number" }),
  run_started: info("A run started", {}, { counts: { workflow_runs_started_total: byWorkflow } }),
  run_ended: info(
    "A run ended; `warn` unless it succeeded",
    { ...timed, state: "text" },
    {
      levelOf: ({ state }) => (/succeeded|canceled/.test(state) ? "info" : "warn"),
      requests: { workflow_run: endOf },
    },
  ),
  run_reopened: info("A failed run was retried", {}, { counts: { workflow_runs_reopened_total: byWorkflow } }),
  run_broken: error("An internal error ended a run", { cause: "any" }, counted("broken")),
  run_unreadable: error("No key decrypts a run", { cause: "any" }, counted("unreadable")),
  run_result_unreadable: error(
    "No key decrypts the result of a step",
    { call_id: "text", cause: "any" },
    counted("unreadable"),
  ),
  run_results_failed: warn("Results of steps could not be read; it is retried", failedCall, counted("results")),
  run_timer_failed: warn("Due runs could not be found; it is retried", { cause: "any" }, counted("timer")),
  runs_overdue: error("Runs wait for their deadline longer than they should", {
    oldest_due_ms: "number",
    open: "number",
  }),
  step_started: debug("A step started", { path: "text", attempt: "number", state: "text" }),
  step_ended: debug(
    "A step ended",
    { ...timed, path: "text", attempt: "number", state: "text" },
    { requests: { workflow_step: endOf } },
  ),
};

const place = { channel: "text", group: "text" } as const;
const delivery = { ...place, attempt: "number" } as const;

const delivered = (outcome: "handled" | "failed" | "dead_letter") => ({
  counts: {
    bus_deliveries_total: ({ channel, group }: { readonly channel: string; readonly group: string }) => ({
      channel,
      group,
      outcome,
    }),
  },
});

/** The log events of the bus. */
export const bus = {
  bus_message_handled: debug(
    "A message from Kafka is handled",
    { ...delivery, ...timed },
    {
      ...delivered("handled"),
      times: { bus_handling_duration_seconds: same },
    },
  ),
  bus_message_dead: error(
    "A message from Kafka is a dead letter",
    { ...delivery, because: "text" },
    delivered("dead_letter"),
  ),
  bus_message_failed: warn(
    "A message from Kafka could not be handled; it is retried",
    { ...delivery, again_in_ms: "number", cause: "any" },
    delivered("failed"),
  ),
  bus_message_refused: error(
    "A message from Kafka is not usable",
    { channel: "text", because: "text" },
    { counts: { bus_messages_refused_total: same } },
  ),
  bus_store_failed: warn("An operation on stored messages failed; it is retried", failedCall),
  bus_unreachable: warn("Kafka does not respond", { ...place, cause: "any" }),
  database_notifications_missing: warn("PostgreSQL's notifications do not arrive; jobs are found by polling", {
    cause: "any",
  }),
};
