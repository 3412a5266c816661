import { auditStep } from "@crosszone/audit";
import { jobsStep } from "@crosszone/jobs";
import { joinSteps, type Migrations, tablesStep } from "@crosszone/sql";
import { sql } from "kysely";

const inboxStep = jobsStep(
  (table) =>
    table
      .addColumn("channel", "text", (column) => column.notNull())
      .addColumn("placeholder", "text")
      .addColumn("answer", "text")
      .addColumn("attached", "integer", (column) => column.notNull())
      .addColumn("shown", "text")
      .addColumn("stopped_by", "text")
      .addColumn("author", "text")
      .addColumn("parked_because", "text")
      .addColumn("uncounted", "integer", (column) => column.notNull()),
  { indexes: ["create index job_by_channel on job (channel)"], long: ["answer"] },
);

const statements = [
  `create table claim (
    digest text primary key,
    request_id text not null,
    claimed_at bigint not null,
    of_message integer not null
  )`,
  "create index claim_by_time on claim (of_message, claimed_at)",
  `create table thread (
    digest text primary key,
    team_id text not null,
    used_at bigint not null,
    agent text,
    context_id text,
    followed text not null,
    quiet_since bigint
  )`,
  "create index thread_by_use on thread (used_at)",
  `create table message (
    reference text primary key,
    team_id text not null,
    channel text not null,
    thread_ts text not null,
    user_id text not null,
    state text not null,
    rule text,
    reason text,
    attempts integer not null,
    received_at bigint not null,
    ended_at bigint not null
  )`,
  "create index message_by_end on message (ended_at)",
  `create table rating (
    reference text not null,
    user_id text not null,
    team_id text not null,
    rating text not null,
    reason text,
    rated_at bigint not null,
    constraint rating_key primary key (reference, user_id)
  )`,
  "create index rating_by_time on rating (rated_at)",
  `create table handle (
    digest text primary key,
    request_id text not null,
    team_id text not null,
    opens text not null,
    reads integer default 0 not null,
    expires_at bigint not null
  )`,
  "create index handle_by_request on handle (request_id)",
  "create index handle_by_expiry on handle (expires_at)",
  `create table installation (
    id text primary key,
    install text not null,
    enterprise_id text,
    bot_user_id text not null,
    bot_id text not null,
    scopes text not null,
    installed_by text not null,
    installed_at bigint not null,
    grant_sealed text not null,
    refresh_until bigint
  )`,
  "create table spent_state (digest text primary key, expires_at bigint not null)",
  "create index spent_state_by_expiry on spent_state (expires_at)",
  `create table stream_pace (
    team_id text not null,
    place integer not null,
    free_at bigint not null,
    constraint stream_pace_key primary key (team_id, place)
  )`,
];

const tables = ["claim", "thread", "message", "rating", "handle", "installation", "spent_state", "stream_pace"];

const zoneStep = tablesStep(tables, async (db) => {
  for (const statement of statements) await sql.raw(statement).execute(db);
});

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const verificationMigrations: Migrations = {
  "0001_tables": joinSteps(inboxStep, zoneStep, auditStep),
};
