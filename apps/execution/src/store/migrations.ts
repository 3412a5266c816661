import { agentCountsStep, agentsStep } from "@crosszone/agent-bridge";
import { executionJobsStep, taskTitlesStep } from "@crosszone/agent-calls";
import { auditStep } from "@crosszone/audit";
import { deadLettersStep } from "@crosszone/kafka-gateway";
import { dataKeysStep } from "@crosszone/ops/data";
import { joinSteps, type MigrationStep, type Migrations, sqlStep } from "@crosszone/sql";
import { authorsStep, runTreesStep, workflowEventsStep, workflowsStep } from "@crosszone/workflow";

const threadSummaryStep = sqlStep(`
  create table thread_summary (
    context_id text not null, team text not null, updated_at bigint not null, record text not null,
    constraint thread_summary_key primary key (context_id, team));
  create index thread_summary_by_age on thread_summary (updated_at)`);

const conversationsStep = sqlStep(`
  create table agent_conversation (
    context_id text primary key, team text, updated_at bigint not null, record text not null);
  create index agent_conversation_by_age on agent_conversation (updated_at)`);

const fileLinksStep = sqlStep(`
  create table agent_file_link (
    token_digest text primary key, task_id text not null, file_id text not null, team text,
    expires_at bigint not null, fetched_at bigint);
  create index agent_file_link_by_expiry on agent_file_link (expires_at);
  create index agent_file_link_by_team on agent_file_link (team) where team is not null`);

const mcpToolsStep = sqlStep(`
  create table mcp_server (name text primary key, first_seen_at bigint not null);
  create table mcp_tool (
    server text not null, tool text not null, pinned text, pinned_print text, seen text not null, seen_print text not null,
    listed integer not null, approved_by text, approved_at bigint,
    constraint mcp_tool_key primary key (server, tool))`);

const usageStep = sqlStep(`
  create table model_call (
    id text primary key, at bigint not null, task_id text not null, team text, person text, channel text,
    agent text not null, model text not null, input_tokens bigint not null, output_tokens bigint not null,
    cached_tokens bigint not null, cost bigint, estimated integer not null);
  create index model_call_by_time on model_call (at);
  create index model_call_by_team on model_call (team) where team is not null;
  create index model_call_by_person on model_call (person, at) where person is not null;
  create table budget_use (
    scope text not null, subject text not null, period text not null, unit text not null, team text,
    used bigint not null, noted integer not null, subject_id text,
    constraint budget_use_key primary key (scope, subject, period, unit));
  create index budget_use_by_team on budget_use (team) where team is not null;
  create index budget_use_by_period on budget_use (period, scope, unit)`);

const bulkActionsStep = sqlStep(`
  create table bulk_action (
    id text primary key, action text not null, actor text not null, address text not null, client text not null,
    ids text not null, problems text not null, total integer not null, done integer not null, skipped integer not null,
    failed integer not null, stopping integer not null, request_key text unique, created_at bigint not null,
    ended_at bigint);
  create index bulk_action_by_time on bulk_action (created_at)`);

const apiTokensStep = sqlStep(`
  create table api_token (
    id text primary key, name text not null unique, digest text not null unique, scopes text not null,
    created_by text not null, created_at bigint not null, expires_at bigint not null, revoked_at bigint);
  create table token_use (
    actor text not null, day text not null, address text not null, client text not null, uses bigint not null,
    first_at bigint not null, last_at bigint not null,
    constraint token_use_key primary key (actor, day, address, client))`);

const taskEventsStep = sqlStep(`
  create table task_event (
    task_id text not null, seq bigint not null, at bigint not null, team text, event text not null,
    constraint task_event_key primary key (task_id, seq));
  create index task_event_at on task_event (at);
  create index task_event_by_team on task_event (team)`);

const sessionsStep = sqlStep(`
  create table session (
    digest text primary key, id text not null, iss text not null, sub text not null, sid text, person text not null,
    id_token text, created_at bigint not null, seen_at bigint not null, ended_at bigint);
  create index session_by_person on session (iss, sub);
  create index session_by_age on session (created_at);
  create table used_once (id text primary key, expires_at bigint not null);
  create index used_once_by_expiry on used_once (expires_at)`);

const inputsStep: MigrationStep = {
  ...sqlStep(`
  create table input_request (
    request_id text primary key, task_id text, run_id text, state text not null, version integer not null,
    seq bigint not null, caller text, shown_by text, team text, people text not null, created_at bigint not null,
    expires_at bigint not null, ended_at bigint, record text not null);
  create index input_request_by_change on input_request (shown_by, seq);
  create index input_request_of_task on input_request (task_id) where task_id is not null;
  create index input_request_of_run on input_request (run_id) where run_id is not null;
  create index input_request_open on input_request (state) where state = 'open';
  create index input_request_ended on input_request (ended_at) where ended_at is not null;
  create index input_request_by_team on input_request (team) where team is not null;
  create table input_change (id integer primary key, seq bigint not null);
  create table input_follower (caller text primary key, followed_at bigint not null)`),
  // When it was asked is not known: certainly before it expires.
  mend: ["update input_request set created_at = expires_at where created_at = 0"],
};

/** For lists of all requests, latest change first. */
const latestInputsStep = sqlStep("create index input_request_latest on input_request (seq)");

const firesStep = sqlStep(`
  create table schedule (
    name text primary key, source text not null, state text not null, team text not null, user_id text not null,
    next_at bigint, due_at bigint, anchor_at bigint not null, failures integer not null, changed_at bigint not null,
    changed_by text not null, paused_reason text, record text not null);
  create index schedule_due on schedule (due_at) where due_at is not null;
  create index schedule_of_owner on schedule (team, user_id, name);
  create table fire (
    fire_id text primary key, source text not null, name text not null, occasion text not null, state text not null,
    team text not null, user_id text not null, caller text, scheduled_at bigint not null, created_at bigint not null,
    due_at bigint, ended_at bigint, outcome text, success integer, settled integer not null, canceling integer not null,
    reason text, record text not null, constraint fire_once unique (source, name, occasion));
  create index fire_waiting on fire (due_at) where state = 'due';
  create index fire_unsettled on fire (ended_at) where settled = 0 and ended_at is not null;
  create index fire_open on fire (name, source) where ended_at is null;
  create index fire_latest on fire (created_at, fire_id);
  create index fire_of on fire (source, name, created_at, fire_id);
  create index fire_ended on fire (ended_at) where ended_at is not null;
  create index fire_by_team on fire (team)`);

const messagesStep = sqlStep(`
  create table message (
    reference text not null,
    caller text not null,
    team text not null,
    revision bigint not null,
    state text not null,
    channel text not null,
    ts text,
    thread_ts text not null,
    user_id text not null,
    received_at bigint not null,
    stored_at bigint not null,
    record text not null,
    pending_act text,
    act_at bigint,
    constraint message_key primary key (reference, caller)
  );
  create index message_latest on message (received_at, reference);
  create index message_by_state on message (state, received_at, reference);
  create index message_by_person on message (user_id, received_at, reference);
  create index message_by_channel on message (channel, received_at, reference);
  create index message_by_ts on message (ts) where ts is not null;
  create index message_by_thread on message (thread_ts);
  create index message_by_age on message (stored_at);
  create index message_by_team on message (team);
  create index message_by_act on message (caller, act_at, reference) where pending_act is not null;
  create table message_person (
    digest text not null,
    user_id text not null,
    team text not null,
    seen_at bigint not null,
    constraint message_person_key primary key (digest, user_id, team)
  );
  create index message_person_by_age on message_person (seen_at);
  create index message_person_by_team on message_person (team);
  create index model_call_by_task on model_call (task_id)`);

const standingsStep = sqlStep(`
  alter table message add column standing text;
  alter table message_person add column name text;
  create index message_by_standing on message (coalesce(standing, state), received_at, reference);
  create index audit_event_acts on audit_event (id) where action <> 'content.read'`);

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const executionMigrations: Migrations = {
  "0001_tables": joinSteps(
    executionJobsStep,
    deadLettersStep,
    agentsStep,
    workflowsStep,
    conversationsStep,
    threadSummaryStep,
    fileLinksStep,
    usageStep,
    mcpToolsStep,
    inputsStep,
    apiTokensStep,
    auditStep,
    taskEventsStep,
  ),
  "0002_add_console": joinSteps(bulkActionsStep, sessionsStep, messagesStep, latestInputsStep),
  "0003_add_schedules": joinSteps(firesStep, workflowEventsStep),
  "0004_add_left_out_tools": sqlStep(`
    create table mcp_left_out (
      server text not null, tool text not null, because text not null,
      constraint mcp_left_out_key primary key (server, tool))`),
  // Finds an open request for the same call.
  "0005_add_call_digests": sqlStep(`
    alter table input_request add column call_digest text;
    create index input_request_of_call on input_request (call_digest)
        where state = 'open' and call_digest is not null`),
  // What the zone adds to a bulk action while it works has rows of its own, because SQLite writes a grown row as a whole.
  "0006_add_bulk_problems": sqlStep(`
    alter table bulk_action add column credential text;
    alter table bulk_action add column stopped_because text;
    create table bulk_problems (
        bulk_action_id text not null references bulk_action (id) on delete cascade, at integer not null,
        problems text not null, constraint bulk_problems_key primary key (bulk_action_id, at))`),
  "0007_add_starters_of_calls": sqlStep(`
    alter table model_call add column schedule text;
    alter table model_call add column hook text`),
  "0008_add_data_keys": dataKeysStep,
  "0009_add_run_trees": runTreesStep,
  "0010_add_authors": authorsStep,
  // What owners allow. Schedules that are there are allowed as they are.
  "0011_add_schedule_consents": sqlStep(`
    alter table schedule add column allowed text;
    alter table schedule add column consent_id text;
    alter table schedule add column written_by text;
    create index schedule_of_consent on schedule (consent_id) where consent_id is not null`),
  "0012_add_agent_counts": agentCountsStep,
  "0013_add_standings": joinSteps(standingsStep, taskTitlesStep),
  "0014_add_model_call_ends": sqlStep("alter table model_call add column ended_at bigint"),
  "0015_add_tool_calls": sqlStep(`
    alter table model_call add column server text;
    alter table model_call add column tool text;
    alter table model_call add column outcome text`),
};
