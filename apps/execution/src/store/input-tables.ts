import type { InputState } from "@crosszone/contracts";
import { type MigrationStep, sqlStep } from "@crosszone/sql";

/** What tasks and runs need from people. Times are Unix milliseconds, by the database's clock. */
export interface InputRequestTable {
  request_id: string;
  task_id: string | null;
  /** The workflow run that waits. */
  run_id: string | null;
  state: InputState;
  /** Increases with each change. */
  version: number;
  /** Place in the order of changes of all requests. */
  seq: number;
  /** The caller of the task. */
  caller: string | null;
  /** The caller of the zone link that shows it; null while any can claim it. */
  shown_by: string | null;
  /** Digest of the requester's team. */
  team: string | null;
  /** Who asked, can decide or has voted, see `peopleColumn`. */
  people: string;
  created_at: number;
  expires_at: number;
  /** When nothing can happen to it anymore. */
  ended_at: number | null;
  /** See `callDigest`. Null for what is no call, and in rows of older builds. */
  call_digest: string | null;
  /** The request with its terms as JSON, sealed if `DATA_KEYS` is set. */
  record: string;
}

export interface InputTables {
  input_request: InputRequestTable;
  /** The callers that follow input requests over the zone link, each with its last time, Unix milliseconds. */
  input_follower: {
    caller: string;
    followed_at: number;
  };
  /** One row, from the first change on: the last place in the order of changes. Its lock makes the places visible in their order. */
  input_change: {
    id: 1;
    seq: number;
  };
}

export const inputsStep: MigrationStep = {
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
export const latestInputsStep = sqlStep("create index input_request_latest on input_request (seq)");

/** Finds an open request for the same call. */
export const callDigestStep = sqlStep(`
  alter table input_request add column call_digest text;
  create index input_request_of_call on input_request (call_digest)
      where state = 'open' and call_digest is not null`);
