/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
import type * as Types from "./types.ts";

/** The operations of the API, as a client asks for them, by `operationId`: what each takes, and what it answers. */
export interface Operations {
  getDocument: { params: undefined; query: undefined; headers: undefined; body: undefined; result: object };
  getSession: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: undefined;
    result: {
      actor: string;
      scopes: Types.TokenScope[];
      expires_at?: string;
      name?: string;
      roles?: string[];
      slack_user?: string;
    };
  };
  listAgents: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      waiting?: boolean | undefined;
      protocol?: string | undefined;
      enabled?: boolean | undefined;
      q?: string | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.AgentList;
  };
  createAgent: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: Types.AgentSettings;
    result: Types.AgentRecord;
  };
  testAgent: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: Types.AgentTestRequest;
    result: Types.AgentTest;
  };
  migrateAgents: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: Types.AgentMigrationRequest;
    result: Types.AgentMigration;
  };
  rollBackMigration: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.AgentMigration;
  };
  getAgent: {
    params: { name: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.AgentRecord;
  };
  changeAgent: {
    params: { name: string };
    query: undefined;
    headers: { "if-match"?: string | undefined };
    body: object;
    result: Types.AgentRecord;
  };
  deleteAgent: {
    params: { name: string };
    query: undefined;
    headers: { "if-match"?: string | undefined };
    body: undefined;
    result: undefined;
  };
  disableAgent: {
    params: { name: string };
    query: undefined;
    headers: { "if-match"?: string | undefined };
    body: undefined;
    result: Types.AgentRecord;
  };
  enableAgent: {
    params: { name: string };
    query: undefined;
    headers: { "if-match"?: string | undefined };
    body: undefined;
    result: Types.AgentRecord;
  };
  checkAgent: {
    params: { name: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.AgentHealth;
  };
  checkAgentConformance: {
    params: { name: string };
    query: { protocol?: string | undefined };
    headers: undefined;
    body: undefined;
    result: Types.ConformanceReport;
  };
  rollBackAgent: {
    params: { name: string };
    query: undefined;
    headers: { "if-match"?: string | undefined };
    body: undefined;
    result: Types.AgentRecord;
  };
  listFailedCalls: {
    params: { name: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    headers: undefined;
    body: undefined;
    result: Types.AgentFailedCallList;
  };
  listAudit: {
    params: { name: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    headers: undefined;
    body: undefined;
    result: Types.AgentAuditList;
  };
  listMcpServers: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.McpServerList;
  };
  approveMcpTools: {
    params: { server: string };
    query: undefined;
    headers: undefined;
    body: Types.McpApproval;
    result: Types.McpServer;
  };
  listTasks: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      since?: Types.Timestamp | undefined;
      until?: Types.Timestamp | undefined;
      person?: string | undefined;
      open?: boolean | undefined;
      id?: string | undefined;
      state?: Types.TaskState | undefined;
      agent?: Types.AgentName | undefined;
      correlation_id?: Types.CorrelationId | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.TaskList;
  };
  getTask: {
    params: { task_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.TaskRecord;
  };
  listMessages: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      since?: Types.Timestamp | undefined;
      until?: Types.Timestamp | undefined;
      person?: string | undefined;
      reference?: Types.CorrelationId | undefined;
      channel?: string | undefined;
      ts?: string | undefined;
      state?: Types.MessageStanding | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.MessageList;
  };
  getMessage: {
    params: { reference: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.MessageLife;
  };
  listInputRequests: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      since?: Types.Timestamp | undefined;
      until?: Types.Timestamp | undefined;
      person?: string | undefined;
      open?: boolean | undefined;
      id?: string | undefined;
      state?: Types.InputState | undefined;
      task_id?: Types.TaskId | undefined;
      run_id?: Types.RunId | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.InputRequestList;
  };
  getInputRequest: {
    params: { request_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.InputRequest;
  };
  answerInputRequest: {
    params: { request_id: string };
    query: undefined;
    headers: undefined;
    body: Types.InputDecision;
    result: Types.AnswerInputResult;
  };
  withdrawInputRequest: {
    params: { request_id: string };
    query: undefined;
    headers: undefined;
    body: Types.InputWithdrawal | undefined;
    result: Types.InputRequest;
  };
  getInputReceipt: {
    params: { request_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.AuditReceipt;
  };
  getUsage: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      by?: Types.UsageGrouping | undefined;
      since?: Types.Timestamp | undefined;
      until?: Types.Timestamp | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.UsageReport;
  };
  listBudgets: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.UsageBudgetList;
  };
  listWorkflows: {
    params: undefined;
    query: { limit?: number | undefined; cursor?: string | undefined };
    headers: undefined;
    body: undefined;
    result: Types.WorkflowList;
  };
  createWorkflowVersion: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: Types.WorkflowDefinition;
    result: Types.WorkflowRecord;
  };
  validateWorkflow: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: unknown;
    result: Types.WorkflowReport;
  };
  getWorkflow: {
    params: { workflow_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.WorkflowRecord;
  };
  listWorkflowVersions: {
    params: { workflow_id: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    headers: undefined;
    body: undefined;
    result: Types.WorkflowList;
  };
  getWorkflowVersion: {
    params: { workflow_id: string; version: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.WorkflowRecord;
  };
  publishEvent: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: Types.PublishEventRequest;
    result: Types.PublishedEvent;
  };
  listRuns: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      since?: Types.Timestamp | undefined;
      until?: Types.Timestamp | undefined;
      person?: string | undefined;
      open?: boolean | undefined;
      id?: string | undefined;
      workflow_id?: Types.WorkflowId | undefined;
      state?: Types.RunState | undefined;
      waiting?: boolean | undefined;
      correlation_id?: Types.CorrelationId | undefined;
      redact?: boolean | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.RunList;
  };
  startRun: {
    params: undefined;
    query: undefined;
    headers: { "idempotency-key"?: string | undefined; traceparent?: string | undefined };
    body: Types.StartRunRequest;
    result: Types.WorkflowRunSummary;
  };
  getRun: {
    params: { run_id: string };
    query: { redact?: boolean | undefined };
    headers: undefined;
    body: undefined;
    result: Types.WorkflowRun;
  };
  getRunGraph: {
    params: { run_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.RunGraph;
  };
  listStepAttempts: {
    params: { run_id: string };
    query: { path: Types.StepPath; redact?: boolean | undefined };
    headers: undefined;
    body: undefined;
    result: Types.StepAttempts;
  };
  watchRun: {
    params: { run_id: string };
    query: { redact?: boolean | undefined };
    headers: { "last-event-id"?: string | undefined };
    body: undefined;
    result: Types.WorkflowRunEvent;
  };
  cancelRun: {
    params: { run_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.WorkflowRunSummary;
  };
  retryRun: {
    params: { run_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.WorkflowRunSummary;
  };
  listTokens: { params: undefined; query: undefined; headers: undefined; body: undefined; result: Types.ApiTokenList };
  createToken: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: Types.CreateTokenRequest;
    result: Types.CreatedToken;
  };
  revokeToken: { params: { name: string }; query: undefined; headers: undefined; body: undefined; result: undefined };
  listTokenUses: {
    params: undefined;
    query: { limit?: number | undefined; actor?: string | undefined };
    headers: undefined;
    body: undefined;
    result: Types.TokenUseList;
  };
  listAuditEvents: {
    params: undefined;
    query: {
      limit?: number | undefined;
      actor?: string | undefined;
      action?: string | undefined;
      target?: string | undefined;
      reads?: boolean | undefined;
      since?: Types.Timestamp | undefined;
      until?: Types.Timestamp | undefined;
      cursor?: string | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.AuditEventList;
  };
  getAuditReceipt: {
    params: { event_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.AuditReceipt;
  };
  exportAudit: {
    params: undefined;
    query: { format?: "jsonl" | "ocsf" | undefined };
    headers: undefined;
    body: undefined;
    result: string;
  };
  getAuditCheckpoint: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.AuditHead;
  };
  listBulkActions: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.BulkActionList;
  };
  startBulkAction: {
    params: undefined;
    query: undefined;
    headers: { "idempotency-key"?: string | undefined };
    body: Types.StartBulkActionRequest;
    result: Types.BulkAction;
  };
  getBulkAction: {
    params: { bulk_action_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.BulkAction;
  };
  stopBulkAction: {
    params: { bulk_action_id: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.BulkAction;
  };
  listDeadLetters: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.DeadLetterList;
  };
  listSchedules: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      owner?: string | undefined;
      state?: Types.ScheduleState | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.ScheduleList;
  };
  createSchedule: {
    params: undefined;
    query: undefined;
    headers: undefined;
    body: Types.NewSchedule;
    result: Types.Schedule;
  };
  getSchedule: {
    params: { name: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.Schedule;
  };
  changeSchedule: {
    params: { name: string };
    query: undefined;
    headers: undefined;
    body: Types.ScheduleSettings;
    result: Types.Schedule;
  };
  removeSchedule: {
    params: { name: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: undefined;
  };
  pauseSchedule: {
    params: { name: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.Schedule;
  };
  resumeSchedule: {
    params: { name: string };
    query: undefined;
    headers: undefined;
    body: undefined;
    result: Types.Schedule;
  };
  fireSchedule: { params: { name: string }; query: undefined; headers: undefined; body: undefined; result: Types.Fire };
  listFires: {
    params: undefined;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      source?: Types.FireSource | undefined;
      name?: string | undefined;
      state?: Types.FireState | undefined;
    };
    headers: undefined;
    body: undefined;
    result: Types.FireList;
  };
  listHooks: { params: undefined; query: undefined; headers: undefined; body: undefined; result: Types.HookList };
}

export type OperationId = keyof Operations;

/** The operations of each part of the API. */
export interface ApiParts {
  registry:
    | "listAgents"
    | "createAgent"
    | "testAgent"
    | "migrateAgents"
    | "rollBackMigration"
    | "getAgent"
    | "changeAgent"
    | "deleteAgent"
    | "disableAgent"
    | "enableAgent"
    | "checkAgent"
    | "checkAgentConformance"
    | "rollBackAgent"
    | "listFailedCalls"
    | "listAudit";
  mcp: "listMcpServers" | "approveMcpTools";
  task: "listTasks" | "getTask" | "listMessages" | "getMessage";
  input: "listInputRequests" | "getInputRequest" | "answerInputRequest" | "withdrawInputRequest" | "getInputReceipt";
  usage: "getUsage" | "listBudgets";
  workflow:
    | "listWorkflows"
    | "createWorkflowVersion"
    | "validateWorkflow"
    | "getWorkflow"
    | "listWorkflowVersions"
    | "getWorkflowVersion"
    | "publishEvent"
    | "listRuns"
    | "startRun"
    | "getRun"
    | "getRunGraph"
    | "listStepAttempts"
    | "watchRun"
    | "cancelRun"
    | "retryRun";
  token: "listTokens" | "createToken" | "revokeToken" | "listTokenUses";
  audit: "listAuditEvents" | "getAuditReceipt" | "exportAudit" | "getAuditCheckpoint";
  bulk: "listBulkActions" | "startBulkAction" | "getBulkAction" | "stopBulkAction" | "listDeadLetters";
  schedule:
    | "listSchedules"
    | "createSchedule"
    | "getSchedule"
    | "changeSchedule"
    | "removeSchedule"
    | "pauseSchedule"
    | "resumeSchedule"
    | "fireSchedule"
    | "listFires";
  hook: "listHooks";
}

/** What the handler of an operation gets: the query with its defaults, times as Unix milliseconds and the sort key of its cursor; and the body. */
export interface ServedOperations {
  getDocument: { query: object; body: undefined };
  getSession: { query: object; body: undefined };
  listAgents: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [string] | undefined;
      readonly waiting: boolean | undefined;
      readonly protocol: string | undefined;
      readonly enabled: boolean | undefined;
      readonly q: string | undefined;
    };
    body: undefined;
  };
  createAgent: { query: object; body: unknown };
  testAgent: { query: object; body: Types.AgentTestRequest };
  migrateAgents: { query: object; body: Types.AgentMigrationRequest };
  rollBackMigration: { query: object; body: undefined };
  getAgent: { query: object; body: undefined };
  changeAgent: { query: object; body: unknown };
  deleteAgent: { query: object; body: undefined };
  disableAgent: { query: object; body: undefined };
  enableAgent: { query: object; body: undefined };
  checkAgent: { query: object; body: undefined };
  checkAgentConformance: { query: { readonly protocol: string | undefined }; body: undefined };
  rollBackAgent: { query: object; body: undefined };
  listFailedCalls: {
    query: { readonly limit: number; readonly cursor: readonly [number, string] | undefined };
    body: undefined;
  };
  listAudit: { query: { readonly limit: number; readonly cursor: readonly [number] | undefined }; body: undefined };
  listMcpServers: { query: object; body: undefined };
  approveMcpTools: { query: object; body: Types.McpApproval };
  listTasks: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [number, string] | undefined;
      readonly since: number | undefined;
      readonly until: number | undefined;
      readonly person: string | undefined;
      readonly open: boolean | undefined;
      readonly id: string | undefined;
      readonly state: Types.TaskState | undefined;
      readonly agent: Types.AgentName | undefined;
      readonly correlation_id: Types.CorrelationId | undefined;
    };
    body: undefined;
  };
  getTask: { query: object; body: undefined };
  listMessages: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [number, string] | undefined;
      readonly since: number | undefined;
      readonly until: number | undefined;
      readonly person: string | undefined;
      readonly reference: Types.CorrelationId | undefined;
      readonly channel: string | undefined;
      readonly ts: string | undefined;
      readonly state: Types.MessageStanding | undefined;
    };
    body: undefined;
  };
  getMessage: { query: object; body: undefined };
  listInputRequests: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [number] | undefined;
      readonly since: number | undefined;
      readonly until: number | undefined;
      readonly person: string | undefined;
      readonly open: boolean | undefined;
      readonly id: string | undefined;
      readonly state: Types.InputState | undefined;
      readonly task_id: Types.TaskId | undefined;
      readonly run_id: Types.RunId | undefined;
    };
    body: undefined;
  };
  getInputRequest: { query: object; body: undefined };
  answerInputRequest: { query: object; body: Types.InputDecision };
  withdrawInputRequest: { query: object; body: Types.InputWithdrawal | undefined };
  getInputReceipt: { query: object; body: undefined };
  getUsage: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [number] | undefined;
      readonly by: Types.UsageGrouping;
      readonly since: number | undefined;
      readonly until: number | undefined;
    };
    body: undefined;
  };
  listBudgets: { query: object; body: undefined };
  listWorkflows: { query: { readonly limit: number; readonly cursor: readonly [string] | undefined }; body: undefined };
  createWorkflowVersion: { query: object; body: unknown };
  validateWorkflow: { query: object; body: unknown };
  getWorkflow: { query: object; body: undefined };
  listWorkflowVersions: {
    query: { readonly limit: number; readonly cursor: readonly [number] | undefined };
    body: undefined;
  };
  getWorkflowVersion: { query: object; body: undefined };
  publishEvent: { query: object; body: Types.PublishEventRequest };
  listRuns: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [number, string] | undefined;
      readonly since: number | undefined;
      readonly until: number | undefined;
      readonly person: string | undefined;
      readonly open: boolean | undefined;
      readonly id: string | undefined;
      readonly workflow_id: Types.WorkflowId | undefined;
      readonly state: Types.RunState | undefined;
      readonly waiting: boolean | undefined;
      readonly correlation_id: Types.CorrelationId | undefined;
      readonly redact: boolean;
    };
    body: undefined;
  };
  startRun: { query: object; body: Types.StartRunRequest };
  getRun: { query: { readonly redact: boolean }; body: undefined };
  getRunGraph: { query: object; body: undefined };
  listStepAttempts: { query: { readonly path: Types.StepPath; readonly redact: boolean }; body: undefined };
  watchRun: { query: { readonly redact: boolean }; body: undefined };
  cancelRun: { query: object; body: undefined };
  retryRun: { query: object; body: undefined };
  listTokens: { query: object; body: undefined };
  createToken: { query: object; body: Types.CreateTokenRequest };
  revokeToken: { query: object; body: undefined };
  listTokenUses: { query: { readonly limit: number; readonly actor: string | undefined }; body: undefined };
  listAuditEvents: {
    query: {
      readonly limit: number;
      readonly actor: string | undefined;
      readonly action: string | undefined;
      readonly target: string | undefined;
      readonly reads: boolean | undefined;
      readonly since: number | undefined;
      readonly until: number | undefined;
      readonly cursor: readonly [number] | undefined;
    };
    body: undefined;
  };
  getAuditReceipt: { query: object; body: undefined };
  exportAudit: { query: { readonly format: "jsonl" | "ocsf" }; body: undefined };
  getAuditCheckpoint: { query: object; body: undefined };
  listBulkActions: { query: object; body: undefined };
  startBulkAction: { query: object; body: Types.StartBulkActionRequest };
  getBulkAction: { query: object; body: undefined };
  stopBulkAction: { query: object; body: undefined };
  listDeadLetters: { query: object; body: undefined };
  listSchedules: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [string] | undefined;
      readonly owner: string | undefined;
      readonly state: Types.ScheduleState | undefined;
    };
    body: undefined;
  };
  createSchedule: { query: object; body: unknown };
  getSchedule: { query: object; body: undefined };
  changeSchedule: { query: object; body: unknown };
  removeSchedule: { query: object; body: undefined };
  pauseSchedule: { query: object; body: undefined };
  resumeSchedule: { query: object; body: undefined };
  fireSchedule: { query: object; body: undefined };
  listFires: {
    query: {
      readonly limit: number;
      readonly cursor: readonly [number, string] | undefined;
      readonly source: Types.FireSource | undefined;
      readonly name: string | undefined;
      readonly state: Types.FireState | undefined;
    };
    body: undefined;
  };
  listHooks: { query: object; body: undefined };
}

/** How an operation is asked for. */
export interface OperationRow {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`, with `{name}` for each member of `params`. */
  readonly path: string;
  /** The names of the query's parameters. */
  readonly query: readonly string[];
  /** The media type of the body. */
  readonly type?: string;
  /** The media type of the answer: JSON, lines, or events. Absent when there is no body. */
  readonly answer?: string;
}

export const operations: { readonly [Id in OperationId]: OperationRow } = {
  getDocument: { method: "GET", path: "/openapi.json", query: [], answer: "application/json" },
  getSession: { method: "GET", path: "/session", query: [], answer: "application/json" },
  listAgents: {
    method: "GET",
    path: "/agents",
    query: ["limit", "cursor", "waiting", "protocol", "enabled", "q"],
    answer: "application/json",
  },
  createAgent: { method: "POST", path: "/agents", query: [], type: "application/json", answer: "application/json" },
  testAgent: { method: "POST", path: "/agent-tests", query: [], type: "application/json", answer: "application/json" },
  migrateAgents: {
    method: "POST",
    path: "/agent-migrations",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  rollBackMigration: { method: "POST", path: "/agent-migrations/rollback", query: [], answer: "application/json" },
  getAgent: { method: "GET", path: "/agents/{name}", query: [], answer: "application/json" },
  changeAgent: {
    method: "PATCH",
    path: "/agents/{name}",
    query: [],
    type: "application/merge-patch+json",
    answer: "application/json",
  },
  deleteAgent: { method: "DELETE", path: "/agents/{name}", query: [] },
  disableAgent: { method: "POST", path: "/agents/{name}/disable", query: [], answer: "application/json" },
  enableAgent: { method: "POST", path: "/agents/{name}/enable", query: [], answer: "application/json" },
  checkAgent: { method: "POST", path: "/agents/{name}/health", query: [], answer: "application/json" },
  checkAgentConformance: {
    method: "POST",
    path: "/agents/{name}/conformance",
    query: ["protocol"],
    answer: "application/json",
  },
  rollBackAgent: { method: "POST", path: "/agents/{name}/rollback", query: [], answer: "application/json" },
  listFailedCalls: {
    method: "GET",
    path: "/agents/{name}/failed-calls",
    query: ["limit", "cursor"],
    answer: "application/json",
  },
  listAudit: { method: "GET", path: "/agents/{name}/audit", query: ["limit", "cursor"], answer: "application/json" },
  listMcpServers: { method: "GET", path: "/mcp-servers", query: [], answer: "application/json" },
  approveMcpTools: {
    method: "POST",
    path: "/mcp-servers/{server}/approve",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  listTasks: {
    method: "GET",
    path: "/tasks",
    query: ["limit", "cursor", "since", "until", "person", "open", "id", "state", "agent", "correlation_id"],
    answer: "application/json",
  },
  getTask: { method: "GET", path: "/tasks/{task_id}", query: [], answer: "application/json" },
  listMessages: {
    method: "GET",
    path: "/messages",
    query: ["limit", "cursor", "since", "until", "person", "reference", "channel", "ts", "state"],
    answer: "application/json",
  },
  getMessage: { method: "GET", path: "/messages/{reference}", query: [], answer: "application/json" },
  listInputRequests: {
    method: "GET",
    path: "/input-requests",
    query: ["limit", "cursor", "since", "until", "person", "open", "id", "state", "task_id", "run_id"],
    answer: "application/json",
  },
  getInputRequest: { method: "GET", path: "/input-requests/{request_id}", query: [], answer: "application/json" },
  answerInputRequest: {
    method: "POST",
    path: "/input-requests/{request_id}/answer",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  withdrawInputRequest: {
    method: "POST",
    path: "/input-requests/{request_id}/withdraw",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  getInputReceipt: {
    method: "GET",
    path: "/input-requests/{request_id}/receipt",
    query: [],
    answer: "application/json",
  },
  getUsage: {
    method: "GET",
    path: "/usage",
    query: ["limit", "cursor", "by", "since", "until"],
    answer: "application/json",
  },
  listBudgets: { method: "GET", path: "/usage/budgets", query: [], answer: "application/json" },
  listWorkflows: { method: "GET", path: "/workflows", query: ["limit", "cursor"], answer: "application/json" },
  createWorkflowVersion: {
    method: "POST",
    path: "/workflows",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  validateWorkflow: {
    method: "POST",
    path: "/workflows/validate",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  getWorkflow: { method: "GET", path: "/workflows/{workflow_id}", query: [], answer: "application/json" },
  listWorkflowVersions: {
    method: "GET",
    path: "/workflows/{workflow_id}/versions",
    query: ["limit", "cursor"],
    answer: "application/json",
  },
  getWorkflowVersion: {
    method: "GET",
    path: "/workflows/{workflow_id}/versions/{version}",
    query: [],
    answer: "application/json",
  },
  publishEvent: { method: "POST", path: "/events", query: [], type: "application/json", answer: "application/json" },
  listRuns: {
    method: "GET",
    path: "/runs",
    query: [
      "limit",
      "cursor",
      "since",
      "until",
      "person",
      "open",
      "id",
      "workflow_id",
      "state",
      "waiting",
      "correlation_id",
      "redact",
    ],
    answer: "application/json",
  },
  startRun: { method: "POST", path: "/runs", query: [], type: "application/json", answer: "application/json" },
  getRun: { method: "GET", path: "/runs/{run_id}", query: ["redact"], answer: "application/json" },
  getRunGraph: { method: "GET", path: "/runs/{run_id}/graph", query: [], answer: "application/json" },
  listStepAttempts: {
    method: "GET",
    path: "/runs/{run_id}/attempts",
    query: ["path", "redact"],
    answer: "application/json",
  },
  watchRun: { method: "GET", path: "/runs/{run_id}/events", query: ["redact"], answer: "text/event-stream" },
  cancelRun: { method: "POST", path: "/runs/{run_id}/cancel", query: [], answer: "application/json" },
  retryRun: { method: "POST", path: "/runs/{run_id}/retry", query: [], answer: "application/json" },
  listTokens: { method: "GET", path: "/tokens", query: [], answer: "application/json" },
  createToken: { method: "POST", path: "/tokens", query: [], type: "application/json", answer: "application/json" },
  revokeToken: { method: "DELETE", path: "/tokens/{name}", query: [] },
  listTokenUses: { method: "GET", path: "/token-uses", query: ["limit", "actor"], answer: "application/json" },
  listAuditEvents: {
    method: "GET",
    path: "/audit/events",
    query: ["limit", "actor", "action", "target", "reads", "since", "until", "cursor"],
    answer: "application/json",
  },
  getAuditReceipt: { method: "GET", path: "/audit/events/{event_id}/receipt", query: [], answer: "application/json" },
  exportAudit: { method: "GET", path: "/audit/export", query: ["format"], answer: "application/x-ndjson" },
  getAuditCheckpoint: { method: "GET", path: "/audit/checkpoint", query: [], answer: "application/json" },
  listBulkActions: { method: "GET", path: "/bulk-actions", query: [], answer: "application/json" },
  startBulkAction: {
    method: "POST",
    path: "/bulk-actions",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  getBulkAction: { method: "GET", path: "/bulk-actions/{bulk_action_id}", query: [], answer: "application/json" },
  stopBulkAction: {
    method: "POST",
    path: "/bulk-actions/{bulk_action_id}/stop",
    query: [],
    answer: "application/json",
  },
  listDeadLetters: { method: "GET", path: "/dead-letters", query: [], answer: "application/json" },
  listSchedules: {
    method: "GET",
    path: "/schedules",
    query: ["limit", "cursor", "owner", "state"],
    answer: "application/json",
  },
  createSchedule: {
    method: "POST",
    path: "/schedules",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  getSchedule: { method: "GET", path: "/schedules/{name}", query: [], answer: "application/json" },
  changeSchedule: {
    method: "PATCH",
    path: "/schedules/{name}",
    query: [],
    type: "application/json",
    answer: "application/json",
  },
  removeSchedule: { method: "DELETE", path: "/schedules/{name}", query: [] },
  pauseSchedule: { method: "POST", path: "/schedules/{name}/pause", query: [], answer: "application/json" },
  resumeSchedule: { method: "POST", path: "/schedules/{name}/resume", query: [], answer: "application/json" },
  fireSchedule: { method: "POST", path: "/schedules/{name}/fire", query: [], answer: "application/json" },
  listFires: {
    method: "GET",
    path: "/fires",
    query: ["limit", "cursor", "source", "name", "state"],
    answer: "application/json",
  },
  listHooks: { method: "GET", path: "/hooks", query: [], answer: "application/json" },
};

/** Why the API refuses a request. */
export type ProblemKind =
  | "malformed_request"
  | "unauthorized"
  | "missing_scope"
  | "foreign_request"
  | "api_off"
  | "not_found"
  | "method_not_allowed"
  | "too_large"
  | "content_type"
  | "invalid_value"
  | "invalid_body"
  | "key_reused"
  | "too_many"
  | "too_much_stored"
  | "busy"
  | "internal"
  | "unavailable"
  | "agent_not_found"
  | "name_taken"
  | "declared_in_file"
  | "changed_meanwhile"
  | "not_compliant"
  | "nothing_to_restore"
  | "agent_unreadable"
  | "revision_mismatch"
  | "no_checks"
  | "mcp_server_not_found"
  | "mcp_tool_changed"
  | "task_not_found"
  | "message_not_found"
  | "input_request_not_found"
  | "not_a_decider"
  | "no_receipt"
  | "workflow_not_found"
  | "run_not_found"
  | "step_not_found"
  | "version_conflict"
  | "run_ended"
  | "run_not_failed"
  | "retry_useless"
  | "nobody_decides"
  | "too_many_watchers"
  | "not_granted"
  | "invalid_input"
  | "token_not_found"
  | "token_exists"
  | "too_many_tokens"
  | "above_creator"
  | "event_not_found"
  | "execution_unavailable"
  | "bulk_action_not_found"
  | "schedule_not_found"
  | "schedule_exists"
  | "schedule_of_file"
  | "cap_used_up"
  | "schedule_not_allowed";

/** A problem of RFC 9457: its status, its title, and what to do unless the refusal says it better. */
export interface ProblemRow {
  readonly status: number;
  readonly title: string;
  readonly advice: string;
}

export const problemTable: Readonly<Record<ProblemKind, ProblemRow>> = {
  malformed_request: { status: 400, title: "The request is malformed", advice: "Correct what `problems` names." },
  unauthorized: { status: 401, title: "A valid token is required", advice: "Send one token as Authorization: Bearer." },
  missing_scope: { status: 403, title: "A scope is missing", advice: "Use a token with the scope of the operation." },
  foreign_request: {
    status: 403,
    title: "The request may come from another site",
    advice: "Send it from the console itself.",
  },
  api_off: { status: 404, title: "The API is off", advice: "No token exists. Set ADMIN_TOKENS to turn the API on." },
  not_found: { status: 404, title: "Not found", advice: "See openapi.json for what is served." },
  method_not_allowed: { status: 405, title: "Method not allowed", advice: "Use a method that `Allow` names." },
  too_large: { status: 413, title: "The body is too large", advice: "Send a smaller body." },
  content_type: { status: 415, title: "Unsupported content type", advice: "Send JSON in UTF-8, not compressed." },
  invalid_value: { status: 422, title: "A value can't be kept", advice: "Correct what `problems` names." },
  invalid_body: { status: 422, title: "What was sent is not valid", advice: "Correct what `problems` names." },
  key_reused: {
    status: 422,
    title: "The idempotency key was used for another request",
    advice: "Repeat the same request, or use another key.",
  },
  too_many: { status: 429, title: "Too many requests with this token", advice: "Wait a little." },
  too_much_stored: { status: 429, title: "Too much is stored for this token", advice: "Try again later." },
  busy: { status: 429, title: "Too many requests at once", advice: "Other requests are waiting. Try again later." },
  internal: { status: 500, title: "Internal error", advice: "Look for the correlation id in the log." },
  unavailable: { status: 503, title: "The zone is unavailable", advice: "Try again later." },
  agent_not_found: { status: 404, title: "Agent not found", advice: "List the agents to see their names." },
  name_taken: {
    status: 409,
    title: "An agent with this name exists",
    advice: "Change that agent with PATCH, or choose another name.",
  },
  declared_in_file: { status: 409, title: "The agent is declared in a file", advice: "Change it in that file." },
  changed_meanwhile: { status: 409, title: "Others are changing the agent at the same time", advice: "Try again." },
  not_compliant: {
    status: 409,
    title: "The agent does not comply with the protocol",
    advice: "Correct what `problems` names.",
  },
  nothing_to_restore: {
    status: 409,
    title: "There is nothing to roll back to",
    advice: "The agent has not been moved since it was added or rolled back.",
  },
  agent_unreadable: {
    status: 409,
    title: "The agent's row can't be read",
    advice: "Delete it and create it again, or fix the row.",
  },
  revision_mismatch: {
    status: 412,
    title: "The agent has been changed",
    advice: "Read the agent again, and send its current ETag.",
  },
  no_checks: { status: 422, title: "The protocol has no checks", advice: "Choose a protocol that has checks." },
  mcp_server_not_found: {
    status: 404,
    title: "MCP server not found",
    advice: "List the MCP servers to see their names.",
  },
  mcp_tool_changed: {
    status: 409,
    title: "A tool's definition has changed",
    advice: "Nothing was approved. List the tools again, and review them.",
  },
  task_not_found: {
    status: 404,
    title: "Task not found",
    advice: "List the tasks to see their ids. Ended tasks are deleted after TASK_RETENTION.",
  },
  message_not_found: {
    status: 404,
    title: "Message not found",
    advice:
      "No message has this reference, and no task this reference or id. Messages are deleted after 30 days, or after TASK_RETENTION if that is longer; tasks after TASK_RETENTION.",
  },
  input_request_not_found: {
    status: 404,
    title: "Input request not found",
    advice: "List the input requests to see their ids.",
  },
  not_a_decider: { status: 403, title: "You are not a decider", advice: "Ask somebody who may decide." },
  no_receipt: { status: 404, title: "There is no receipt", advice: "Only what a person decided has one." },
  workflow_not_found: { status: 404, title: "Workflow not found", advice: "List the workflows to see their ids." },
  run_not_found: { status: 404, title: "Run not found", advice: "List the runs to see their ids." },
  step_not_found: {
    status: 404,
    title: "The run has no such step",
    advice: "Use the path of a step as listed in the run.",
  },
  version_conflict: {
    status: 409,
    title: "The version exists with different content",
    advice: "Store the content as a new version.",
  },
  run_ended: { status: 409, title: "The run can't be canceled", advice: "The run has already ended." },
  run_not_failed: {
    status: 409,
    title: "The run has not failed",
    advice: "Only failed or timed-out runs can be retried.",
  },
  retry_useless: {
    status: 409,
    title: "The run would fail the same way again",
    advice: "Fix the workflow, store it as a new version, and start a new run.",
  },
  nobody_decides: {
    status: 422,
    title: "Nobody can decide what the workflow asks",
    advice: "Name somebody who can decide.",
  },
  too_many_watchers: { status: 503, title: "Too many run watchers", advice: "Try again later, or poll the run." },
  not_granted: {
    status: 403,
    title: "The token may not use this",
    advice:
      "The section programs of EXECUTION_FILE lists what the token may ask and publish, and an event of a hook is published by others only if they are listed. Add it there, or use another token.",
  },
  invalid_input: {
    status: 422,
    title: "The input does not match the workflow's schema",
    advice: "Correct what `problems` names.",
  },
  token_not_found: { status: 404, title: "Token not found", advice: "List the tokens to see their names." },
  token_exists: {
    status: 409,
    title: "A token has or had this name",
    advice: "Choose another name. Names are not reused, because approvals and the audit log trust them.",
  },
  too_many_tokens: {
    status: 409,
    title: "There are too many live tokens",
    advice: "1,000 tokens are live. Revoke one first.",
  },
  above_creator: {
    status: 403,
    title: "A token can't create a token above itself",
    advice: "Leave out what your own token lacks.",
  },
  event_not_found: {
    status: 404,
    title: "Event not found",
    advice: "The event is unknown, or no checkpoint covers it yet.",
  },
  execution_unavailable: {
    status: 503,
    title: "The token can't be checked",
    advice: "Execution can't be reached. Try again in a moment.",
  },
  bulk_action_not_found: {
    status: 404,
    title: "Bulk action not found",
    advice: "List the bulk actions to see their ids.",
  },
  schedule_not_found: { status: 404, title: "Schedule not found", advice: "List the schedules to see their names." },
  schedule_exists: {
    status: 409,
    title: "A schedule has this name",
    advice: "Choose another name, or change that schedule.",
  },
  schedule_of_file: {
    status: 409,
    title: "The schedule is in the settings",
    advice: "Change it in the settings. It can be paused, resumed and fired here.",
  },
  cap_used_up: {
    status: 409,
    title: "The cap of the schedule has no room",
    advice: "Its cap counts UTC days. Raise it, or fire it tomorrow.",
  },
  schedule_not_allowed: {
    status: 409,
    title: "The owner of the schedule has not allowed it",
    advice: "Its owner allows it with a press in Slack. Resume it to ask again.",
  },
};
