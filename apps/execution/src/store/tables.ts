import type { ToolOutcome } from "@crosszone/assistant";
import { sqlStep } from "@crosszone/sql";

export interface ThreadSummaryTables {
  /** The summary of one thread's conversation with the assistant. Times are Unix milliseconds, by the database's clock. */
  thread_summary: {
    /** The conversation's id for the assistant. */
    context_id: string;
    /** Digest of the thread's team. */
    team: string;
    /** Time of the thread's last question. */
    updated_at: number;
    /** A `ThreadSummary` as JSON, sealed if `DATA_KEYS` is set. */
    record: string;
  };
}

export const threadSummaryStep = sqlStep(`
  create table thread_summary (
    context_id text not null, team text not null, updated_at bigint not null, record text not null,
    constraint thread_summary_key primary key (context_id, team));
  create index thread_summary_by_age on thread_summary (updated_at)`);

export interface AgentConversationTables {
  /** The state of a thread's conversation with one agent. Times are Unix milliseconds, by the database's clock. */
  agent_conversation: {
    /** The conversation's id that the agent receives. */
    context_id: string;
    /** Digest of the thread's team. */
    team: string | null;
    updated_at: number;
    /** A `Conversation` as JSON, sealed if `DATA_KEYS` is set. */
    record: string;
  };
}

export const conversationsStep = sqlStep(`
  create table agent_conversation (
    context_id text primary key, team text, updated_at bigint not null, record text not null);
  create index agent_conversation_by_age on agent_conversation (updated_at)`);

export interface FileLinkTables {
  /** Links that agents use to download files of their tasks. Times are Unix milliseconds, by the database's clock. */
  agent_file_link: {
    /** SHA-256 of the token. The token itself is not stored. */
    token_digest: string;
    task_id: string;
    file_id: string;
    /** Digest of the requester's team. */
    team: string | null;
    expires_at: number;
    /** When the first complete download ended. */
    fetched_at: number | null;
  };
}

export const fileLinksStep = sqlStep(`
  create table agent_file_link (
    token_digest text primary key, task_id text not null, file_id text not null, team text,
    expires_at bigint not null, fetched_at bigint);
  create index agent_file_link_by_expiry on agent_file_link (expires_at);
  create index agent_file_link_by_team on agent_file_link (team) where team is not null`);

/** A tool of an MCP server: its pinned definition, and the one that the server listed last. */
export interface McpToolTable {
  server: string;
  tool: string;
  /** `McpDefinition` as JSON; null until approved. */
  pinned: string | null;
  /** SHA-256 of the definition, hex. */
  pinned_print: string | null;
  seen: string;
  seen_print: string;
  /** 0 when the server no longer lists it. */
  listed: number;
  /** The approver's `actor`; null when pinned with its server. */
  approved_by: string | null;
  approved_at: number | null;
}

export interface McpTables {
  /** A known MCP server. Times are Unix milliseconds, by the database's clock. */
  mcp_server: {
    name: string;
    first_seen_at: number;
  };
  mcp_tool: McpToolTable;
  /** What can't be offered of the list of a server, as last seen. */
  mcp_left_out: {
    server: string;
    /** The tool's name, shortened, or its place in the list. */
    tool: string;
    because: string;
  };
}

export const mcpToolsStep = sqlStep(`
  create table mcp_server (name text primary key, first_seen_at bigint not null);
  create table mcp_tool (
    server text not null, tool text not null, pinned text, pinned_print text, seen text not null, seen_print text not null,
    listed integer not null, approved_by text, approved_at bigint,
    constraint mcp_tool_key primary key (server, tool))`);

export const mcpLeftOutStep = sqlStep(`
  create table mcp_left_out (
    server text not null, tool text not null, because text not null,
    constraint mcp_left_out_key primary key (server, tool))`);

export interface UsageTables {
  /**
   * One call of a language model: reserved before it starts, with its actual use after it ends. Or of a tool of an MCP server, which uses no
   * tokens. Times are Unix milliseconds, by the database's clock.
   */
  model_call: {
    id: string;
    at: number;
    task_id: string;
    /** Digest of the requester's team. */
    team: string | null;
    /** Slack ids, as the caller sent them. */
    person: string | null;
    channel: string | null;
    agent: string;
    /** The name of what started its task, if that is a schedule or a hook. */
    schedule: string | null;
    hook: string | null;
    /** `provider/id`; empty for a call of a tool. */
    model: string;
    /** The MCP server, its name for the tool, and how the call ended. Null for a call of a model. */
    server: string | null;
    tool: string | null;
    outcome: ToolOutcome | null;
    input_tokens: number;
    output_tokens: number;
    cached_tokens: number;
    /** Millionths of a US dollar; null when the model has no known price. */
    cost: number | null;
    /** 1 until the provider's count is known. */
    estimated: number;
    /** Unix milliseconds; null before its end. */
    ended_at: number | null;
  };
  /** The used amount of a budget's period, including reserved calls. */
  budget_use: {
    scope: string;
    /** The subject: a digest of team and person or channel, of the team, or the agent's name. */
    subject: string;
    /** Slack id of the person or channel, as the caller sent it. Null for teams and agents. */
    subject_id: string | null;
    /** `2026-11-21` or `2026-11`. */
    period: string;
    unit: string;
    team: string | null;
    used: number;
    /** 1 once a person got the note that the budget is nearly used. */
    noted: number;
  };
}

export const usageStep = sqlStep(`
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

export const callStartersStep = sqlStep(`
  alter table model_call add column schedule text;
  alter table model_call add column hook text`);

export const callEndsStep = sqlStep("alter table model_call add column ended_at bigint");

export const toolCallsStep = sqlStep(`
  alter table model_call add column server text;
  alter table model_call add column tool text;
  alter table model_call add column outcome text`);

/** One action on many items. Times are Unix milliseconds, by the database's clock. */
export interface BulkActionTable {
  id: string;
  /** `BulkActionKind`. */
  action: string;
  /** The author, and the sender of the request, as in `Author`. */
  actor: string;
  address: string;
  client: string;
  /** The author and the `Idempotency-Key`. */
  request_key: string | null;
  /** The items in order, as JSON. The next one is at `done + skipped + failed`. */
  ids: string;
  total: number;
  done: number;
  skipped: number;
  failed: number;
  /** What was skipped or failed, as JSON, in rows of older builds. */
  problems: string;
  /** 1 once someone stops it. */
  stopping: number;
  /** The `digest` of the holder who started it, until its end; null in rows of older builds. */
  credential: string | null;
  /** Why the zone stopped it. */
  stopped_because: string | null;
  created_at: number;
  ended_at: number | null;
}

export interface BulkActionTables {
  bulk_action: BulkActionTable;
  bulk_problems: {
    bulk_action_id: string;
    /** How many items were worked on before these. */
    at: number;
    /** Items that were skipped or failed, as JSON. */
    problems: string;
  };
}

export const bulkActionsStep = sqlStep(`
  create table bulk_action (
    id text primary key, action text not null, actor text not null, address text not null, client text not null,
    ids text not null, problems text not null, total integer not null, done integer not null, skipped integer not null,
    failed integer not null, stopping integer not null, request_key text unique, created_at bigint not null,
    ended_at bigint);
  create index bulk_action_by_time on bulk_action (created_at)`);

/** What the zone adds to a bulk action while it works has rows of its own, because SQLite writes a grown row as a whole. */
export const bulkProblemsStep = sqlStep(`
  alter table bulk_action add column credential text;
  alter table bulk_action add column stopped_because text;
  create table bulk_problems (
      bulk_action_id text not null references bulk_action (id) on delete cascade, at integer not null,
      problems text not null, constraint bulk_problems_key primary key (bulk_action_id, at))`);

/** A token of the API. Times are Unix milliseconds, by the database's clock. */
export interface ApiTokenTable {
  id: string;
  /** Unique, also among revoked tokens: approvals and the audit log trust it. */
  name: string;
  /** SHA-256 of the token, hex. The token itself is not stored. */
  digest: string;
  /** `TokenScope`s with spaces between, before and after them. */
  scopes: string;
  /** The creator's `actor`. */
  created_by: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

/** The uses of a token, or of other credentials, in a day and from one place. Times are Unix milliseconds, by the process's clock. */
export interface TokenUseTable {
  /** As in `CredentialUse`. */
  actor: string;
  /** In UTC: `2026-11-21`. */
  day: string;
  /** As in `Sender`; `other` for both in places after the first fifty of a day. */
  address: string;
  client: string;
  uses: number;
  first_at: number;
  last_at: number;
}

export interface ApiTokenTables {
  api_token: ApiTokenTable;
  token_use: TokenUseTable;
}

export const apiTokensStep = sqlStep(`
  create table api_token (
    id text primary key, name text not null unique, digest text not null unique, scopes text not null,
    created_by text not null, created_at bigint not null, expires_at bigint not null, revoked_at bigint);
  create table token_use (
    actor text not null, day text not null, address text not null, client text not null, uses bigint not null,
    first_at bigint not null, last_at bigint not null,
    constraint token_use_key primary key (actor, day, address, client))`);

export interface TaskEventTables {
  /** An event of a task that a program asked: text or progress. */
  task_event: {
    task_id: string;
    /** Larger than those of earlier events of the task. */
    seq: number;
    /** Unix milliseconds, by the database's clock. */
    at: number;
    /** Digest of the program that asked. */
    team: string | null;
    /** The event as JSON, sealed if `DATA_KEYS` is set. */
    event: string;
  };
}

export const taskEventsStep = sqlStep(`
  create table task_event (
    task_id text not null, seq bigint not null, at bigint not null, team text, event text not null,
    constraint task_event_key primary key (task_id, seq));
  create index task_event_at on task_event (at);
  create index task_event_by_team on task_event (team)`);

/** A session of the console. Times are Unix milliseconds, by the database's clock. */
export interface SessionTable {
  /** SHA-256 of the cookie, hex. The cookie itself is not stored. */
  digest: string;
  /** Names the session in the audit log. */
  id: string;
  /** The issuer, and the person's subject there. */
  iss: string;
  sub: string;
  /** The session at the provider; null when it names none. */
  sid: string | null;
  /** What the claims said, a `Person` as JSON. */
  person: string;
  /** The ID token, sealed, for the sign-out at the provider; null without `DATA_KEYS`, and after the session. */
  id_token: string | null;
  created_at: number;
  /** The last request, at most a minute old. */
  seen_at: number;
  ended_at: number | null;
}

export interface SessionTables {
  session: SessionTable;
  /** What counts once: states of sign-ins, and ids of logout tokens. Times are as in `session`. */
  used_once: {
    id: string;
    /** From then on it is rejected for its age. */
    expires_at: number;
  };
}

export const sessionsStep = sqlStep(`
  create table session (
    digest text primary key, id text not null, iss text not null, sub text not null, sid text, person text not null,
    id_token text, created_at bigint not null, seen_at bigint not null, ended_at bigint);
  create index session_by_person on session (iss, sub);
  create index session_by_age on session (created_at);
  create table used_once (id text primary key, expires_at bigint not null);
  create index used_once_by_expiry on used_once (expires_at)`);
