/* Generated from schemas/ by packages/contracts/scripts/generate.ts. Do not edit; run `pnpm generate`. */
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
  | "shutting_down";
/**
 * Where a task stands in the execution zone. submitted and working are open; the others are final.
 */
export type TaskState = "submitted" | "working" | "success" | "error" | "canceled" | "timed_out";
/**
 * Links a response to its request. JSON-RPC 2.0, section 4.
 */
export type JsonRpcId = string | number | null;
/**
 * A response object: exactly one of result and error. JSON-RPC 2.0, section 5.
 */
export type JsonRpcResponse = JsonRpcSuccess | JsonRpcFailure;
/**
 * The answer, or the word that the task was accepted and will be asked for. A failure is never a result: it is a JSON-RPC error.
 */
export type ExecuteTaskResult = TaskSucceeded | TaskAccepted;
/**
 * The final answer, or that the task still works. A failed task answers with its error.
 */
export type GetAsyncTaskResultResult = TaskSucceeded | TaskWorking;

/**
 * An error object. JSON-RPC 2.0, section 5.1.
 */
export interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
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
  [k: string]: unknown | undefined;
}
export interface ParamProblem {
  /**
   * RFC 6901 pointer, e.g. /channel.
   */
  pointer: string;
  message: string;
}
/**
 * What verification sends to execution: one request, params by name, a UUID as id. Never a batch, never a notification.
 */
export interface ZoneRequest {
  jsonrpc: "2.0";
  method: "execute_task" | "get_async_task_result" | "cancel_task" | "list_agents";
  params: {
    [k: string]: unknown | undefined;
  };
  id: RequestId;
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
   * Name of the agent that shall answer; the zone's default when absent.
   */
  agent?: string;
  /**
   * Earlier messages of the thread, oldest first.
   */
  thread?: ThreadMessage[];
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
export interface GetAsyncTaskResultParams {
  task_id: TaskId;
  /**
   * How long the answer may be held back while the task works, milliseconds. The server may hold it for less.
   */
  wait_ms?: number;
  [k: string]: unknown | undefined;
}
/**
 * The task is not final yet.
 */
export interface TaskWorking {
  status: "working";
  task_id: TaskId;
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
 * An agent that `execute_task` can be asked for by name.
 */
export interface AgentSummary {
  name: string;
  description: string;
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
