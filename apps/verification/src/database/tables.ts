import type { AuditTables } from "@crosszone/audit";
import type { JobTable, JobWorkerTable } from "@crosszone/jobs";

/** The tables of the verification zone. */
export interface VerificationTables extends AuditTables {
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

/** What became of messages, without their text: those that are answered, denied, rejected, parked or given up. */
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
  attempts: number;
  /** Unix milliseconds, like `ended_at`. */
  received_at: number;
  ended_at: number;
}
