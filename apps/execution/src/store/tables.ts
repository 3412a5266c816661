import type { AgentCountTables, AgentTables } from "@crosszone/agent-bridge";
import type { ExecutionJobTables } from "@crosszone/agent-calls";
import type { ToolOutcome } from "@crosszone/assistant";
import type { AuditTables } from "@crosszone/audit";
import type { FireSource, FireState, MessageState, ScheduleSource, ScheduleState } from "@crosszone/contracts";
import type { DeadLetterTables } from "@crosszone/kafka-gateway";
import type { DataKeyTables } from "@crosszone/ops/data";
import type { WorkflowTables } from "@crosszone/workflow";
import type { PeopleTables } from "./people-tables.ts";

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

/** The tables of the execution zone, with those of its packages. */
export interface ExecutionTables
  extends
    AgentCountTables,
    AgentTables,
    AuditTables,
    DataKeyTables,
    DeadLetterTables,
    ExecutionJobTables,
    PeopleTables,
    WorkflowTables {
  schedule: ScheduleTable;
  fire: FireTable;
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
