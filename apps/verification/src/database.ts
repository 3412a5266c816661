import { auditStep, type AuditTables } from "@crosszone/audit";
import { jobsStep, type JobTable, type JobWorkerTable } from "@crosszone/jobs";
import { dataKeysStep, type DataKeyTables } from "@crosszone/ops/data";
import { type Database, joinSteps, type Migrations, openDatabase, type OpenOptions, sqlStep } from "@crosszone/sql";
import { type Generated } from "kysely";

/** The tables of the verification zone. */
interface VerificationTables extends AuditTables, DataKeyTables {
  /** Handles of running tasks. */
  handle: {
    digest: string;
    request_id: string;
    team_id: string;
    /** A `HandleGrant`, JSON. */
    opens: string;
    reads: number;
    /** Unix milliseconds. */
    expires_at: number;
  };
  job: InboxJobTable;
  job_worker: JobWorkerTable;
  claim: {
    digest: string;
    request_id: string;
    claimed_at: number;
    /** 1 for the claim of a message, which is kept as long as what became of it; otherwise 0. */
    of_message: number;
  };
  /** Threads in which an allowed person has addressed the app. */
  thread: {
    digest: string;
    team_id: string;
    /** To the hour. */
    used_at: number;
    /** The agent for messages that name none. */
    agent: string | null;
    /** The thread's random id for agents. */
    context_id: string | null;
    /** The people whose replies are for the app: `followerOf`, newest first. */
    followed: string;
    /** When a person told the app to be quiet. */
    quiet_since: number | null;
  };
  installation: InstallationsTable;
  /** States of finished install flows, which cannot be used again. */
  spent_state: {
    /** SHA-256 of the state, base64url. */
    digest: string;
    /** Unix milliseconds; from then on the state is expired anyway. */
    expires_at: number;
  };
  /** When the streams of a workspace can begin and grow. */
  stream_pace: {
    team_id: string;
    /** 0 for the appends of all streams of the workspace; from 1, the place of one stream. */
    place: number;
    /** Unix milliseconds. */
    free_at: number;
  };
  message: MessagesTable;
  /** Until when each workspace was heard, and the sweep of what was written since. */
  sweep: {
    team_id: string;
    /** When the edge was up last, Unix milliseconds like the other times. */
    alive_at: number;
    /** From then on events may be lost; null if nothing is to be read. */
    behind_since: number | null;
    /** When the sweep may begin. */
    due_at: Generated<number>;
    /** When the sweep began; null if events were lost since then. */
    began_at: number | null;
    /** Questions that the sweep has accepted. */
    asked: Generated<number>;
    /** The process that has the sweep, and until when. */
    owner: string | null;
    leased_until: number | null;
  };
  /** Conversations whose history was read. */
  sweep_channel: {
    team_id: string;
    /** Its id, or a type of conversations that could not be listed. */
    channel: string;
    /** What was written before this time is handled. */
    read_to: number;
    /** Slack's error code, if it does not show the history. */
    refused: string | null;
  };
  /** What people think of answers: a row an answer and person. */
  rating: {
    /** The reference in Slack: the question's correlation id. */
    reference: string;
    user_id: string;
    team_id: string;
    /** `good` or `bad`. */
    rating: string;
    /** JSON text; may be sealed. */
    reason: string | null;
    rated_at: number;
  };
}

/**
 * Open and parked records, as jobs: the id is the request id, the kind and the share are the record's kind, the lane is a digest of kind
 * and thread, the team is the Slack team, and `input` is the `InboxRecord`, JSON that may be sealed. Parked records have `ended_at`.
 * Digests: `record-rows.ts`.
 */
export interface InboxJobTable extends JobTable {
  /** Digest of the conversation. */
  channel: string;
  placeholder: string | null;
  /** Progress: a `KeptAnswer`, JSON; may be sealed. */
  answer: string | null;
  /** Progress: 0 or 1. */
  attached: number;
  /** Progress: `shown` of a `Progress`, JSON. */
  shown: string | null;
  /** Its person: `followerOf`. */
  author: string | null;
  /** The stop record that marked it, or `withdrawnMark`, a space, and the Slack id of its person. */
  stopped_by: string | null;
  parked_because: string | null;
  /** Number of leases that do not count as attempts, because the record was released. */
  uncounted: number;
}

/** Installations of the app, one row per workspace or organization. */
export interface InstallationsTable {
  /** Id of a workspace, or of an organization that installed the app as a whole. */
  id: string;
  /** Changes with each installation. */
  install: string;
  enterprise_id: string | null;
  bot_user_id: string;
  bot_id: string;
  /** Comma-separated. */
  scopes: string;
  installed_by: string;
  /** Unix milliseconds. */
  installed_at: number;
  /** A `Grant`, JSON, sealed for `grantContext`. */
  grant_sealed: string;
  /** End of the lease that lets one process use the refresh token, Unix milliseconds of the database. */
  refresh_until: number | null;
}

/** What became of messages, without their text. A question without a row waits, or is in work. */
export interface MessagesTable {
  /** The reference in Slack: the message's correlation id. */
  reference: string;
  team_id: string;
  channel: string;
  thread_ts: string;
  user_id: string;
  /** `MessageRecord["state"]`. */
  state: string;
  /** The policy's rule that denied it. */
  rule: string | null;
  reason: string | null;
  /** `MessageRecord["outcome"]`. */
  outcome: string | null;
  attempts: number;
  /** Unix milliseconds, like the other times. */
  received_at: number;
  /** When it came to its state. */
  ended_at: number;
  /** The message's own timestamp in Slack. */
  ts: string | null;
  judged_at: number | null;
  posted_at: number | null;
  /** Increases with each change. */
  revision: Generated<number>;
  /** The revision that execution has; 0 before the first report. */
  reported: Generated<number>;
  /** The record of its last end. */
  request_id: string | null;
}

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

const zoneStep = sqlStep(`
  create table claim (
    digest text primary key,
    request_id text not null,
    claimed_at bigint not null,
    of_message integer not null
  );
  create index claim_by_time on claim (of_message, claimed_at);
  create table thread (
    digest text primary key,
    team_id text not null,
    used_at bigint not null,
    agent text,
    context_id text,
    followed text not null,
    quiet_since bigint
  );
  create index thread_by_use on thread (used_at);
  create table message (
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
  );
  create index message_by_end on message (ended_at);
  create table rating (
    reference text not null,
    user_id text not null,
    team_id text not null,
    rating text not null,
    reason text,
    rated_at bigint not null,
    constraint rating_key primary key (reference, user_id)
  );
  create index rating_by_time on rating (rated_at);
  create table handle (
    digest text primary key,
    request_id text not null,
    team_id text not null,
    opens text not null,
    reads integer default 0 not null,
    expires_at bigint not null
  );
  create index handle_by_request on handle (request_id);
  create index handle_by_expiry on handle (expires_at);
  create table installation (
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
  );
  create table spent_state (digest text primary key, expires_at bigint not null);
  create index spent_state_by_expiry on spent_state (expires_at);
  create table stream_pace (
    team_id text not null,
    place integer not null,
    free_at bigint not null,
    constraint stream_pace_key primary key (team_id, place)
  )`);

const reportsStep = sqlStep(`
  alter table message add column ts text;
  alter table message add column judged_at bigint;
  alter table message add column posted_at bigint;
  alter table message add column revision bigint default 1 not null;
  alter table message add column reported bigint default 0 not null;
  alter table message add column request_id text;
  create index message_unreported on message (ended_at) where reported < revision;
  create index message_parked on message (ended_at) where state = 'parked'`);

const sweepStep = sqlStep(`
  create table sweep (
    team_id text primary key,
    alive_at bigint not null,
    behind_since bigint,
    due_at bigint default 0 not null,
    began_at bigint,
    asked integer default 0 not null,
    owner text,
    leased_until bigint
  );
  create table sweep_channel (
    team_id text not null,
    channel text not null,
    read_to bigint not null,
    refused text,
    constraint sweep_channel_key primary key (team_id, channel)
  )`);

const outcomesStep = sqlStep(`
  alter table message add column outcome text;
  create index audit_event_acts on audit_event (id) where action <> 'content.read'`);

/**
 * The zone's schema migrations, in order. Never change a released step; correct it in a later one. Name a step that only adds
 * `0000_add_…`: older builds work with it.
 */
export const verificationMigrations: Migrations = {
  "0001_tables": joinSteps(inboxStep, zoneStep, auditStep),
  "0002_add_message_reports": reportsStep,
  "0003_add_sweeps": sweepStep,
  "0004_add_data_keys": dataKeysStep,
  "0005_add_sweep_owners": sqlStep("create index sweep_by_owner on sweep (owner) where owner is not null"),
  "0006_add_outcomes": outcomesStep,
};

export type VerificationDatabase = Database<VerificationTables>;

/** Opens the zone's database and migrates its tables. */
export function openVerificationDatabase(
  options: Omit<OpenOptions, "migrations" | "schema">,
): Promise<VerificationDatabase> {
  return openDatabase<VerificationTables>({ ...options, schema: "verification", migrations: verificationMigrations });
}
