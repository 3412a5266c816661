import { type MigrationStep, sqlStep } from "@crosszone/sql";

const tables = `
  create table workflow (
    workflow_id text not null, version text not null, number integer not null, name text not null,
    created_at bigint not null, definition text not null, summary text not null,
    constraint workflow_pk primary key (workflow_id, version),
    constraint workflow_numbered unique (workflow_id, number));
  create table workflow_run (
    run_id text primary key, request_key text unique, workflow_id text not null, version text not null,
    name text not null, state text not null, revision integer not null, state_revision integer not null,
    last_request text, due_at bigint, created_at bigint not null, updated_at bigint not null, started_at bigint,
    ended_at bigint, deadline_at bigint, bytes bigint not null, team text, people text not null,
    correlation_id text not null, record text not null, definition text not null, input text not null, output text,
    error text);
  create table workflow_step (
    run_id text not null references workflow_run (run_id) on delete cascade, path text not null,
    attempt integer not null, state text not null, revision integer not null, task_id text, started_at bigint,
    ended_at bigint, team text, record text not null, input text, output text, error text,
    constraint workflow_step_pk primary key (run_id, path, attempt));
  create table workflow_turn (
    run_id text not null references workflow_run (run_id) on delete cascade, cause text not null,
    attempts integer not null, begun_at bigint not null,
    constraint workflow_turn_pk primary key (run_id, cause));
  create index workflow_run_due on workflow_run (due_at) where due_at is not null;
  create index workflow_run_ended on workflow_run (ended_at) where ended_at is not null;
  create index workflow_run_by_state on workflow_run (state, created_at);
  create index workflow_run_by_workflow on workflow_run (workflow_id, created_at);
  create index workflow_run_by_correlation on workflow_run (correlation_id, created_at);
  create index workflow_run_latest on workflow_run (created_at);
  create index workflow_run_by_team on workflow_run (team) where team is not null;
  create index workflow_step_by_team on workflow_step (team) where team is not null;`;

/**
 * PostgreSQL would compress text of more than 2 KB, which is wasted on a row that soon changes again. The room in its pages is for the next
 * version of their rows, so that the change of a run or a step updates no index. https://www.postgresql.org/docs/current/storage-hot.html
 */
const postgresSettings = `
  alter table workflow_run alter input set storage external, alter output set storage external;
  alter table workflow_step alter input set storage external, alter output set storage external;
  alter table workflow_run set (fillfactor = 60);
  alter table workflow_step set (fillfactor = 80)`;

/** Creates and drops the tables of workflows, their runs, steps and retried turns. */
export const workflowsStep: MigrationStep = {
  ...sqlStep((engine) => (engine === "postgres" ? tables + postgresSettings : tables)),
  // A definition has all that a summary has.
  mend: ["update workflow set summary = definition where summary = ''"],
};

/** Creates and drops the table of events, and the index that finds the jobs of the steps that wait for one. */
export const workflowEventsStep: MigrationStep = sqlStep(`
  create table workflow_event (
    event_id text primary key, name text not null, topic text not null, payload text not null,
    received_at bigint not null);
  create index workflow_event_latest on workflow_event (topic, received_at);
  create index workflow_event_by_age on workflow_event (received_at);
  create index job_event_wait on job (context) where kind = 'event_wait' and state < 4`);

/**
 * Counts what a tree of runs has. The trees of open runs of earlier builds are counted from now on: what they had before is not known, so that
 * none of them fails because of it.
 */
export const runTreesStep: MigrationStep = sqlStep(`
  alter table workflow_run add column tree_id text;
  alter table workflow_run add column parent_id text;
  create table workflow_tree (
    tree_id text primary key, runs integer not null, steps integer not null, paid_calls integer not null,
    waits integer not null, created_at bigint not null);
  create index workflow_tree_by_age on workflow_tree (created_at);
  create index workflow_run_of_tree on workflow_run (tree_id) where tree_id is not null;
  create index workflow_run_in_run on workflow_run (parent_id, run_id) where parent_id is not null;
  update workflow_run set parent_id = (
      select parent from job where job.id = workflow_run.run_id and kind = 'sub_run' and state < 4)
    where ended_at is null;
  update workflow_run set tree_id = (
      with recursive up(run_id, parent_id) as (
        select run.run_id, run.parent_id from workflow_run run where run.run_id = workflow_run.run_id
        union all select run.run_id, run.parent_id from up join workflow_run run on run.run_id = up.parent_id)
      select run_id from up where parent_id is null)
    where parent_id is not null`);

/** Finds what each author stores. The first digest of a run's people is that of its requester's id. */
export const authorsStep: MigrationStep = sqlStep(`
  alter table workflow add column author text;
  alter table workflow_event add column author text;
  create index workflow_by_author on workflow (author) where author is not null;
  create index workflow_event_by_author on workflow_event (author) where author is not null;
  create index workflow_run_by_author on workflow_run (substr(people, 2, 16))`);
