import { sqlStep } from "@crosszone/sql";

/** What verification reported of a message. Times are Unix milliseconds. */
export interface MessageTable {
  /** The reference in Slack: the correlation id of its tasks. */
  reference: string;
  /** The client of the zone link that reported it. */
  caller: string;
  /** Digest of its team. */
  team: string;
  /** Of the stored report. */
  revision: number;
  state: string;
  /** How it stands, as people see it: a `MessageStanding` except `waiting`. Null in rows of earlier builds: then it is `state`. */
  standing: string | null;
  channel: string;
  ts: string | null;
  thread_ts: string;
  user_id: string;
  received_at: number;
  /** When its last report was stored, by the database's clock. */
  stored_at: number;
  /** The `MessageRecord` without its author's name, JSON. */
  record: string;
  /** The `MessageAct` that verification is asked to do. */
  pending_act: string | null;
  /** When an operator asked for it, by the database's clock. */
  act_at: number | null;
}

export interface MessageTables {
  message: MessageTable;
  /** The people and channels of messages, by digests of their ids, their names and the words of these. */
  message_person: {
    digest: string;
    /** The id of the person, channel or group. */
    user_id: string;
    /** In the row of the id's own digest: the name, sealed if `DATA_KEYS` is set. */
    name: string | null;
    /** Digest of their team. */
    team: string;
    /** When a report last named them, by the database's clock. */
    seen_at: number;
  };
}

export const messagesStep = sqlStep(`
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

export const standingsStep = sqlStep(`
  alter table message add column standing text;
  alter table message_person add column name text;
  create index message_by_standing on message (coalesce(standing, state), received_at, reference);
  create index audit_event_acts on audit_event (id) where action <> 'content.read'`);
