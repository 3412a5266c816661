/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
/**
 * A piece of a message or an artifact: text, a file, or data. A2A 0.3, section 6.5.
 */
export type A2APart = A2ATextPart | A2AFilePart | A2ADataPart;
/**
 * Identifies a run, a task or a correlation on the bus. The sender chooses it, and it can contain any characters. Quote it before you put it into a header or a log line.
 */
export type BusId = string;
/**
 * The methods that a task may be sent with; `message/send` unless an agent needs another.
 */
export type A2ASendMethod = "message/send" | "tasks/send" | "agent/invoke";
/**
 * What `message/send` answers: a task, or a message when there is nothing to follow.
 */
export type A2ASendResult = A2ATask | A2AMessage;
/**
 * Where a task stands at the agent. A2A 0.3, section 6.3.
 */
export type A2ATaskState =
  | "submitted"
  | "working"
  | "input-required"
  | "completed"
  | "canceled"
  | "failed"
  | "rejected"
  | "auth-required"
  | "unknown";
/**
 * A moment, RFC 3339. Without an offset it is UTC.
 */
export type Timestamp = string;
/**
 * Why an agent did not do a task, by name. Each kind has one row in the catalogue of agent errors (agent-errors.json).
 */
export type AgentErrorKind =
  | "invalid_task"
  | "unknown_agent"
  | "agent_disabled"
  | "protocol_unsupported"
  | "address_refused"
  | "redirect_refused"
  | "secret_unavailable"
  | "unreachable"
  | "call_timeout"
  | "deadline_exceeded"
  | "http_error"
  | "http_unavailable"
  | "rate_limited"
  | "unauthorized"
  | "response_too_large"
  | "not_json"
  | "invalid_envelope"
  | "invalid_response"
  | "rpc_error"
  | "rpc_unavailable"
  | "task_failed"
  | "task_canceled"
  | "task_rejected"
  | "task_state_unknown"
  | "input_required"
  | "auth_required"
  | "circuit_open"
  | "canceled"
  | "internal";
/**
 * Identifies a conversation. Opaque, stable for one thread and one agent. Printable ASCII, no spaces.
 */
export type ContextId = string;
/**
 * An agent's own id for a task that waits for the user. The user's next message continues that task.
 */
export type AgentTaskId = string;
/**
 * Names an agent of the registry. 1 to 255 characters, no control characters.
 */
export type AgentName = string;
/**
 * Follows one Slack message through both zones, their logs, the bus and every agent. Printable ASCII, no spaces.
 */
export type CorrelationId = string;
/**
 * Names a task of the execution zone. Made by execution, not guessable.
 */
export type TaskId = string;
/**
 * The JSON-RPC id of a zone request: a UUID made by verification. It is the idempotency key too: the same caller sending it again gets the same task.
 */
export type RequestId = string;
/**
 * What went wrong, by name. Each kind has one row in the error catalogue (errors.json).
 */
export type ErrorKind =
  | "parse_error"
  | "invalid_request"
  | "method_not_found"
  | "invalid_params"
  | "internal"
  | "timeout"
  | "task_not_found"
  | "unknown_agent"
  | "invalid_state_transition"
  | "agent_unavailable"
  | "agent_failed"
  | "agent_invalid_response"
  | "rate_limited"
  | "unauthorized"
  | "payload_too_large"
  | "canceled"
  | "shutting_down"
  | "agent_misconfigured";
/**
 * State of a task in the execution zone. submitted and working are open; all other states are final.
 */
export type TaskState = "submitted" | "working" | "success" | "error" | "canceled" | "timed_out";
/**
 * Where a secret is found, never the secret itself: an environment variable, or a file of the secrets folder.
 */
export type SecretReference = string;
/**
 * Names a file of a task's answer, unique within the task.
 */
export type TaskFileId = string;
/**
 * Links a response to its request. JSON-RPC 2.0, section 4.
 */
export type JsonRpcId = string | number | null;
/**
 * A response object: exactly one of result and error. JSON-RPC 2.0, section 5.
 */
export type JsonRpcResponse = JsonRpcSuccess | JsonRpcFailure;
/**
 * Where one step of a run stands.
 */
export type StepState = "pending" | "running" | "succeeded" | "failed" | "canceled" | "skipped";
/**
 * Names a workflow; people write it, agents and workflows share one directory of names.
 */
export type WorkflowId = string;
/**
 * Why a run or a step of it failed, by name.
 */
export type RunProblemKind =
  | "agent_failed"
  | "step_timed_out"
  | "run_timed_out"
  | "mapping_failed"
  | "condition_failed"
  | "collection_invalid"
  | "join_failed"
  | "step_failed"
  | "run_too_large"
  | "canceled"
  | "internal";
/**
 * Where an agent is called, http or https. No credentials, no fragment.
 */
export type AgentUrl = string;
/**
 * What the agent is good for, for people.
 */
export type AgentDescription = string;
/**
 * How Crosszone speaks with the agent: `auto` (the default; chosen from the agent card), `a2a-1.0`, `jsonrpc-2.0` (A2A 0.3), `simple-a2a`, or an adapter that was added.
 */
export type AgentProtocol = string;
/**
 * How we show an agent who we are. Secrets are named, never written.
 */
export type AgentAuth =
  AgentAuthNone | AgentAuthBearer | AgentAuthApiKey | AgentAuthBasic | AgentAuthOAuth2ClientCredentials | AgentAuthMtls;
/**
 * How long one call may take, milliseconds.
 */
export type AgentTimeout = number;
/**
 * How many calls one process may have under way at this agent.
 */
export type AgentConcurrency = number;
/**
 * The answer, or the word that the task was accepted and will be asked for. A failure is never a result: it is a JSON-RPC error.
 */
export type ExecuteTaskResult = TaskSucceeded | TaskAccepted;
/**
 * The answer is the agent's question. The next message with the same `context_id` answers it.
 */
export type TaskAwaits = "input" | "authorization";
/**
 * The final answer, or that the task still works. A failed task answers with its error.
 */
export type GetAsyncTaskResultResult = TaskSucceeded | TaskWorking;
/**
 * What a task shows while it runs: the params of the notification `task_event`. A caller that accepts `text/event-stream` gets these before the answer to `execute_task` and `get_async_task_result`. They are a preview; the answer is complete without them.
 */
export type TaskEvent = TaskStarted | TaskText | TaskProgressed;
/**
 * The workflow run that does the task. Present for one task.
 */
export type RunId = string;
/**
 * By what usage is added up.
 */
export type UsageGrouping = "person" | "channel" | "team" | "agent" | "model" | "day";
/**
 * A day in UTC.
 */
export type UsageDay = string;
/**
 * A moment, RFC 3339. Without an offset it is UTC.
 */
type Timestamp1 = string;
/**
 * Names a run. Made by execution, not guessable.
 */
type RunId1 = string;
/**
 * Which instance of a step: the step's id, in a loop with the index of the item and the ids around it, e.g. `each[3].ask`.
 */
export type StepPath = string;
/**
 * Names a step of a definition. Not `workflow`, `steps`, `item` or `index`: references use these words.
 */
export type StepId = string;
/**
 * What a step does.
 */
export type StepType = "agent" | "parallel" | "conditional" | "loop" | "fork_join";
/**
 * What people see of a step while it runs; its id when absent.
 */
export type StepTitle = string;
/**
 * Names one version of a workflow. What a version holds never changes.
 */
export type WorkflowVersion = string;
/**
 * For people.
 */
export type WorkflowText = string;
/**
 * A step of a workflow. In plans of old, a step without `type` is read as one of an agent.
 */
export type WorkflowStep = AgentStep | ParallelStep | ConditionalStep | LoopStep | ForkJoinStep;
/**
 * How long it may take, milliseconds.
 */
export type StepTimeout = number;
/**
 * What a failure does to the run; `fail` when absent.
 */
export type OnStepError = "fail" | "continue";
/**
 * The step that follows; null ends the chain.
 */
export type NextStep = string | null;
/**
 * Ids of steps, in order. Their own `next_step` is null, absent or the next of the list.
 *
 * @minItems 1
 */
export type StepList = StepId[];
/**
 * How many of them may run at once; the run's own bound when absent.
 */
export type StepParallelism = number;
/**
 * One more with each change of the run; orders its events.
 */
export type RunRevision = number;
/**
 * Where a run stands. pending and running are open; the others are final.
 */
export type RunState = "pending" | "running" | "succeeded" | "failed" | "canceled" | "timed_out";
/**
 * A change of a run, as it is sent to those who watch. After the last one the run is final.
 */
export type WorkflowRunEvent = RunChanged | StepChanged;

/**
 * How an agent describes itself. A2A 0.3, section 5.5.
 */
export interface A2AAgentCard {
  /**
   * Of A2A, e.g. 0.3.0.
   */
  protocolVersion: string;
  name: string;
  description: string;
  /**
   * Where its preferred transport is reached.
   */
  url: string;
  /**
   * Of the agent.
   */
  version: string;
  /**
   * JSONRPC when absent.
   */
  preferredTransport?: string;
  /**
   * Who runs the agent.
   */
  provider?: {
    organization: string;
    url: string;
    [k: string]: unknown | undefined;
  };
  capabilities: {
    streaming?: boolean;
    pushNotifications?: boolean;
    stateTransitionHistory?: boolean;
    [k: string]: unknown | undefined;
  };
  /**
   * Media types.
   */
  defaultInputModes: string[];
  /**
   * Media types.
   */
  defaultOutputModes: string[];
  skills: A2AAgentSkill[];
  [k: string]: unknown | undefined;
}
export interface A2AAgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
  [k: string]: unknown | undefined;
}
/**
 * Something that the agent made. A2A 0.3, section 6.7.
 */
export interface A2AArtifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: A2APart[];
  metadata?: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
export interface A2ATextPart {
  kind: "text";
  text: string;
  metadata?: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
export interface A2AFilePart {
  kind: "file";
  file: A2AFile;
  metadata?: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * A file, by value or by address.
 */
export interface A2AFile {
  name?: string;
  mimeType?: string;
  /**
   * The contents, Base64.
   */
  bytes?: string;
  /**
   * Where the contents can be fetched.
   */
  uri?: string;
  [k: string]: unknown | undefined;
}
/**
 * Structured data, any JSON value.
 */
export interface A2ADataPart {
  kind: "data";
  data: unknown;
  metadata?: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * Gives a task to an agent. The id is that of the agent task. A2A 0.3, section 7.1.
 */
export interface A2AMessageSendRequest {
  jsonrpc: "2.0";
  id: BusId;
  method: A2ASendMethod;
  params: A2AMessageSendParams;
}
export interface A2AMessageSendParams {
  message: A2AMessage;
  /**
   * How the answer is wanted.
   */
  configuration?: {
    /**
     * Media types.
     */
    acceptedOutputModes?: string[];
    /**
     * Whether the answer may wait for the end of the task.
     */
    blocking?: boolean;
    [k: string]: unknown | undefined;
  };
  metadata?: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * One turn between client and agent. Peers that know one kind of result leave out `kind`. A2A 0.3, section 6.4.
 */
export interface A2AMessage {
  kind?: "message";
  /**
   * Who speaks: user is the client.
   */
  role: "user" | "agent";
  /**
   * Made by the sender.
   */
  messageId: string;
  /**
   * @minItems 1
   */
  parts: A2APart[];
  /**
   * The task it belongs to.
   */
  taskId?: string;
  /**
   * The conversation it belongs to.
   */
  contextId?: string;
  /**
   * Other tasks that it speaks of.
   */
  referenceTaskIds?: string[];
  /**
   * URIs of the protocol extensions in use.
   */
  extensions?: string[];
  metadata?: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * A task as the agent sees it. A2A 0.3, section 6.1.
 */
export interface A2ATask {
  kind: "task";
  /**
   * Made by the agent.
   */
  id: string;
  /**
   * The conversation that it belongs to.
   */
  contextId: string;
  status: A2ATaskStatus;
  /**
   * What the agent made, in order.
   */
  artifacts?: A2AArtifact[];
  /**
   * What was said, oldest first.
   */
  history?: A2AMessage[];
  metadata?: {
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
export interface A2ATaskStatus {
  state: A2ATaskState;
  message?: A2AMessage;
  timestamp?: string;
  [k: string]: unknown | undefined;
}
/**
 * Asks an agent to stop a task. A2A 0.3, section 7.4.
 */
export interface A2ATasksCancelRequest {
  jsonrpc: "2.0";
  id: BusId;
  method: "tasks/cancel";
  params: {
    /**
     * The agent's id of the task.
     */
    id: string;
    [k: string]: unknown | undefined;
  };
}
/**
 * Asks an agent how a task stands. A2A 0.3, section 7.3.
 */
export interface A2ATasksGetRequest {
  jsonrpc: "2.0";
  id: BusId;
  method: "tasks/get";
  params: {
    /**
     * The agent's id of the task.
     */
    id: string;
    /**
     * How many of the last messages are wanted.
     */
    historyLength?: number;
    [k: string]: unknown | undefined;
  };
}
/**
 * How an agent describes itself. A2A 1.0, section 4.4.1.
 */
export interface A2AAgentCardV1 {
  name: string;
  description: string;
  /**
   * Version of the agent.
   */
  version: string;
  /**
   * Where and how to call the agent, the preferred interface first.
   */
  supportedInterfaces: A2AAgentInterface[];
  capabilities: {
    /**
     * The agent sends updates while a task runs.
     */
    streaming?: boolean;
    /**
     * The agent calls a webhook of the client.
     */
    pushNotifications?: boolean;
    /**
     * The agent shows authenticated clients a longer card.
     */
    extendedAgentCard?: boolean;
    [k: string]: unknown | undefined;
  };
  /**
   * Ways to authenticate, by name. Each has one member that names its kind, such as `httpAuthSecurityScheme`.
   */
  securitySchemes?: {
    [k: string]:
      | {
          [k: string]: unknown | undefined;
        }
      | undefined;
  };
  /**
   * Alternatives. The client satisfies one of them.
   */
  securityRequirements?: {
    /**
     * Names of `securitySchemes`, each with its scopes as `list`. The client satisfies all of them.
     */
    schemes: {
      [k: string]:
        | {
            [k: string]: unknown | undefined;
          }
        | undefined;
    };
    [k: string]: unknown | undefined;
  }[];
  /**
   * Media types.
   */
  defaultInputModes: string[];
  /**
   * Media types.
   */
  defaultOutputModes: string[];
  skills: A2AAgentSkillV1[];
  [k: string]: unknown | undefined;
}
export interface A2AAgentInterface {
  /**
   * Absolute URL of the interface.
   */
  url: string;
  /**
   * `JSONRPC`, `GRPC` or `HTTP+JSON`, or the URI of a binding that A2A does not define.
   */
  protocolBinding: string;
  /**
   * Version of the protocol at this URL: for the bindings of A2A the version of A2A, such as `1.0`.
   */
  protocolVersion: string;
  [k: string]: unknown | undefined;
}
export interface A2AAgentSkillV1 {
  /**
   * Unique within the card.
   */
  id: string;
  name: string;
  description: string;
  tags: string[];
  /**
   * Messages that use the skill.
   */
  examples?: string[];
  [k: string]: unknown | undefined;
}
/**
 * Asks for an agent task to be stopped.
 */
export interface AgentCancellation {
  run_id: BusId;
  task_id: BusId;
  correlation_id: BusId;
  timestamp: Timestamp;
  /**
   * For people.
   */
  reason?: string;
  [k: string]: unknown | undefined;
}
/**
 * Why an agent did not do a task. `data` is what the agent said beside it, any JSON value.
 */
export interface AgentError {
  kind: AgentErrorKind;
  /**
   * For people; nothing internal.
   */
  message: string;
  /**
   * Whether the same task may succeed when it is given again.
   */
  retryable: boolean;
  /**
   * The agent's JSON-RPC error code, otherwise the HTTP status.
   */
  code?: number;
  data?: unknown;
  [k: string]: unknown | undefined;
}
/**
 * How an agent task ended. `output_data` is any JSON value, null on FAILURE.
 */
export interface AgentResult {
  run_id: BusId;
  task_id: BusId;
  status: "SUCCESS" | "FAILURE";
  output_data: unknown;
  correlation_id: BusId;
  /**
   * What went wrong, in words; null on SUCCESS.
   */
  error_message: string | null;
  timestamp: Timestamp;
  error?: AgentError;
  /**
   * How often the agent was called.
   */
  attempts?: number;
  /**
   * From taking the task to its end, milliseconds.
   */
  duration_ms?: number;
  /**
   * Names of the files of the task that the agent was not sent, because its card does not accept their types.
   *
   * @minItems 1
   */
  files_left_out?: string[];
  context_id?: ContextId;
  open_task_id?: AgentTaskId;
  [k: string]: unknown | undefined;
}
/**
 * A file for an agent. Small files carry `bytes`, larger files a `url`.
 */
export interface AgentTaskFile {
  name: string;
  /**
   * For example `application/pdf`.
   */
  media_type: string;
  /**
   * Bytes.
   */
  size: number;
  /**
   * The contents, base64.
   */
  bytes?: string;
  /**
   * Where the agent can fetch the contents, once, while the task runs.
   */
  url?: string;
  [k: string]: unknown | undefined;
}
/**
 * A task for one agent, as the executor puts it on the bus. `input_data` is any JSON value.
 */
export interface AgentTask {
  run_id: BusId;
  task_id: BusId;
  agent_name: AgentName;
  input_data: unknown;
  correlation_id: BusId;
  timestamp?: Timestamp;
  deadline?: Timestamp;
  context_id?: ContextId;
  open_task_id?: AgentTaskId;
  /**
   * Files for the agent, each with either `bytes` or `url`.
   *
   * @maxItems 20
   */
  files?: AgentTaskFile[];
  [k: string]: unknown | undefined;
}
/**
 * An error object. JSON-RPC 2.0, section 5.1.
 */
export interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
}
/**
 * One thing that is wrong with a value, and where.
 */
export interface ParamProblem {
  /**
   * RFC 6901 pointer, e.g. /channel.
   */
  pointer: string;
  message: string;
}
/**
 * A request object; without `id` it is a notification. JSON-RPC 2.0, section 4.
 */
export interface JsonRpcRequest {
  jsonrpc: "2.0";
  /**
   * Names that begin with `rpc.` are reserved by the specification.
   */
  method: string;
  params?:
    | {
        [k: string]: unknown | undefined;
      }
    | unknown[];
  id?: JsonRpcId;
  [k: string]: unknown | undefined;
}
export interface JsonRpcSuccess {
  jsonrpc: "2.0";
  result: unknown;
  id: JsonRpcId;
}
export interface JsonRpcFailure {
  jsonrpc: "2.0";
  error: JsonRpcError;
  id: JsonRpcId;
}
/**
 * The `data` of every error on the zone link. Clients decide by `kind` and `retryable`, never by `message`.
 */
export interface ZoneErrorData {
  kind: ErrorKind;
  retryable: boolean;
  correlation_id: CorrelationId;
  /**
   * How long to wait before the next try, milliseconds.
   */
  retry_after_ms?: number;
  task_id?: TaskId;
  agent?: string;
  /**
   * What is wrong: with invalid_params, each at a JSON pointer into `params`; with what is no request at all, one sentence at the pointer of the whole.
   */
  problems?: ParamProblem[];
  progress?: TaskProgress;
  failed_run?: FailedRun;
  /**
   * What the agent said about its failure, in its own words. Untrusted text.
   */
  agent_says?: string;
  /**
   * What went wrong, for the person who runs the agent. Sent in development only.
   */
  owner_detail?: string;
  [k: string]: unknown | undefined;
}
/**
 * How far a task that is done in steps had come when it failed: the steps, and how each ended.
 */
export interface TaskProgress {
  /**
   * One more with each change; `seen_progress` of the next poll, where 0 means that nothing was seen.
   */
  revision: number;
  /**
   * In order; only the first when there are more. Empty for a task without steps.
   *
   * @maxItems 50
   */
  steps: TaskStep[];
  /**
   * How many steps are left out.
   */
  more?: number;
  /**
   * What the agent says it is doing, in its own words.
   */
  text?: string;
  [k: string]: unknown | undefined;
}
/**
 * One line of it.
 */
export interface TaskStep {
  id: string;
  /**
   * For people.
   */
  title: string;
  state: StepState;
  /**
   * How many steps are around it.
   */
  depth: number;
  /**
   * Of a step that is done several times: how often it was.
   */
  done?: number;
  total?: number;
  [k: string]: unknown | undefined;
}
/**
 * Of a task that is the run of a workflow: which step it was, and why.
 */
export interface FailedRun {
  workflow: WorkflowId;
  reason: RunProblemKind;
  /**
   * Title of the step that failed; absent when it was none of them.
   */
  step?: string;
  [k: string]: unknown | undefined;
}
/**
 * What verification sends to execution: one request, params by name, a UUID as id. Never a batch, never a notification.
 */
export interface ZoneRequest {
  jsonrpc: "2.0";
  method:
    | "execute_task"
    | "get_async_task_result"
    | "cancel_task"
    | "list_agents"
    | "read_task_file"
    | "get_agent_card"
    | "get_usage";
  params: {
    [k: string]: unknown | undefined;
  };
  id: RequestId;
}
/**
 * Approves definitions of tools of one MCP server: all or none.
 */
export interface McpApproval {
  /**
   * The fingerprint of each tool by its name, as the server lists it now.
   */
  tools: {
    [k: string]: string | undefined;
  };
}
/**
 * The MCP servers of the zone, by name.
 */
export interface McpServerList {
  servers: McpServer[];
}
/**
 * An MCP server and its tools, as the zone saw them last.
 */
export interface McpServer {
  /**
   * Its name in MCP_SERVERS.
   */
  name: string;
  /**
   * Where it is. Absent when this process has no server of this name in MCP_SERVERS.
   */
  origin?: string;
  /**
   * Whether it is in MCP_READ_ONLY.
   */
  read_only?: boolean;
  tools: McpTool[];
}
/**
 * A tool of an MCP server, and whether the assistant can use it.
 */
export interface McpTool {
  /**
   * The server's name of the tool. The model calls it `<server>_<tool>`.
   */
  name: string;
  state: "pinned" | "changed" | "new" | "gone";
  /**
   * SHA-256 of the definition, hex. Send it to approve this definition.
   */
  fingerprint: string;
  /**
   * What the server lists now, or listed last: name, description, inputSchema, annotations. Untrusted text.
   */
  definition: {
    [k: string]: unknown | undefined;
  };
  /**
   * What was pinned. Present when the definition has changed.
   */
  pinned_definition?: {
    [k: string]: unknown | undefined;
  };
  /**
   * Digest of the token that approved it. Absent for tools that were pinned when the server was first seen.
   */
  approved_by?: string;
  approved_at?: Timestamp;
}
/**
 * One change of an agent: who, when and what. Secrets are not in it: settings have only their names.
 */
export interface AgentAuditEntry {
  action: "created" | "updated" | "disabled" | "enabled" | "deleted";
  /**
   * What the agent has become; its last one when it was deleted.
   */
  revision: number;
  at: Timestamp;
  /**
   * A token of an admin, by its digest, or a file of agents.
   */
  actor: string;
  correlation_id: CorrelationId;
  before: AgentSettings | null;
  after: AgentSettings | null;
  [k: string]: unknown | undefined;
}
/**
 * An agent as an admin writes it. What is left out gets its default.
 */
export interface AgentSettings {
  name: AgentName;
  url: AgentUrl;
  description?: AgentDescription;
  protocol?: AgentProtocol;
  protocol_config?: AgentProtocolConfig;
  auth?: AgentAuth;
  timeout_ms?: AgentTimeout;
  max_concurrency?: AgentConcurrency;
  retry?: AgentRetry;
  breaker?: AgentBreaker;
  /**
   * Whether tasks are given to it.
   */
  enabled?: boolean;
  /**
   * Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.
   */
  side_effects?: boolean;
}
/**
 * What an adapter wants to know of an agent beside its address.
 */
export interface AgentProtocolConfig {
  method?: A2ASendMethod;
  /**
   * Of JSON-RPC.
   */
  version?: "2.0";
}
export interface AgentAuthNone {
  type: "none";
}
/**
 * `Authorization: Bearer`.
 */
export interface AgentAuthBearer {
  type: "bearer";
  token: SecretReference;
}
export interface AgentAuthApiKey {
  type: "api_key";
  /**
   * Name of the header that carries the key.
   */
  header: string;
  value: SecretReference;
}
/**
 * `Authorization: Basic`.
 */
export interface AgentAuthBasic {
  type: "basic";
  /**
   * No colon.
   */
  username: string;
  password: SecretReference;
}
/**
 * A token fetched with the client credentials of OAuth 2.0, RFC 6749, section 4.4.
 */
export interface AgentAuthOAuth2ClientCredentials {
  type: "oauth2_client_credentials";
  token_url: AgentUrl;
  client_id: string;
  client_secret: SecretReference;
  /**
   * Separated by spaces.
   */
  scope?: string;
  audience?: string;
}
/**
 * A client certificate, PEM.
 */
export interface AgentAuthMtls {
  type: "mtls";
  cert: SecretReference;
  key: SecretReference;
  ca?: SecretReference;
}
/**
 * How often and how fast an agent is called again after a failure that may pass.
 */
export interface AgentRetry {
  /**
   * After the first call.
   */
  max_retries: number;
  /**
   * The first pause, milliseconds; each next one may be twice as long.
   */
  base_ms: number;
  /**
   * The longest pause, milliseconds.
   */
  max_ms: number;
}
/**
 * When an agent that keeps failing is left alone, and for how long.
 */
export interface AgentBreaker {
  /**
   * So many in a row.
   */
  failures: number;
  /**
   * Until the next call is tried, milliseconds.
   */
  open_ms: number;
}
/**
 * A page of what was done to the agents of one name, the latest first.
 */
export interface AgentAuditList {
  entries: AgentAuditEntry[];
  /**
   * Changes on all pages.
   */
  total: number;
  limit: number;
  offset: number;
  [k: string]: unknown | undefined;
}
/**
 * The result of a health probe of an agent.
 */
export interface AgentHealth {
  name: AgentName;
  /**
   * `reachable`: the agent answers but has no agent card.
   */
  status: "healthy" | "reachable" | "unhealthy";
  checked_at: Timestamp;
  /**
   * Milliseconds.
   */
  duration_ms: number;
  /**
   * The agent card as the agent serves it, of A2A 0.3 or 1.0.
   */
  card?: {
    [k: string]: unknown | undefined;
  } | null;
  /**
   * What is wrong and what to do.
   */
  problem?: string;
  [k: string]: unknown | undefined;
}
/**
 * A page of the registry, by name.
 */
export interface AgentList {
  agents: AgentRecord[];
  /**
   * Agents that fit the question, on all pages.
   */
  total: number;
  limit: number;
  offset: number;
  [k: string]: unknown | undefined;
}
/**
 * An agent as the registry has it: every default filled in.
 */
export interface AgentRecord {
  id: string;
  name: AgentName;
  url: AgentUrl;
  description: AgentDescription;
  protocol: AgentProtocol;
  protocol_config: AgentProtocolConfig;
  auth: AgentAuth;
  timeout_ms: AgentTimeout;
  max_concurrency: AgentConcurrency;
  retry: AgentRetry;
  breaker: AgentBreaker;
  /**
   * Whether tasks are given to it.
   */
  enabled: boolean;
  /**
   * Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.
   */
  side_effects?: boolean;
  /**
   * Who owns it: the registry's API, or the file of agents that is read at start.
   */
  source: "api" | "file";
  /**
   * One more with each change.
   */
  revision: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * One request to an agent and its response. `request` and `response` are JSON values. A later event of a stream has no `request`; an unanswered request has no `response`. Credentials are never included. A body over 16 KiB is cut and becomes text. A body that is not JSON is text.
 */
export interface AgentTestExchange {
  at: Timestamp;
  /**
   * `subscribe` requests the events of a running task.
   */
  operation: "send" | "poll" | "subscribe" | "cancel";
  protocol: AgentProtocol;
  /**
   * Milliseconds.
   */
  duration_ms: number;
  request?: unknown;
  /**
   * HTTP status. Absent when the agent did not respond.
   */
  status?: number;
  response?: unknown;
  /**
   * The problem of the exchange.
   */
  problem?: string;
  [k: string]: unknown | undefined;
}
/**
 * A request to test an agent. Set exactly one of `agent`, for a registered agent, and `url`, for an agent that is not registered.
 */
export interface AgentTestRequest {
  agent?: AgentName;
  url?: AgentUrl;
  protocol?: AgentProtocol;
  /**
   * The question.
   */
  text: string;
}
/**
 * The result of an agent test: the agent's health, the exchange, and the answer or the failure. `output` is the agent's answer as the bus carries it, any JSON value.
 */
export interface AgentTest {
  status: "answered" | "failed";
  health: AgentHealth;
  /**
   * @maxItems 100
   */
  exchanges: AgentTestExchange[];
  output?: unknown;
  failure?: AgentError;
  /**
   * Milliseconds.
   */
  duration_ms: number;
  [k: string]: unknown | undefined;
}
/**
 * The file that agents can be declared in.
 */
export interface AgentsFile {
  agents: AgentSettings[];
}
/**
 * Why a request to the API failed. RFC 9457.
 */
export interface Problem {
  /**
   * A URI that names the kind of problem.
   */
  type: string;
  /**
   * The same for every problem of this kind.
   */
  title: string;
  /**
   * The HTTP status.
   */
  status: number;
  /**
   * What is wrong with this request.
   */
  detail?: string;
  /**
   * A URI that names this occurrence.
   */
  instance?: string;
  correlation_id?: CorrelationId;
  /**
   * What is wrong with the body, each at a JSON pointer.
   */
  problems?: ParamProblem[];
  [k: string]: unknown | undefined;
}
/**
 * A task for an agent of the older protocol. `input` is any JSON value.
 */
export interface SimpleA2ARequest {
  task_id: BusId;
  input: unknown;
  [k: string]: unknown | undefined;
}
/**
 * The answer of an agent of the older protocol. `output` and `error` are any JSON value.
 */
export interface SimpleA2AResponse {
  /**
   * That of the request; another one is only worth a warning.
   */
  task_id?: string;
  status: "success" | "error";
  output?: unknown;
  error?: unknown;
  [k: string]: unknown | undefined;
}
/**
 * One task sent to one registered agent.
 */
export interface AgentCall {
  /**
   * Empty when the call was canceled before it was stored.
   */
  agent: string;
  state: "open" | "succeeded" | "failed" | "canceled";
  /**
   * How often the agent was called. Present when the call has ended.
   */
  attempts?: number;
  /**
   * The agent's own id of the task. Present while the call is open, unless it is sealed.
   */
  remote_id?: string;
  /**
   * The agent's latest progress message. Present while the call is open, unless it is sealed. Untrusted text.
   */
  progress?: string;
  error_kind?: AgentErrorKind;
  created_at: Timestamp;
  deadline: Timestamp;
  ended_at?: Timestamp;
}
/**
 * A file that came with the message. Described, not carried: contents are fetched through verification.
 */
export interface Attachment {
  /**
   * Slack's file id.
   */
  id?: string;
  name?: string;
  mime_type?: string;
  /**
   * Bytes.
   */
  size?: number;
  /**
   * Where the contents can be fetched.
   */
  url?: string;
  /**
   * The contents, when they are text that the sender chose to carry.
   */
  text?: string;
  [k: string]: unknown | undefined;
}
export interface CancelTaskParams {
  task_id: TaskId;
  [k: string]: unknown | undefined;
}
export interface CancelTaskResult {
  task_id: TaskId;
  status: "canceled";
  [k: string]: unknown | undefined;
}
/**
 * What a person asked in Slack, for `execute_task`. Members that are not named here are ignored.
 */
export interface ExecuteTaskParams {
  /**
   * Slack channel id.
   */
  channel: string;
  /**
   * The user's message. Empty when only files came.
   */
  text: string;
  /**
   * A random handle that is good for this task only. The real Slack token does not cross the wall.
   */
  bot_token: string;
  correlation_id?: CorrelationId;
  /**
   * Slack timestamp of the thread's root.
   */
  thread_ts?: string;
  attachments?: Attachment[];
  /**
   * Slack team id.
   */
  team_id?: string;
  /**
   * Slack user id of the person who asked.
   */
  user_id?: string;
  /**
   * Name of the agent or workflow to run; the zone's default agent when absent.
   */
  agent?: string;
  /**
   * Earlier messages of the thread, oldest first.
   */
  thread?: ThreadMessage[];
  context_id?: ContextId;
  [k: string]: unknown | undefined;
}
/**
 * An earlier message of the same Slack thread.
 */
export interface ThreadMessage {
  text: string;
  /**
   * Slack user id of the author.
   */
  user?: string;
  /**
   * Slack timestamp.
   */
  ts?: string;
  /**
   * True when this app wrote it.
   */
  bot?: boolean;
  [k: string]: unknown | undefined;
}
/**
 * A task's final answer. Further members are the agent's own and are preserved.
 */
export interface TaskSucceeded {
  status: "success";
  /**
   * The answer for the thread, Markdown.
   */
  response_text: string;
  task_id?: TaskId;
  /**
   * Name of the agent that answered.
   */
  agent?: string;
  progress?: TaskProgress1;
  /**
   * Whether the agent that answered is the one that answers when no agent is named.
   */
  default_agent?: boolean;
  awaits?: TaskAwaits;
  /**
   * Files that belong to the answer. `read_task_file` reads their contents.
   *
   * @maxItems 20
   */
  files?: TaskFile[];
  usage?: TaskUsage;
  [k: string]: unknown | undefined;
}
/**
 * How it went in the end, of a task that is done in steps.
 */
interface TaskProgress1 {
  /**
   * One more with each change; `seen_progress` of the next poll, where 0 means that nothing was seen.
   */
  revision: number;
  /**
   * In order; only the first when there are more. Empty for a task without steps.
   *
   * @maxItems 50
   */
  steps: TaskStep[];
  /**
   * How many steps are left out.
   */
  more?: number;
  /**
   * What the agent says it is doing, in its own words.
   */
  text?: string;
  [k: string]: unknown | undefined;
}
/**
 * A file that an agent made.
 */
export interface TaskFile {
  id: TaskFileId;
  /**
   * As the agent calls it. Not a path, and not to be trusted as one.
   */
  name: string;
  /**
   * As the agent calls it, for example `image/png`.
   */
  media_type: string;
  /**
   * Bytes.
   */
  size: number;
  [k: string]: unknown | undefined;
}
/**
 * What the answer used of a language model.
 */
export interface TaskUsage {
  /**
   * `provider/id`, for example `anthropic/claude-sonnet-4-6`. Absent when this zone called no model.
   */
  model?: string;
  input_tokens: number;
  output_tokens: number;
  /**
   * Of the input tokens, those that the provider had cached.
   */
  cached_input_tokens: number;
  /**
   * US dollars, by the prices that this version knows; null for a model without a known price.
   */
  cost: number | null;
  /**
   * Present when a call ended before the provider counted it: its part is an estimate.
   */
  estimated?: true;
  /**
   * What agents reported, one entry for each agent. The other members do not include it.
   *
   * @minItems 1
   * @maxItems 50
   */
  reported?: ReportedUsage[];
  [k: string]: unknown | undefined;
}
/**
 * What one agent says that it used of language models for a task, over all of its calls. The agent's word: nobody checked it, and no budget is charged with it.
 */
export interface ReportedUsage {
  /**
   * Name of the agent that reported it.
   */
  agent: string;
  input_tokens: number;
  output_tokens: number;
  /**
   * Of the input tokens, those that the agent's provider had cached.
   */
  cached_input_tokens: number;
  /**
   * US dollars, as the agent says; null when it does not say.
   */
  cost: number | null;
  [k: string]: unknown | undefined;
}
/**
 * The task takes longer than the sync window: ask again with `get_async_task_result`.
 */
export interface TaskAccepted {
  status: "accepted";
  task_id: TaskId;
  [k: string]: unknown | undefined;
}
/**
 * Where the run of a workflow failed, and why, as far as a person may be told.
 */
interface FailedRun1 {
  workflow: WorkflowId;
  reason: RunProblemKind;
  /**
   * Title of the step that failed; absent when it was none of them.
   */
  step?: string;
  [k: string]: unknown | undefined;
}
/**
 * No members are known yet; all are ignored.
 */
export interface GetAgentCardParams {
  [k: string]: unknown | undefined;
}
export interface GetAsyncTaskResultParams {
  task_id: TaskId;
  /**
   * How long the answer may be held back while the task works, milliseconds. The server may hold it for less.
   */
  wait_ms?: number;
  /**
   * The revision of the progress that was seen last; anything newer is answered at once.
   */
  seen_progress?: number;
  /**
   * The `seq` of the last event that was seen. In a stream, events begin after it, or at the start of the text where the server no longer knows it.
   */
  since_seq?: number;
  [k: string]: unknown | undefined;
}
/**
 * The task is not final yet.
 */
export interface TaskWorking {
  status: "working";
  task_id: TaskId;
  progress?: TaskProgress2;
  [k: string]: unknown | undefined;
}
/**
 * How far a task has come: its steps, or what the agent says it is doing.
 */
interface TaskProgress2 {
  /**
   * One more with each change; `seen_progress` of the next poll, where 0 means that nothing was seen.
   */
  revision: number;
  /**
   * In order; only the first when there are more. Empty for a task without steps.
   *
   * @maxItems 50
   */
  steps: TaskStep[];
  /**
   * How many steps are left out.
   */
  more?: number;
  /**
   * What the agent says it is doing, in its own words.
   */
  text?: string;
  [k: string]: unknown | undefined;
}
/**
 * No members are known yet; all are ignored.
 */
export interface ListAgentsParams {
  [k: string]: unknown | undefined;
}
export interface ListAgentsResult {
  agents: AgentSummary[];
  [k: string]: unknown | undefined;
}
/**
 * An agent or a workflow that `execute_task` can be asked for by name.
 */
export interface AgentSummary {
  name: string;
  description: string;
  /**
   * An agent when absent.
   */
  kind?: "agent" | "workflow";
  /**
   * Answers when no agent is named.
   */
  default: boolean;
  skills: AgentSkill[];
  [k: string]: unknown | undefined;
}
export interface AgentSkill {
  id: string;
  name: string;
  description: string;
  examples: string[];
  [k: string]: unknown | undefined;
}
/**
 * Which file to read, and from where.
 */
export interface ReadTaskFileParams {
  task_id: TaskId;
  file_id: TaskFileId;
  /**
   * The first byte to read; 0 when absent.
   */
  offset?: number;
  [k: string]: unknown | undefined;
}
/**
 * A piece of a file.
 */
export interface ReadTaskFileResult {
  /**
   * The contents from `offset` on, base64; 1 MiB at most.
   */
  bytes: string;
  /**
   * Where to read on; absent after the last piece.
   */
  next_offset?: number;
  [k: string]: unknown | undefined;
}
/**
 * The task is known by this id. The first event of `execute_task`.
 */
export interface TaskStarted {
  type: "accepted";
  task_id: TaskId;
  seq: 0;
  [k: string]: unknown | undefined;
}
/**
 * More of the text of the answer.
 */
export interface TaskText {
  type: "text";
  task_id: TaskId;
  /**
   * Larger than that of the event before; `since_seq` of the next call asks for what came after it. What changed twice before it could be sent is one event, so there may be gaps.
   */
  seq: number;
  /**
   * Where `delta` begins in the text, in UTF-16 code units. A receiver that has less has missed events, and one that has more has seen this before.
   */
  offset: number;
  delta: string;
  [k: string]: unknown | undefined;
}
/**
 * What the agent is doing, in place of what it said before.
 */
export interface TaskProgressed {
  type: "progress";
  task_id: TaskId;
  seq: number;
  progress: TaskProgress2;
  [k: string]: unknown | undefined;
}
/**
 * Why a task has no answer: the row of the error catalogue, without the agent's own message.
 */
export interface TaskFailure {
  kind: ErrorKind;
  /**
   * The JSON-RPC error code on the zone link.
   */
  code: number;
  /**
   * The title of the error kind; the same for every task.
   */
  message: string;
}
/**
 * A page of tasks, newest first.
 */
export interface TaskList {
  tasks: TaskRecord[];
  /**
   * Tasks that match the query, on all pages.
   */
  total: number;
  limit: number;
  offset: number;
}
/**
 * A task as operators see it: everything except the question and the answer.
 */
export interface TaskRecord {
  task_id: TaskId;
  state: TaskState;
  /**
   * The authenticated client of the zone link.
   */
  caller: string;
  /**
   * The agent or workflow that does the task.
   */
  agent: string;
  correlation_id: CorrelationId;
  /**
   * How many processes have run the task. Above 1, a process crashed or lost the database.
   */
  attempts: number;
  error?: TaskFailure;
  created_at: Timestamp;
  deadline: Timestamp;
  ended_at?: Timestamp;
  /**
   * Digest of the Slack team; the same for all tasks of one team.
   */
  team?: string;
  /**
   * The Slack team. Present for one task, while it is open and not sealed.
   */
  team_id?: string;
  /**
   * The Slack channel. Present for one task, while it is open and not sealed.
   */
  channel?: string;
  /**
   * The requester. Present for one task, while it is open and not sealed.
   */
  user_id?: string;
  run_id?: RunId;
  /**
   * Calls of registered agents. Present for one task; empty when the agent runs within the zone.
   */
  agent_calls?: AgentCall[];
}
/**
 * What one answer used of language models, over all calls of this zone; in `reported`, what the agents say that it asked.
 */
interface TaskUsage1 {
  /**
   * `provider/id`, for example `anthropic/claude-sonnet-4-6`. Absent when this zone called no model.
   */
  model?: string;
  input_tokens: number;
  output_tokens: number;
  /**
   * Of the input tokens, those that the provider had cached.
   */
  cached_input_tokens: number;
  /**
   * US dollars, by the prices that this version knows; null for a model without a known price.
   */
  cost: number | null;
  /**
   * Present when a call ended before the provider counted it: its part is an estimate.
   */
  estimated?: true;
  /**
   * What agents reported, one entry for each agent. The other members do not include it.
   *
   * @minItems 1
   * @maxItems 50
   */
  reported?: ReportedUsage[];
  [k: string]: unknown | undefined;
}
/**
 * Whose usage is wanted, for `get_usage`. Members that are not named here are ignored.
 */
export interface GetUsageParams {
  /**
   * Slack user id of the requester, as the caller verified it.
   */
  user_id: string;
  /**
   * Slack team id.
   */
  team_id?: string;
  /**
   * Slack channel id; the result then has the channel's budgets.
   */
  channel?: string;
  [k: string]: unknown | undefined;
}
/**
 * What one person used of language models, and the budgets that limit it.
 */
export interface GetUsageResult {
  day: UsageSum;
  month: UsageSum1;
  budgets: UsageBudget[];
  [k: string]: unknown | undefined;
}
/**
 * This day in UTC.
 */
export interface UsageSum {
  /**
   * Calls of language models, those under way included.
   */
  calls: number;
  /**
   * Of the calls, those that the provider did not count: under way, stopped, or of a process that died.
   */
  estimated_calls: number;
  /**
   * Of the calls, those of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Of the input tokens, those that the provider had cached.
   */
  cached_input_tokens: number;
  /**
   * US dollars; null when no call has a known price.
   */
  cost: number | null;
}
/**
 * This month in UTC.
 */
interface UsageSum1 {
  /**
   * Calls of language models, those under way included.
   */
  calls: number;
  /**
   * Of the calls, those that the provider did not count: under way, stopped, or of a process that died.
   */
  estimated_calls: number;
  /**
   * Of the calls, those of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Of the input tokens, those that the provider had cached.
   */
  cached_input_tokens: number;
  /**
   * US dollars; null when no call has a known price.
   */
  cost: number | null;
}
/**
 * A budget in its current period.
 */
export interface UsageBudget {
  /**
   * Whose calls the budget limits.
   */
  scope: "person" | "channel" | "team" | "agent";
  /**
   * In UTC.
   */
  period: "day" | "month";
  unit: "usd" | "tokens";
  /**
   * The most that one person, channel, team or agent can use in the period: US dollars, or tokens of input and output.
   */
  limit: number;
  /**
   * Used and reserved. Absent in the answer to a person for a budget that others share.
   */
  used?: number;
  resets_at: Timestamp;
  /**
   * The subject of the budget: a Slack id of a person or channel, a digest of a team, or the name of an agent. Null when an earlier version wrote the row. Absent before the first call.
   */
  subject?: string | null;
  /**
   * Digest of the team of a person or channel.
   */
  team?: string | null;
  [k: string]: unknown | undefined;
}
/**
 * The budgets of BUDGETS in their current periods. A budget has one entry for each that used it, the largest first, at most 50.
 */
export interface UsageBudgetList {
  budgets: UsageBudget[];
}
/**
 * What language models were used for in a time range. Days come in order, other groups by cost, then by tokens, the largest first.
 */
export interface UsageReport {
  by: UsageGrouping;
  since: Timestamp;
  until: Timestamp1;
  sum: UsageSum2;
  groups: UsageGroup[];
  /**
   * Groups, on all pages.
   */
  total: number;
  limit: number;
  offset: number;
}
/**
 * All groups, on all pages.
 */
interface UsageSum2 {
  /**
   * Calls of language models, those under way included.
   */
  calls: number;
  /**
   * Of the calls, those that the provider did not count: under way, stopped, or of a process that died.
   */
  estimated_calls: number;
  /**
   * Of the calls, those of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Of the input tokens, those that the provider had cached.
   */
  cached_input_tokens: number;
  /**
   * US dollars; null when no call has a known price.
   */
  cost: number | null;
}
/**
 * The calls of one person, channel, team, agent, model or day.
 */
export interface UsageGroup {
  /**
   * Slack id of the person or channel, digest of the team, name of the agent, `provider/id` of the model, or the day. Null when the caller named none.
   */
  key: string | null;
  /**
   * Digest of the team of a person or channel.
   */
  team?: string | null;
  sum: UsageSum3;
}
/**
 * What calls of language models used together.
 */
interface UsageSum3 {
  /**
   * Calls of language models, those under way included.
   */
  calls: number;
  /**
   * Of the calls, those that the provider did not count: under way, stopped, or of a process that died.
   */
  estimated_calls: number;
  /**
   * Of the calls, those of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Of the input tokens, those that the provider had cached.
   */
  cached_input_tokens: number;
  /**
   * US dollars; null when no call has a known price.
   */
  cost: number | null;
}
/**
 * Every attempt at one instance of a step, the first one first.
 */
export interface StepAttempts {
  run_id: RunId1;
  path: StepPath;
  attempts: WorkflowStepRecord[];
}
/**
 * One instance of a step in a run, in its latest attempt. `input` is what it was given and `output` what it answered, any JSON.
 */
export interface WorkflowStepRecord {
  path: StepPath;
  step_id: StepId;
  type: StepType;
  title?: StepTitle;
  agent_name?: AgentName;
  state: StepState;
  /**
   * 0 before the first.
   */
  attempt: number;
  task_id?: BusId;
  input?: unknown;
  output?: unknown;
  error?: RunProblem;
  started_at?: Timestamp;
  ended_at?: Timestamp;
}
/**
 * Why a run or a step of it failed.
 */
export interface RunProblem {
  kind: RunProblemKind;
  /**
   * For people; nothing internal.
   */
  message: string;
  path?: StepPath;
  agent_error?: AgentError;
}
/**
 * A workflow: steps done by agents, and what follows what. `output_mapping` is a template of the run's output, any JSON; the output of the last step when absent.
 */
export interface WorkflowDefinition {
  workflow_id: WorkflowId;
  /**
   * For people.
   */
  name: string;
  version: WorkflowVersion;
  description?: WorkflowText;
  /**
   * JSON Schema 2020-12 of the input; anything is accepted when absent.
   */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
  start_step: StepId;
  /**
   * By their id.
   */
  steps: {
    [k: string]: WorkflowStep | undefined;
  };
  /**
   * How long a run may take, milliseconds.
   */
  deadline_ms?: number;
  /**
   * Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.
   */
  side_effects?: boolean;
  output_mapping?: unknown;
}
/**
 * Gives one task to one agent. `input_mapping` is a template of its input, any JSON: `${workflow.input.a.b[0]}`, `${step.output.x}`, `${item}`, `${index}`, with a default `${step.output.x ?? "none"}`; a string that is one reference keeps the type of what it points at; `$${` stands for `${`. Its output is what the agent answered.
 */
export interface AgentStep {
  id: StepId;
  type: "agent";
  title?: StepTitle;
  description?: WorkflowText;
  agent_name: AgentName;
  input_mapping: unknown;
  timeout_ms?: StepTimeout;
  on_error?: OnStepError;
  next_step?: NextStep;
}
/**
 * Runs steps at the same time. Its output is an object: step id to output.
 */
export interface ParallelStep {
  id: StepId;
  type: "parallel";
  title?: StepTitle;
  description?: WorkflowText;
  parallel_steps: StepList;
  max_parallelism?: StepParallelism;
  on_error?: OnStepError;
  next_step?: NextStep;
}
/**
 * Takes one of two branches, each to its end, then goes on. Its output is that of the last step it took, null without one.
 */
export interface ConditionalStep {
  id: StepId;
  type: "conditional";
  title?: StepTitle;
  description?: WorkflowText;
  condition: StepCondition;
  if_true_step?: NextStep;
  if_false_step?: NextStep;
  next_step?: NextStep;
}
/**
 * What decides.
 */
export interface StepCondition {
  /**
   * CEL, true or false, over `workflow.input`, `steps.<id>.output`, `item` and `index`; `${…}` stands for a reference. https://cel.dev
   */
  expression: string;
}
/**
 * Runs its body once for each item of an array. Its output is an array: for each item the output of the last step of the body.
 */
export interface LoopStep {
  id: StepId;
  type: "loop";
  title?: StepTitle;
  description?: WorkflowText;
  loop_config: LoopConfig;
  next_step?: NextStep;
}
/**
 * Over what, how, and what to do with each.
 */
export interface LoopConfig {
  /**
   * One reference to an array, or an array of templates.
   */
  collection: string | unknown[];
  /**
   * A second name for `item`, of use where loops are inside loops.
   */
  iterator_variable?: string;
  loop_body: StepList;
  /**
   * `sequential` when absent.
   */
  execution_mode?: "sequential" | "parallel";
  max_parallelism?: StepParallelism;
  /**
   * A longer array fails the step; 1000 when absent.
   */
  max_iterations?: number;
  /**
   * `stop` when absent.
   */
  on_error?: "stop" | "continue" | "collect";
}
/**
 * Runs branches at the same time until enough of them have succeeded; the others are canceled. Its output is an object: name of a branch that succeeded to the output of its last step.
 */
export interface ForkJoinStep {
  id: StepId;
  type: "fork_join";
  title?: StepTitle;
  description?: WorkflowText;
  fork_join_config: ForkJoinConfig;
  next_step?: NextStep;
}
/**
 * The branches and when they are enough.
 */
export interface ForkJoinConfig {
  /**
   * By name.
   */
  branches: {
    [k: string]: ForkBranch | undefined;
  };
  /**
   * How many have to succeed.
   */
  join_policy: "all" | "any" | "majority" | "n_of_m";
  /**
   * For `n_of_m`.
   */
  n_required?: number;
  branch_timeout_ms?: StepTimeout;
}
/**
 * A branch of a fork: steps one after the other.
 */
export interface ForkBranch {
  steps: StepList;
  timeout_ms?: StepTimeout;
}
/**
 * A run as a picture: every step of its definition is a node, in the state of all its instances together.
 */
export interface RunGraph {
  run_id: RunId1;
  revision: RunRevision;
  state: RunState;
  nodes: RunGraphNode[];
  edges: RunGraphEdge[];
}
export interface RunGraphNode {
  id: StepId;
  title: StepTitle;
  type: StepType;
  agent_name?: AgentName;
  state: StepState;
  parent?: StepId;
  /**
   * Of a loop its items that are done; inside of one, instances.
   */
  done?: number;
  total?: number;
}
export interface RunGraphEdge {
  from: StepId;
  to: StepId;
  kind: "next" | "inside";
  /**
   * The branch of a fork, or `true` and `false` of a condition.
   */
  label?: string;
  /**
   * Whether the run went there.
   */
  is_taken: boolean;
}
/**
 * A page of workflows, each in its latest version, by id.
 */
export interface WorkflowList {
  workflows: WorkflowSummary[];
  /**
   * That fit the question, on all pages.
   */
  total: number;
  limit: number;
  offset: number;
}
/**
 * A version of a workflow, without its steps.
 */
export interface WorkflowSummary {
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  name: string;
  description?: WorkflowText;
  created_at: Timestamp;
}
/**
 * A version of a workflow as it is stored.
 */
export interface WorkflowRecord {
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  created_at: Timestamp;
  definition: WorkflowDefinition;
}
/**
 * What the validator says of a definition.
 */
export interface WorkflowReport {
  valid: boolean;
  /**
   * All of them, each at a JSON pointer.
   */
  problems: ParamProblem[];
}
/**
 * The run itself has a new state; `output` is any JSON.
 */
export interface RunChanged {
  type: "run";
  run_id: RunId1;
  revision: RunRevision;
  at: Timestamp;
  state: RunState;
  output?: unknown;
  error?: RunProblem;
}
/**
 * A step is there, or has a new state.
 */
export interface StepChanged {
  type: "step";
  run_id: RunId1;
  revision: RunRevision;
  at: Timestamp;
  step: WorkflowStepRecord;
}
/**
 * A page of runs, latest first.
 */
export interface RunList {
  runs: WorkflowRunSummary[];
  /**
   * That fit the question, on all pages.
   */
  total: number;
  limit: number;
  offset: number;
}
/**
 * A run without its steps.
 */
export interface WorkflowRunSummary {
  run_id: RunId1;
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  name: string;
  state: RunState;
  revision: RunRevision;
  correlation_id: CorrelationId;
  error?: RunProblem;
  created_at: Timestamp;
  started_at?: Timestamp;
  ended_at?: Timestamp;
  deadline?: Timestamp;
}
/**
 * A run with every step, and the definition it runs whatever became of the workflow since. `input` and `output` are any JSON.
 */
export interface WorkflowRun {
  run_id: RunId1;
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  name: string;
  state: RunState;
  revision: RunRevision;
  correlation_id: CorrelationId;
  error?: RunProblem;
  created_at: Timestamp;
  started_at?: Timestamp;
  ended_at?: Timestamp;
  deadline?: Timestamp;
  input?: unknown;
  output?: unknown;
  definition: WorkflowDefinition;
  steps: WorkflowStepRecord[];
}
/**
 * Asks for a run, of the latest version unless one is named. `input` is what `${workflow.input}` refers to, any JSON; `{}` when absent. The header `Idempotency-Key` makes it safe to send again.
 */
export interface StartRunRequest {
  workflow_id: WorkflowId;
  version?: WorkflowVersion;
  input?: unknown;
  /**
   * Shortens the definition's own.
   */
  deadline_ms?: number;
  correlation_id?: CorrelationId;
}
