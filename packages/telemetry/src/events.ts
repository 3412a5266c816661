import {
  apiRequest,
  debug,
  error,
  type EventDefinition,
  type FieldRows,
  type FieldsOf,
  from,
  info,
  same,
  type subjectFields,
  warn,
} from "./event-rows.ts";
import { executionSubjects } from "./execution-events.ts";
import { verificationSubjects } from "./verification-events.ts";

const cause = { "cause?": "any", "kind?": "text", "code?": "any" } as const;

/** How one attempt at a job ended: with a word of its kind, or why it goes on elsewhere. */
const attempt = {
  kind_of_job: "text",
  job_id: "text",
  attempt: "number",
  outcome: "text",
  duration_ms: "number",
} as const satisfies FieldRows;

const byKind = {
  counts: {
    job_attempts_total: ({ kind_of_job: kind, outcome }: FieldsOf<typeof attempt>) => ({ kind, outcome }),
  },
  times: { job_attempt_duration_seconds: ({ kind_of_job: kind }: FieldsOf<typeof attempt>) => ({ kind }) },
};

/** The log events of both zones. */
export const processEvents = {
  listening: info("The zone is ready: address and modes", {
    url: "text",
    "host?": "text",
    "port?": "number",
    "profile?": "text",
    "auth?": "text",
    "roles?": "list",
  }),
  log_content: info("Whether lines have the beginning of what agents said; LOG_CONTENT decides", { shown: "flag" }),
  config_warning: warn("A setting works and is likely wrong", { warning: "any" }),
  settings_applied: info("A section of the settings applies from now on; `says` what of it", {
    section: "text",
    files: "list",
    "says?": "any",
  }),
  settings_not_usable: error(
    "A section of the settings can't be used; its version before stays. `all`: the whole file",
    {
      section: "text",
      because: "text",
    },
  ),
  file_not_usable: error("A file named in the configuration is invalid; its previous content stays", cause),
  database_waited_for: warn("The database is not up yet", { ...cause, "error?": "any" }),
  database_connection_lost: warn("An idle connection to the database broke", { ...cause, "error?": "any" }),
  certificate_ends: warn(
    "A certificate in use has ended or ends within 30 days; `error` within 14. Renew its file: it is read without a restart",
    { certificate: "text", days_left: "number", is_urgent: "flag" },
    { levelOf: ({ is_urgent: isUrgent }) => (isUrgent ? "error" : "warn") },
  ),
  data_key_missing: error("The zone needs a key that DATA_KEYS of this process lacks; `because` says which", {
    because: "text",
  }),
  data_keys_complete: info("DATA_KEYS of this process has every key that the zone needs", {}),
  database_not_usable: error("The database can't be used; the zone is not ready", { reason: "text" }),
  http_refused: warn(
    "The HTTP server refused a request",
    { ...cause, reason: "text", status: "number", "parser?": "any", "by?": "text", ...from },
    { counts: { http_requests_refused_total: same } },
  ),
  api_refused: warn("A request to the API was refused", apiRequest),
  http_failed: error("A request failed with an internal error", { ...cause, "failure?": "any" }),
  stop_started: info("The process stops", { reason: "text", parts: "number" }),
  stop_step_failed: error("A part did not stop", { part: "text", why: "text", "err?": "any" }),
  stop_finished: info("The process has stopped", {
    reason: "text",
    stopped: "any",
    failed: "any",
    duration_ms: "number",
  }),
  uncaught_exception: error("A bug; the process stops", { err: "any" }),
  unhandled_rejection: error("A bug; the process stops", { err: "any" }),
  rows_purged: info(
    "Rows were deleted after their retention",
    { table: "text", rows: "number" },
    { adds: { rows_purged_total: ({ table, rows }) => [[{ table }, rows]] } },
  ),
  purge_failed: warn("Old rows could not be deleted; it is retried", { table: "text", cause: "any" }),
  audit_opened: info("The audit log is open; `public_key` verifies its exports", {
    origin: "text",
    public_key: "text",
  }),
  audit_restored: warn("The database was restored from a backup", { "copied_at?": "text", "anchor_size?": "number" }),
  audit_rekeyed: warn("Another key signs the audit log: restore the old one, or verify with both keys", {
    old_key: "text",
    new_key: "text",
  }),
  audit_checkpoint: info("Audit events have a signed checkpoint", { origin: "text", size: "number", note: "text" }),
  audit_failed: error("Audit events could not be signed; it is retried", { cause: "any" }),
  audit_anchor_failed: warn("A checkpoint could not be written to AUDIT_ANCHOR; it is retried", { cause: "any" }),
  job_ended: debug("An attempt ended its job", attempt, byKind),
  job_released: debug("A job is ready for another attempt", attempt, byKind),
  job_parked: debug("A job needs an operator", attempt, byKind),
  job_dropped: debug("A process stopped work on a job; another may continue it", attempt, byKind),
  clock_jumped: warn("The database's clock jumped, or the machine slept; open work keeps the time that it had left", {
    ms: "number",
  }),
  job_store_failed: warn("An operation on stored jobs failed; it is retried", {
    kind_of_job: "text",
    operation: "text",
    cause: "any",
  }),
  tracing_started: info("Traces are exported", { endpoint: "text", share: "number" }),
  trace_export_failed: warn("Traces could not be exported", { spans_lost: "number", cause: "any" }),
};

/** Every log event of the verification zone. */
export const verificationEvents = {
  ...processEvents,
  ...verificationSubjects.Slack,
  ...verificationSubjects.Inbox,
  ...verificationSubjects.Policy,
  ...verificationSubjects.Answers,
  ...verificationSubjects.Files,
};

/** Every log event of the execution zone. */
export const executionEvents = {
  ...processEvents,
  ...executionSubjects.Requests,
  ...executionSubjects.Tasks,
  ...executionSubjects.Schedules,
  ...executionSubjects.People,
  ...executionSubjects.Models,
  ...executionSubjects.Agents,
  ...executionSubjects.Workflows,
  ...executionSubjects.Bus,
};

/** The name of a log event that both zones have. */
export type ProcessEvent = keyof typeof processEvents;
export type VerificationEvent = keyof typeof verificationEvents;
export type ExecutionEvent = keyof typeof executionEvents;
export type EventName = VerificationEvent | ExecutionEvent;

/** The ids and places that an event can be about. */
export type EventSubject = FieldsOf<typeof subjectFields>;

type RowFields<Row> = Row extends EventDefinition<infer Rows> ? FieldsOf<Rows> & EventSubject : never;

/** The fields of an event. A name that both zones have with fields of their own takes either. */
export type EventFields<Name extends EventName> = RowFields<
  | (Name extends VerificationEvent ? (typeof verificationEvents)[Name] : never)
  | (Name extends ExecutionEvent ? (typeof executionEvents)[Name] : never)
>;
