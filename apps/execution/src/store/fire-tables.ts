import type { FireSource, FireState, MessageState, ScheduleSource, ScheduleState } from "@crosszone/contracts";
import { sqlStep } from "@crosszone/sql";

/** A schedule. Times are Unix milliseconds, by the database's clock. */
export interface ScheduleTable {
  name: string;
  source: ScheduleSource;
  state: ScheduleState;
  /** Digest of its owner's team. */
  team: string;
  /** The Slack user who owns it. */
  user_id: string;
  /** Its next scheduled time, without jitter; null while paused. */
  next_at: number | null;
  /** When that fires, with jitter. */
  due_at: number | null;
  /** What its interval counts from. */
  anchor_at: number;
  /** Failed fires in a row. */
  failures: number;
  changed_at: number;
  /** An actor, as in the audit log. */
  changed_by: string;
  /** Null while it waits for its owner. */
  paused_reason: string | null;
  /** Digest of what its owner has allowed, empty for nothing; null in rows of older builds, which go on. */
  allowed: string | null;
  /** The request by which its owner allows it, until that is allowed. */
  consent_id: string | null;
  /** Who wrote what it asks, an actor as in the audit log; null for its owner. */
  written_by: string | null;
  /** Its `ScheduleSettings` as JSON, sealed if `DATA_KEYS` is set. */
  record: string;
}

/** One start of a schedule or hook. Times are Unix milliseconds, by the database's clock. */
export interface FireTable {
  fire_id: string;
  source: FireSource;
  /** Name of the schedule or hook. */
  name: string;
  /** What happens once: a time of a schedule, a delivery of a hook. */
  occasion: string;
  state: FireState;
  team: string;
  user_id: string;
  /** The caller of the zone link that took it. */
  caller: string | null;
  scheduled_at: number;
  created_at: number;
  /** Since when it waits for verification, or runs; null while it is queued. */
  due_at: number | null;
  ended_at: number | null;
  outcome: MessageState | null;
  /** 1: its question succeeded, 0: it failed; null while open, and if neither. */
  success: number | null;
  /** 1 once its end counts in its schedule. */
  settled: number;
  /** 1 once the fire after it cancels it. */
  canceling: number;
  reason: string | null;
  /** A `FireRecord` as JSON, sealed if `DATA_KEYS` is set. */
  record: string;
}

export interface FireTables {
  schedule: ScheduleTable;
  fire: FireTable;
}

export const firesStep = sqlStep(`
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

/** What owners allow. Schedules that are there are allowed as they are. */
export const consentsStep = sqlStep(`
  alter table schedule add column allowed text;
  alter table schedule add column consent_id text;
  alter table schedule add column written_by text;
  create index schedule_of_consent on schedule (consent_id) where consent_id is not null`);
