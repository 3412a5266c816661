/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
import {
  isAgentAuditList,
  isAgentFailedCallList,
  isAgentHealth,
  isAgentList,
  isAgentMigration,
  isAgentRecord,
  isAgentTest,
  isAnswerInputResult,
  isApiTokenList,
  isAuditEventList,
  isAuditHead,
  isAuditReceipt,
  isBulkAction,
  isBulkActionList,
  isConformanceReport,
  isCreatedToken,
  isDeadLetterList,
  isFire,
  isFireList,
  isHookList,
  isInputRequest,
  isInputRequestList,
  isMcpServer,
  isMcpServerList,
  isMessageLife,
  isMessageList,
  isPublishedEvent,
  isRunGraph,
  isRunList,
  isSchedule,
  isScheduleList,
  isStepAttempts,
  isTaskList,
  isTaskRecord,
  isTokenUseList,
  isUsageBudgetList,
  isUsageReport,
  isWorkflowList,
  isWorkflowRecord,
  isWorkflowReport,
  isWorkflowRun,
  isWorkflowRunSummary,
  type OperationId,
  type Operations,
  type Validator,
} from "@crosszone/contracts";

/** What can become an option or an operand: a parameter of an operation, or a member of its body. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly required?: boolean;
  /** What it is, for people. */
  readonly says?: string;
  readonly type?: string;
  /** Its only values, or those of its items. */
  readonly names?: readonly string[];
  /** What it is when it is left out. */
  readonly initial?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

const isNothing: Validator<undefined> = (value): value is undefined => value === undefined;

/** The operations that answer with JSON of a type, or with nothing. */
export type Answered =
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
  | "listAudit"
  | "listMcpServers"
  | "approveMcpTools"
  | "listTasks"
  | "getTask"
  | "listMessages"
  | "getMessage"
  | "listInputRequests"
  | "getInputRequest"
  | "answerInputRequest"
  | "withdrawInputRequest"
  | "getInputReceipt"
  | "getUsage"
  | "listBudgets"
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
  | "cancelRun"
  | "retryRun"
  | "listTokens"
  | "createToken"
  | "revokeToken"
  | "listTokenUses"
  | "listAuditEvents"
  | "getAuditReceipt"
  | "getAuditCheckpoint"
  | "listBulkActions"
  | "startBulkAction"
  | "getBulkAction"
  | "stopBulkAction"
  | "listDeadLetters"
  | "listSchedules"
  | "createSchedule"
  | "getSchedule"
  | "changeSchedule"
  | "removeSchedule"
  | "pauseSchedule"
  | "resumeSchedule"
  | "fireSchedule"
  | "listFires"
  | "listHooks";

/** The validators of their answers. */
export const answers: { readonly [Id in Answered]: Validator<Operations[Id]["result"]> } = {
  listAgents: isAgentList,
  createAgent: isAgentRecord,
  testAgent: isAgentTest,
  migrateAgents: isAgentMigration,
  rollBackMigration: isAgentMigration,
  getAgent: isAgentRecord,
  changeAgent: isAgentRecord,
  deleteAgent: isNothing,
  disableAgent: isAgentRecord,
  enableAgent: isAgentRecord,
  checkAgent: isAgentHealth,
  checkAgentConformance: isConformanceReport,
  rollBackAgent: isAgentRecord,
  listFailedCalls: isAgentFailedCallList,
  listAudit: isAgentAuditList,
  listMcpServers: isMcpServerList,
  approveMcpTools: isMcpServer,
  listTasks: isTaskList,
  getTask: isTaskRecord,
  listMessages: isMessageList,
  getMessage: isMessageLife,
  listInputRequests: isInputRequestList,
  getInputRequest: isInputRequest,
  answerInputRequest: isAnswerInputResult,
  withdrawInputRequest: isInputRequest,
  getInputReceipt: isAuditReceipt,
  getUsage: isUsageReport,
  listBudgets: isUsageBudgetList,
  listWorkflows: isWorkflowList,
  createWorkflowVersion: isWorkflowRecord,
  validateWorkflow: isWorkflowReport,
  getWorkflow: isWorkflowRecord,
  listWorkflowVersions: isWorkflowList,
  getWorkflowVersion: isWorkflowRecord,
  publishEvent: isPublishedEvent,
  listRuns: isRunList,
  startRun: isWorkflowRunSummary,
  getRun: isWorkflowRun,
  getRunGraph: isRunGraph,
  listStepAttempts: isStepAttempts,
  cancelRun: isWorkflowRunSummary,
  retryRun: isWorkflowRunSummary,
  listTokens: isApiTokenList,
  createToken: isCreatedToken,
  revokeToken: isNothing,
  listTokenUses: isTokenUseList,
  listAuditEvents: isAuditEventList,
  getAuditReceipt: isAuditReceipt,
  getAuditCheckpoint: isAuditHead,
  listBulkActions: isBulkActionList,
  startBulkAction: isBulkAction,
  getBulkAction: isBulkAction,
  stopBulkAction: isBulkAction,
  listDeadLetters: isDeadLetterList,
  listSchedules: isScheduleList,
  createSchedule: isSchedule,
  getSchedule: isSchedule,
  changeSchedule: isSchedule,
  removeSchedule: isNothing,
  pauseSchedule: isSchedule,
  resumeSchedule: isSchedule,
  fireSchedule: isFire,
  listFires: isFireList,
  listHooks: isHookList,
};

/** What each operation does, and what it takes. */
export const operationFacts: {
  readonly [Id in OperationId]: { readonly summary: string; readonly parameters: readonly Parameter[] };
} = {
  getDocument: { summary: "Returns this document", parameters: [] },
  getSession: { summary: "Says who sends the request, and what they may do", parameters: [] },
  listAgents: {
    summary: "Lists agents by name",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      {
        name: "waiting",
        in: "query",
        says: "Only agents that questions wait for (true), or none (false).",
        type: "boolean",
      },
      { name: "protocol", in: "query", says: "Only agents of this protocol.", type: "string" },
      {
        name: "enabled",
        in: "query",
        says: "Only agents that are enabled (true) or disabled (false).",
        type: "boolean",
      },
      { name: "q", in: "query", says: "Only agents whose name or description contains this text.", type: "string" },
    ],
  },
  createAgent: {
    summary: "Adds an agent",
    parameters: [
      {
        name: "name",
        in: "body",
        required: true,
        says: "Name of an agent in the registry. 1 to 255 characters, no control characters.",
        type: "string",
      },
      {
        name: "url",
        in: "body",
        required: true,
        says: "URL of the agent, http or https. No credentials, no fragment.",
        type: "string",
      },
      { name: "description", in: "body", says: "What the agent can do, for people.", type: "string" },
      {
        name: "protocol",
        in: "body",
        says: "The agent's protocol: `auto` (the default; chosen from the agent card), `a2a-1.0`, `jsonrpc-2.0` (A2A 0.3), `simple-a2a`, or an adapter that was added.",
        type: "string",
      },
      { name: "protocol_config", in: "body", says: "Further settings of the agent's adapter.", type: "object" },
      {
        name: "auth",
        in: "body",
        says: "How Crosszone authenticates to an agent. Secrets are referenced, never included.",
        type: "object",
      },
      {
        name: "timeout_ms",
        in: "body",
        says: "Timeout of one call, milliseconds.",
        type: "integer",
        minimum: 100,
        maximum: 3600000,
      },
      {
        name: "max_concurrency",
        in: "body",
        says: "Maximum number of concurrent calls of one process to this agent.",
        type: "integer",
        minimum: 1,
        maximum: 1000,
      },
      {
        name: "retry",
        in: "body",
        says: "How Crosszone retries calls to an agent after transient failures.",
        type: "object",
      },
      {
        name: "breaker",
        in: "body",
        says: "When calls to a failing agent are suspended, and for how long.",
        type: "object",
      },
      { name: "enabled", in: "body", says: "Whether the agent gets tasks.", type: "boolean" },
      {
        name: "side_effects",
        in: "body",
        says: "Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.",
        type: "boolean",
      },
      {
        name: "send_thread",
        in: "body",
        says: "Whether the first message of a thread to the agent has the earlier messages of the thread, in its metadata. False when absent: the agent gets what the person wrote and nothing else.",
        type: "boolean",
      },
    ],
  },
  testAgent: {
    summary: "Fetches an agent's card, asks it a question, and shows the exchange",
    parameters: [
      {
        name: "agent",
        in: "body",
        says: "Name of an agent in the registry. 1 to 255 characters, no control characters.",
        type: "string",
      },
      {
        name: "url",
        in: "body",
        says: "URL of the agent, http or https. No credentials, no fragment.",
        type: "string",
      },
      {
        name: "protocol",
        in: "body",
        says: "The agent's protocol: `auto` (the default; chosen from the agent card), `a2a-1.0`, `jsonrpc-2.0` (A2A 0.3), `simple-a2a`, or an adapter that was added.",
        type: "string",
      },
      { name: "text", in: "body", required: true, says: "The question.", type: "string" },
    ],
  },
  migrateAgents: {
    summary: "Moves agents to another protocol, all or none",
    parameters: [
      {
        name: "to",
        in: "body",
        required: true,
        says: "The agent's protocol: `auto` (the default; chosen from the agent card), `a2a-1.0`, `jsonrpc-2.0` (A2A 0.3), `simple-a2a`, or an adapter that was added.",
        type: "string",
      },
      { name: "agents", in: "body", says: "The agents to move. Default: every enabled agent.", type: "array" },
      {
        name: "default",
        in: "body",
        says: "Whether new agents without a `protocol` get this one from now on. Requires that every enabled agent complies; can't be combined with `agents`.",
        type: "boolean",
      },
      { name: "dry_run", in: "body", says: "Whether to check only.", type: "boolean" },
      {
        name: "accept",
        in: "body",
        says: "Ids of checks that agents may fail, for known faults that you accept, for example of a library. The audit trail names them.",
        type: "array",
      },
    ],
  },
  rollBackMigration: { summary: "Undoes the last migration", parameters: [] },
  getAgent: {
    summary: "Returns one agent",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
    ],
  },
  changeAgent: {
    summary: "Changes an agent by a JSON merge patch, RFC 7396",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
    ],
  },
  deleteAgent: {
    summary: "Removes an agent",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
    ],
  },
  disableAgent: {
    summary: "Disables an agent: it gets no more tasks",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
    ],
  },
  enableAgent: {
    summary: "Enables an agent",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
    ],
  },
  checkAgent: {
    summary: "Probes an agent: fetches its agent card",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
    ],
  },
  checkAgentConformance: {
    summary: "Checks whether an agent complies with its protocol",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
      {
        name: "protocol",
        in: "query",
        says: "The protocol to check, such as the one to move the agent to. Default: the agent's protocol.",
        type: "string",
      },
    ],
  },
  rollBackAgent: {
    summary: "Restores the protocol and URL that an agent had before",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
    ],
  },
  listFailedCalls: {
    summary: "Lists the failed calls of an agent, newest first",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
    ],
  },
  listAudit: {
    summary: "Lists the changes of an agent, newest first",
    parameters: [
      { name: "name", in: "path", required: true, says: "Percent-encoded with `encodeURIComponent`.", type: "string" },
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
    ],
  },
  listMcpServers: { summary: "Lists the MCP servers and their tools", parameters: [] },
  approveMcpTools: {
    summary: "Pins the tool definitions that the server lists now",
    parameters: [
      { name: "server", in: "path", required: true, type: "string" },
      {
        name: "tools",
        in: "body",
        required: true,
        says: "The fingerprint of each tool by its name, as the server lists it now.",
        type: "object",
      },
    ],
  },
  listTasks: {
    summary: "Lists tasks, newest first",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      { name: "since", in: "query", says: "Only what was created from this time on.", type: "string" },
      { name: "until", in: "query", says: "Only what was created before this time.", type: "string" },
      {
        name: "person",
        in: "query",
        says: "Only what this person or program asked: a Slack user id, a name or a word of it, or as in `token:ci`.",
        type: "string",
      },
      {
        name: "open",
        in: "query",
        says: "Only what has not ended (true) or has (false). With the agent of tasks, also the tasks that wait for its calls.",
        type: "boolean",
      },
      {
        name: "id",
        in: "query",
        says: "Only what has an id that begins with this: what people see of an id is its beginning.",
        type: "string",
      },
      {
        name: "state",
        in: "query",
        says: "Only tasks in this state.",
        type: "string",
        names: ["submitted", "working", "input_required", "success", "error", "canceled", "timed_out"],
      },
      { name: "agent", in: "query", says: "Only tasks of this agent or workflow.", type: "string" },
      {
        name: "correlation_id",
        in: "query",
        says: "Only tasks with this correlation id, the reference that Slack shows.",
        type: "string",
      },
    ],
  },
  getTask: {
    summary: "Shows one task with its agent calls",
    parameters: [
      {
        name: "task_id",
        in: "path",
        required: true,
        says: "Identifies a task of the execution zone. Created by execution, not guessable.",
        type: "string",
      },
    ],
  },
  listMessages: {
    summary: "Finds messages, newest first",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      { name: "since", in: "query", says: "Only what was created from this time on.", type: "string" },
      { name: "until", in: "query", says: "Only what was created before this time.", type: "string" },
      {
        name: "person",
        in: "query",
        says: "Only what this person or program asked: a Slack user id, a name or a word of it, or as in `token:ci`.",
        type: "string",
      },
      { name: "reference", in: "query", says: "Only the message with this reference.", type: "string" },
      { name: "channel", in: "query", says: "Only messages in this Slack channel.", type: "string" },
      {
        name: "ts",
        in: "query",
        says: "Only the message with this timestamp, and the messages in its thread: `1732184531.000200`.",
        type: "string",
      },
      {
        name: "state",
        in: "query",
        says: "Only messages that stand so. With `person`, what is `waiting` is also what waits for that person.",
        type: "string",
        names: [
          "open",
          "waiting",
          "answered",
          "failed",
          "stopped",
          "no_question",
          "denied",
          "rejected",
          "parked",
          "given_up",
          "withdrawn",
          "discarded",
          "missed",
        ],
      },
    ],
  },
  getMessage: {
    summary: "Shows the whole life of a message",
    parameters: [
      {
        name: "reference",
        in: "path",
        required: true,
        says: "The reference of the message, the first four characters of it or more, or the id of one of its tasks.",
        type: "string",
      },
    ],
  },
  listInputRequests: {
    summary: "Lists input requests, latest change first",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      { name: "since", in: "query", says: "Only what was created from this time on.", type: "string" },
      { name: "until", in: "query", says: "Only what was created before this time.", type: "string" },
      {
        name: "person",
        in: "query",
        says: "Only what this person or program asked for, can decide or has voted on: a Slack user id, or as in `token:ci`. Of those who can decide, also a name or a word of it.",
        type: "string",
      },
      {
        name: "open",
        in: "query",
        says: "Only what has not ended (true) or has (false). With the agent of tasks, also the tasks that wait for its calls.",
        type: "boolean",
      },
      {
        name: "id",
        in: "query",
        says: "Only what has an id that begins with this: what people see of an id is its beginning.",
        type: "string",
      },
      {
        name: "state",
        in: "query",
        says: "Only requests in this state.",
        type: "string",
        names: ["open", "approved", "denied", "answered", "expired", "withdrawn", "used", "void"],
      },
      { name: "task_id", in: "query", says: "Only requests of this task.", type: "string" },
      { name: "run_id", in: "query", says: "Only requests of this workflow run.", type: "string" },
    ],
  },
  getInputRequest: {
    summary: "Shows one input request with its votes",
    parameters: [
      {
        name: "request_id",
        in: "path",
        required: true,
        says: "Identifies an input request. Created by execution, not guessable.",
        type: "string",
      },
    ],
  },
  answerInputRequest: {
    summary: "Answers an input request whose deciders name the token",
    parameters: [
      {
        name: "request_id",
        in: "path",
        required: true,
        says: "Identifies an input request. Created by execution, not guessable.",
        type: "string",
      },
      {
        name: "answer",
        in: "body",
        required: true,
        says: "An answer to an input request. `approve` and `deny` fit the kind `approve`; `deny` declines any other kind.",
        type: "object",
      },
      {
        name: "digest",
        in: "body",
        says: "The digest of the action that the answer approves. Needed for an approval of an action.",
        type: "string",
      },
    ],
  },
  withdrawInputRequest: {
    summary: "Withdraws an input request that is open, or voids its approval",
    parameters: [
      {
        name: "request_id",
        in: "path",
        required: true,
        says: "Identifies an input request. Created by execution, not guessable.",
        type: "string",
      },
      { name: "reason", in: "body", says: "Why, for the people who were asked and the requester.", type: "string" },
    ],
  },
  getInputReceipt: {
    summary: "Returns the audit event of a decision, with the proof that it is in the signed log",
    parameters: [
      {
        name: "request_id",
        in: "path",
        required: true,
        says: "Identifies an input request. Created by execution, not guessable.",
        type: "string",
      },
    ],
  },
  getUsage: {
    summary: "Sums the language model calls in a time range",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      {
        name: "by",
        in: "query",
        says: "How to group the calls.",
        type: "string",
        names: ["person", "channel", "team", "agent", "model", "schedule", "hook", "day"],
        initial: "model",
      },
      {
        name: "since",
        in: "query",
        says: "Start of the range. Default: the beginning of the month, in UTC, in which the range ends, or of this month.",
        type: "string",
      },
      {
        name: "until",
        in: "query",
        says: "End of the range, exclusive. Default: now. A range has at most 396 days.",
        type: "string",
      },
    ],
  },
  listBudgets: { summary: "Lists the language model budgets and their usage", parameters: [] },
  listWorkflows: {
    summary: "Lists workflows by id, each in its latest version",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
    ],
  },
  createWorkflowVersion: {
    summary: "Adds a version of a workflow",
    parameters: [
      {
        name: "workflow_id",
        in: "body",
        required: true,
        says: "Id of a workflow, chosen by its author. Agents and workflows share one namespace.",
        type: "string",
      },
      { name: "name", in: "body", required: true, says: "For people.", type: "string" },
      {
        name: "version",
        in: "body",
        required: true,
        says: "A version of a workflow. Stored versions never change.",
        type: "string",
      },
      { name: "description", in: "body", says: "For people.", type: "string" },
      {
        name: "input_schema",
        in: "body",
        says: "JSON Schema 2020-12 of the input. Without it, any input is valid.",
        type: "object",
      },
      {
        name: "start_step",
        in: "body",
        required: true,
        says: "Id of a step. Not `workflow`, `steps`, `item` or `index`: references use these words.",
        type: "string",
      },
      { name: "steps", in: "body", required: true, says: "The steps by id.", type: "object" },
      {
        name: "deadline_ms",
        in: "body",
        says: "Deadline of a run, milliseconds after its start.",
        type: "integer",
        minimum: 100,
        maximum: 604800000,
      },
      {
        name: "budget",
        in: "body",
        says: "The most that the prompt steps of a run may use of language models. A call beyond it fails its step.",
        type: "object",
      },
      {
        name: "side_effects",
        in: "body",
        says: "Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.",
        type: "boolean",
      },
      { name: "output_mapping", in: "body", type: "string" },
    ],
  },
  validateWorkflow: { summary: "Validates a definition without storing it", parameters: [] },
  getWorkflow: {
    summary: "Returns the latest version of a workflow",
    parameters: [{ name: "workflow_id", in: "path", required: true, says: "Id of the workflow.", type: "string" }],
  },
  listWorkflowVersions: {
    summary: "Lists the versions of a workflow, newest first",
    parameters: [
      { name: "workflow_id", in: "path", required: true, says: "Id of the workflow.", type: "string" },
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
    ],
  },
  getWorkflowVersion: {
    summary: "Returns one version of a workflow",
    parameters: [
      { name: "workflow_id", in: "path", required: true, says: "Id of the workflow.", type: "string" },
      { name: "version", in: "path", required: true, says: "Version of the workflow.", type: "string" },
    ],
  },
  publishEvent: {
    summary: "Publishes an event to the runs that wait for it",
    parameters: [
      {
        name: "name",
        in: "body",
        required: true,
        says: "Name of an event, chosen by the author of the workflow.",
        type: "string",
      },
      {
        name: "key",
        in: "body",
        required: true,
        says: "Tells events of one name apart, such as an order number.",
        type: "string",
      },
      {
        name: "id",
        in: "body",
        says: "Makes it safe to repeat the request: of a name and a key, each id is one event.",
        type: "string",
      },
      { name: "payload", in: "body", type: "string" },
    ],
  },
  listRuns: {
    summary: "Lists runs, newest first",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      { name: "since", in: "query", says: "Only what was created from this time on.", type: "string" },
      { name: "until", in: "query", says: "Only what was created before this time.", type: "string" },
      {
        name: "person",
        in: "query",
        says: "Only what this person or program asked: a Slack user id, a name or a word of it, or as in `token:ci`.",
        type: "string",
      },
      {
        name: "open",
        in: "query",
        says: "Only what has not ended (true) or has (false). With the agent of tasks, also the tasks that wait for its calls.",
        type: "boolean",
      },
      {
        name: "id",
        in: "query",
        says: "Only what has an id that begins with this: what people see of an id is its beginning.",
        type: "string",
      },
      { name: "workflow_id", in: "query", says: "Only runs of this workflow.", type: "string" },
      {
        name: "state",
        in: "query",
        says: "Only runs in this state.",
        type: "string",
        names: ["pending", "running", "succeeded", "failed", "canceled", "timed_out"],
      },
      {
        name: "waiting",
        in: "query",
        says: "Only runs that wait for people (true), or only others (false).",
        type: "boolean",
      },
      { name: "correlation_id", in: "query", says: "Only runs with this correlation id.", type: "string" },
      {
        name: "redact",
        in: "query",
        says: "Redacts and shortens the response for display. It hides probable secrets in inputs, outputs, errors, and the mappings and conditions of a definition, and cuts very long values.",
        type: "boolean",
        initial: false,
      },
    ],
  },
  startRun: {
    summary: "Starts a run of a workflow",
    parameters: [
      {
        name: "workflow_id",
        in: "body",
        required: true,
        says: "Id of a workflow, chosen by its author. Agents and workflows share one namespace.",
        type: "string",
      },
      { name: "version", in: "body", says: "A version of a workflow. Stored versions never change.", type: "string" },
      { name: "input", in: "body", type: "string" },
      {
        name: "deadline_ms",
        in: "body",
        says: "Shortens the definition's own timeout.",
        type: "integer",
        minimum: 100,
        maximum: 604800000,
      },
      {
        name: "correlation_id",
        in: "body",
        says: "Identifies one Slack message in both zones, their logs, the bus and every agent. Printable ASCII, no spaces.",
        type: "string",
      },
    ],
  },
  getRun: {
    summary: "Returns a run with all of its steps",
    parameters: [
      { name: "run_id", in: "path", required: true, says: "Id of the run.", type: "string" },
      {
        name: "redact",
        in: "query",
        says: "Redacts and shortens the response for display. It hides probable secrets in inputs, outputs, errors, and the mappings and conditions of a definition, and cuts very long values.",
        type: "boolean",
        initial: false,
      },
    ],
  },
  getRunGraph: {
    summary: "Returns the graph of a run's steps",
    parameters: [{ name: "run_id", in: "path", required: true, says: "Id of the run.", type: "string" }],
  },
  listStepAttempts: {
    summary: "Lists the attempts of one step instance, oldest first",
    parameters: [
      { name: "run_id", in: "path", required: true, says: "Id of the run.", type: "string" },
      { name: "path", in: "query", required: true, says: "Path of the step instance, as in the run.", type: "string" },
      {
        name: "redact",
        in: "query",
        says: "Redacts and shortens the response for display. It hides probable secrets in inputs, outputs, errors, and the mappings and conditions of a definition, and cuts very long values.",
        type: "boolean",
        initial: false,
      },
    ],
  },
  watchRun: {
    summary: "Streams the events of a run as server-sent events until the run is final",
    parameters: [
      { name: "run_id", in: "path", required: true, says: "Id of the run.", type: "string" },
      {
        name: "redact",
        in: "query",
        says: "Redacts and shortens the response for display. It hides probable secrets in inputs, outputs, errors, and the mappings and conditions of a definition, and cuts very long values.",
        type: "boolean",
        initial: false,
      },
    ],
  },
  cancelRun: {
    summary: "Cancels a run and its tasks at agents",
    parameters: [{ name: "run_id", in: "path", required: true, says: "Id of the run.", type: "string" }],
  },
  retryRun: {
    summary: "Retries a failed run from the failed step",
    parameters: [{ name: "run_id", in: "path", required: true, says: "Id of the run.", type: "string" }],
  },
  listTokens: { summary: "Lists the live API tokens", parameters: [] },
  createToken: {
    summary: "Creates an API token",
    parameters: [
      {
        name: "name",
        in: "body",
        required: true,
        says: "Names the holder of an API token. No two live tokens have the same name.",
        type: "string",
      },
      {
        name: "scopes",
        in: "body",
        required: true,
        type: "array",
        names: ["ask", "runs:read", "runs:act", "content:read", "agents:write", "audit:read", "tokens:write"],
      },
      { name: "expires_at", in: "body", says: "A time, RFC 3339. Without an offset it is UTC.", type: "string" },
      { name: "expires_in", in: "body", says: "Lifetime, seconds.", type: "integer", minimum: 1, maximum: 315360000 },
    ],
  },
  revokeToken: {
    summary: "Revokes an API token",
    parameters: [{ name: "name", in: "path", required: true, type: "string" }],
  },
  listTokenUses: {
    summary: "Lists who used which token, when and from where",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      { name: "actor", in: "query", says: "Only uses of this actor, such as token:ci.", type: "string" },
    ],
  },
  listAuditEvents: {
    summary: "Lists audit events, latest first",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "actor",
        in: "query",
        says: "Only events of this actor, as `type:id`, or of the person with this name or Slack id.",
        type: "string",
      },
      { name: "action", in: "query", says: "Only events of this action.", type: "string" },
      {
        name: "target",
        in: "query",
        says: "Only acts about this, as a type and an id, such as `run:7c9e`.",
        type: "string",
      },
      { name: "reads", in: "query", says: "False leaves out reads of content (`content.read`).", type: "boolean" },
      { name: "since", in: "query", says: "Only events from this time on.", type: "string" },
      { name: "until", in: "query", says: "Only events before this time.", type: "string" },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
    ],
  },
  getAuditReceipt: {
    summary: "Proves one audit event; 404 until a checkpoint covers it",
    parameters: [{ name: "event_id", in: "path", required: true, type: "string" }],
  },
  exportAudit: {
    summary: "Exports the audit log, one JSON object a line",
    parameters: [
      {
        name: "format",
        in: "query",
        says: "The form of the events.",
        type: "string",
        names: ["jsonl", "ocsf"],
        initial: "jsonl",
      },
    ],
  },
  getAuditCheckpoint: { summary: "Returns the signed head of the audit log", parameters: [] },
  listBulkActions: { summary: "Lists the latest bulk actions", parameters: [] },
  startBulkAction: {
    summary: "Does something with many items",
    parameters: [
      {
        name: "action",
        in: "body",
        required: true,
        says: "What a bulk action does with each of its items.",
        type: "string",
        names: [
          "run.cancel",
          "run.retry",
          "input_request.withdraw",
          "dead_letter.replay",
          "dead_letter.discard",
          "message.replay",
          "message.discard",
        ],
      },
      {
        name: "ids",
        in: "body",
        required: true,
        says: "The items, in the order in which the zone works on them. One that is named twice counts once.",
        type: "array",
      },
    ],
  },
  getBulkAction: {
    summary: "Returns a bulk action with its problems",
    parameters: [
      { name: "bulk_action_id", in: "path", required: true, says: "Id of the bulk action.", type: "string" },
    ],
  },
  stopBulkAction: {
    summary: "Stops a bulk action before its next item",
    parameters: [
      { name: "bulk_action_id", in: "path", required: true, says: "Id of the bulk action.", type: "string" },
    ],
  },
  listDeadLetters: { summary: "Lists the dead letters of the bus", parameters: [] },
  listSchedules: {
    summary: "Lists schedules by name",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      { name: "owner", in: "query", says: "Only schedules of this Slack user.", type: "string" },
      {
        name: "state",
        in: "query",
        says: "Only schedules in this state.",
        type: "string",
        names: ["active", "paused"],
      },
    ],
  },
  createSchedule: {
    summary: "Creates a schedule",
    parameters: [
      {
        name: "name",
        in: "body",
        required: true,
        says: "Name of a schedule or hook: lowercase letters, digits, dots, underscores and hyphens.",
        type: "string",
      },
      {
        name: "settings",
        in: "body",
        required: true,
        says: "When a schedule fires, what a fire asks, where the answer goes, and how much it may use. Either `cron` with `zone`, or `every_ms`. Either `text` or `input`; readers without `content:read` see neither.",
        type: "object",
      },
    ],
  },
  getSchedule: {
    summary: "Returns a schedule",
    parameters: [{ name: "name", in: "path", required: true, type: "string" }],
  },
  changeSchedule: {
    summary: "Replaces the settings of a schedule",
    parameters: [
      { name: "name", in: "path", required: true, type: "string" },
      { name: "title", in: "body", says: "For people.", type: "string" },
      {
        name: "owner",
        in: "body",
        required: true,
        says: "The person in Slack as whom it acts: the policy, the budgets and the approvals of this person apply.",
        type: "object",
      },
      {
        name: "cron",
        in: "body",
        says: "Five fields: minute, hour, day of month, month, day of week, as in `30 9 * * 1-5`. Days of month and of week that are both restricted mean either.",
        type: "string",
      },
      {
        name: "zone",
        in: "body",
        says: "Time zone of `cron`, a name of the IANA database such as `Europe/Berlin`.",
        type: "string",
      },
      {
        name: "every_ms",
        in: "body",
        says: "Interval, milliseconds, counted from when the schedule was created or its interval changed.",
        type: "integer",
        minimum: 60000,
        maximum: 31622400000,
      },
      { name: "agent", in: "body", required: true, says: "Name of the agent or workflow to ask.", type: "string" },
      { name: "text", in: "body", says: "The question.", type: "string" },
      {
        name: "input",
        in: "body",
        says: "The input of the workflow. Its JSON has at most 10,000 characters.",
        type: "object",
      },
      {
        name: "channel",
        in: "body",
        says: "Slack channel of the answer. Default: the owner's direct messages with the app.",
        type: "string",
      },
      {
        name: "thread_ts",
        in: "body",
        says: "Timestamp of the first message of the thread for all answers. Default: each fire begins a thread.",
        type: "string",
      },
      {
        name: "overlap",
        in: "body",
        says: "What happens when a fire is due and the one before has not ended. Default: `skip`.",
        type: "string",
        names: ["skip", "queue", "cancel"],
      },
      {
        name: "missed",
        in: "body",
        says: "What happens with fires that were due while no process ran, or were more than a minute late for another reason. Default: `once`.",
        type: "string",
        names: ["skip", "once", "all"],
      },
      {
        name: "missed_most",
        in: "body",
        says: "With `missed: all`, the most fires that start late. Default: 10.",
        type: "integer",
        minimum: 1,
        maximum: 100,
      },
      {
        name: "jitter_ms",
        in: "body",
        says: "Fires start up to this much later, always by the same amount for one schedule, so that schedules of the same minute spread. Milliseconds. Default: 30000.",
        type: "integer",
        minimum: 0,
        maximum: 3600000,
      },
      {
        name: "cap",
        in: "body",
        required: true,
        says: "The most that it may use in a UTC day. At least one member is required. Tokens and dollars count what language models use for it, and a model call that may exceed them is refused before it is made.",
        type: "object",
      },
      {
        name: "pause_after",
        in: "body",
        says: "Failed fires in a row after which the schedule is paused. Default: 5.",
        type: "integer",
        minimum: 1,
        maximum: 100,
      },
    ],
  },
  removeSchedule: {
    summary: "Removes a schedule",
    parameters: [{ name: "name", in: "path", required: true, type: "string" }],
  },
  pauseSchedule: {
    summary: "Pauses a schedule",
    parameters: [{ name: "name", in: "path", required: true, type: "string" }],
  },
  resumeSchedule: {
    summary: "Resumes a schedule from now on",
    parameters: [{ name: "name", in: "path", required: true, type: "string" }],
  },
  fireSchedule: {
    summary: "Fires a schedule now",
    parameters: [{ name: "name", in: "path", required: true, type: "string" }],
  },
  listFires: {
    summary: "Lists fires, newest first",
    parameters: [
      { name: "limit", in: "query", type: "integer", initial: 50, minimum: 1, maximum: 200 },
      {
        name: "cursor",
        in: "query",
        says: "`next_cursor` of the page before, and its other parameters.",
        type: "string",
      },
      {
        name: "source",
        in: "query",
        says: "Only fires of schedules, or of hooks.",
        type: "string",
        names: ["schedule", "hook"],
      },
      { name: "name", in: "query", says: "Only fires of this schedule or hook.", type: "string" },
      {
        name: "state",
        in: "query",
        says: "Only fires in this state.",
        type: "string",
        names: ["queued", "due", "running", "ended", "skipped"],
      },
    ],
  },
  listHooks: { summary: "Lists the hooks", parameters: [] },
};
