/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
/**
 * A piece of a message or an artifact: text, a file, or data. A2A 0.3, section 6.5.
 */
export type A2APart = A2ATextPart | A2AFilePart | A2ADataPart;
/**
 * Identifies a run, a task or a correlation on the bus. The sender chooses it, and it can contain any characters. Quote it before you use it in a header or a log line.
 */
export type BusId = string;
/**
 * The methods that can send a task. The default is `message/send`; some agents need another one.
 */
export type A2ASendMethod = "message/send" | "tasks/send" | "agent/invoke";
/**
 * The result of `message/send`: a task, or a message if the agent creates no task.
 */
export type A2ASendResult = A2ATask | A2AMessage;
/**
 * State of a task at the agent. A2A 0.3, section 6.3.
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
 * A time, RFC 3339. Without an offset it is UTC.
 */
export type Timestamp = string;
/**
 * Identifies one Slack message in both zones, their logs, the bus and every agent. Printable ASCII, no spaces.
 */
export type CorrelationId = string;
/**
 * What a bulk action does with each of its items.
 */
export type BulkActionKind =
  | "run.cancel"
  | "run.retry"
  | "input_request.withdraw"
  | "dead_letter.replay"
  | "dead_letter.discard"
  | "message.replay"
  | "message.discard";
/**
 * Id of a run, an input request or a dead letter, or the reference of a message.
 */
export type BulkItemId = string;
/**
 * The kind of an agent error. Each kind has one row in the catalog of agent errors (agent-errors.json).
 */
export type AgentErrorKind =
  | "invalid_task"
  | "unknown_agent"
  | "agent_disabled"
  | "protocol_unsupported"
  | "address_refused"
  | "card_refused"
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
  | "task_lost"
  | "answer_lost"
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
 * Name of an agent in the registry. 1 to 255 characters, no control characters.
 */
export type AgentName = string;
/**
 * Identifies a task of the execution zone. Created by execution, not guessable.
 */
export type TaskId = string;
/**
 * The JSON-RPC id of a zone request: a UUID created by verification. It is also the idempotency key: if the same caller sends it again, it gets the same task.
 */
export type RequestId = string;
/**
 * The kind of an error. Each kind has one row in the error catalog (errors.json).
 */
export type ErrorKind =
  | "parse_error"
  | "invalid_request"
  | "method_not_found"
  | "invalid_params"
  | "internal"
  | "timeout"
  | "task_not_found"
  | "input_request_not_found"
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
  | "agent_misconfigured"
  | "agent_lost_task"
  | "agent_lost_answer"
  | "zone_unavailable";
/**
 * State of a task in the execution zone. submitted, working and input_required are open; all other states are final.
 */
export type TaskState = "submitted" | "working" | "input_required" | "success" | "error" | "canceled" | "timed_out";
/**
 * A reference to a secret, never the secret itself: an environment variable, or a file of the secrets folder.
 */
export type SecretReference = string;
/**
 * Name of a file of a task's answer, unique within the task.
 */
export type TaskFileId = string;
/**
 * State of a message in the verification zone.
 */
export type MessageState =
  "open" | "answered" | "denied" | "rejected" | "parked" | "given_up" | "withdrawn" | "discarded" | "missed";
/**
 * How a message stands, as people see it: as `MessageState`, but an answer that says that it failed, or was stopped, is no answer.
 */
export type MessageStanding =
  | "open"
  | "waiting"
  | "answered"
  | "failed"
  | "stopped"
  | "no_question"
  | "denied"
  | "rejected"
  | "parked"
  | "given_up"
  | "withdrawn"
  | "discarded"
  | "missed";
/**
 * What an operator does with a parked message.
 */
export type MessageAct = "replay" | "discard";
/**
 * The agent's protocol: `auto` (the default; chosen from the agent card), `a2a-1.0`, `jsonrpc-2.0` (A2A 0.3), `simple-a2a`, or an adapter that was added.
 */
export type AgentProtocol = string;
/**
 * Name of the hook.
 */
export type ScheduleName = string;
/**
 * Required for `hmac`; of `bearer`, when the token is not in `Authorization`.
 */
export type HookHeader = string;
/**
 * Name of an agent in the registry. 1 to 255 characters, no control characters.
 */
type AgentName1 = string;
/**
 * The event that it sends to runs.
 */
export type EventName = string;
/**
 * Identifies a fire. It is also the JSON-RPC id and the correlation id of its question, the id of its task, and of its run if it starts a workflow. UUID.
 */
export type FireId = string;
/**
 * What started it.
 */
export type FireSource = "schedule" | "hook";
/**
 * Name of the schedule or hook.
 */
type ScheduleName1 = string;
/**
 * State of a fire.
 */
export type FireState = "queued" | "due" | "running" | "ended" | "skipped";
/**
 * State of a message in the verification zone.
 */
type MessageState1 =
  "open" | "answered" | "denied" | "rejected" | "parked" | "given_up" | "withdrawn" | "discarded" | "missed";
/**
 * Name of an agent in the registry. 1 to 255 characters, no control characters.
 */
type AgentName2 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp1 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp2 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp3 = string;
/**
 * Name of the hook, the end of its path.
 */
type ScheduleName2 = string;
/**
 * What identifies a delivery: within seven days, the same starts nothing again. Default: the signed id of Standard Webhooks, otherwise the whole body.
 */
export type HookPlace = string;
/**
 * Name of an agent in the registry. 1 to 255 characters, no control characters.
 */
type AgentName3 = string;
/**
 * Name of an event, chosen by the author of the workflow.
 */
type EventName1 = string;
/**
 * Name of a header, in lower case.
 */
type HookHeader1 = string;
/**
 * A part of a request: a JSON pointer into its body, such as `/issue/id`, or the name of a header, in lower case.
 */
type HookPlace1 = string;
/**
 * Identifies an input request. Created by execution, not guessable.
 */
export type InputRequestId = string;
/**
 * An answer to an input request. `approve` and `deny` fit the kind `approve`; `deny` declines any other kind.
 */
export type InputAnswer = InputApproval | InputDenial | InputReply;
/**
 * A value of a form: text, a number, or yes or no.
 */
export type InputValue = string | number | boolean;
/**
 * What became of it.
 */
export type InputOutcome =
  "decided" | "counted" | "already_decided" | "already_voted" | "not_eligible" | "expired" | "withdrawn" | "changed";
/**
 * Identifies a task of the execution zone. Created by execution, not guessable.
 */
type TaskId1 = string;
/**
 * The workflow run that waits.
 */
export type RunId = string;
/**
 * What a person gives: a yes or no, one of several options, a text, or the fields of a form.
 */
export type InputKind = "approve" | "choose" | "text" | "form";
/**
 * State of an input request. Only `open` requests take votes; `approved` becomes `used` when the action runs.
 */
export type InputState = "open" | "approved" | "denied" | "answered" | "expired" | "withdrawn" | "used" | "void";
/**
 * A value of a form: text, a number, or yes or no.
 */
type InputValue1 = string | number | boolean;
/**
 * Who sees the request: everyone in the thread, or only the people who can decide.
 */
export type InputVisibility = "thread" | "private";
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp4 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp5 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp6 = string;
/**
 * What the person said.
 */
export type InputVerdict = "approve" | "deny" | "answer";
/**
 * Where the answer was given.
 */
export type InputSurface = "slack" | "console" | "api" | "a2a" | "mcp";
/**
 * An answer to an input request. `approve` and `deny` fit the kind `approve`; `deny` declines any other kind.
 */
type InputAnswer1 = InputApproval | InputDenial | InputReply;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp7 = string;
/**
 * Links a response to its request. JSON-RPC 2.0, section 4.
 */
export type JsonRpcId = string | number | null;
/**
 * A response object: exactly one of result and error. JSON-RPC 2.0, section 5.
 */
export type JsonRpcResponse = JsonRpcSuccess | JsonRpcFailure;
/**
 * State of a step.
 */
export type StepState = "pending" | "running" | "succeeded" | "failed" | "canceled" | "skipped";
/**
 * Id of a workflow, chosen by its author. Agents and workflows share one namespace.
 */
export type WorkflowId = string;
/**
 * The kind of a failure of a run or a step.
 */
export type RunProblemKind =
  | "agent_failed"
  | "input_denied"
  | "input_withdrawn"
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
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp8 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp9 = string;
/**
 * URL of the agent, http or https. No credentials, no fragment.
 */
export type AgentUrl = string;
/**
 * What the agent can do, for people.
 */
export type AgentDescription = string;
/**
 * How Crosszone authenticates to an agent. Secrets are referenced, never included.
 */
export type AgentAuth =
  AgentAuthNone | AgentAuthBearer | AgentAuthApiKey | AgentAuthBasic | AgentAuthOAuth2ClientCredentials | AgentAuthMtls;
/**
 * Timeout of one call, milliseconds.
 */
export type AgentTimeout = number;
/**
 * Maximum number of concurrent calls of one process to this agent.
 */
export type AgentConcurrency = number;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp10 = string;
/**
 * Path of a step instance: the step's id; in a loop with the index of the item and the enclosing ids, e.g. `each[3].ask`.
 */
export type StepPath = string;
/**
 * Name of a schedule or hook: lowercase letters, digits, dots, underscores and hyphens.
 */
type ScheduleName3 = string;
/**
 * What a person does with a schedule.
 */
export type ScheduleChange = "pause" | "resume" | "fire" | "remove";
/**
 * Name of an agent in the registry. 1 to 255 characters, no control characters.
 */
type AgentName4 = string;
/**
 * A paused schedule does not fire.
 */
export type ScheduleState = "active" | "paused";
/**
 * Identifies an input request. Created by execution, not guessable.
 */
type InputRequestId1 = string;
/**
 * Where it is defined. One from the section schedules of EXECUTION_FILE is changed there.
 */
export type ScheduleSource = "file" | "api" | "slack";
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp11 = string;
/**
 * What became of it.
 */
export type FireOutcome = "accepted" | "refused" | "owner_left";
/**
 * Agents over HTTP, in addition to those of the API.
 */
export type AgentsSection = AgentSettings[];
/**
 * People by Slack id.
 *
 * @maxItems 20
 */
export type SlackIds = string[];
/**
 * User groups by Slack id.
 *
 * @maxItems 20
 */
type SlackIds1 = string[];
/**
 * Pattern of the agent that calls.
 */
export type SettingText = string;
/**
 * Pattern of the tool, agent or workflow that is called.
 */
type SettingText1 = string;
/**
 * Pattern of the Slack channel.
 */
type SettingText2 = string;
/**
 * Time to decide, at least 1s.
 */
export type TimeSpan = string;
/**
 * Time to use an approval, at least 1s.
 */
type TimeSpan1 = string;
/**
 * How often the deciders are reminded, at least 1m. Default: never.
 */
type TimeSpan2 = string;
/**
 * People who are reminded too.
 *
 * @maxItems 20
 */
type SlackIds2 = string[];
/**
 * Time to decide, at least 1s.
 */
type TimeSpan3 = string;
/**
 * Time to use an approval, at least 1s.
 */
type TimeSpan4 = string;
/**
 * How often the deciders are reminded, at least 1m. Default: never.
 */
type TimeSpan5 = string;
/**
 * People who are reminded too.
 *
 * @maxItems 20
 */
type SlackIds3 = string[];
/**
 * One line of text.
 */
type SettingText3 = string;
/**
 * Groups that see runs.
 *
 * @maxItems 1000
 */
export type GroupNames = SettingText3[];
/**
 * Groups that also act on runs.
 *
 * @maxItems 1000
 */
type GroupNames1 = SettingText3[];
/**
 * Groups that also change agents and tokens.
 *
 * @maxItems 1000
 */
type GroupNames2 = SettingText3[];
/**
 * Groups that read the audit log.
 *
 * @maxItems 1000
 */
type GroupNames3 = SettingText3[];
/**
 * The identity provider: its URL, from which its metadata is read.
 */
export type WebAddress = string;
/**
 * One line of text.
 */
type SettingText4 = string;
/**
 * The claim with a person's groups.
 */
export type ClaimPath = string | SettingText3[];
/**
 * Groups that see the content of questions and answers.
 *
 * @maxItems 1000
 */
type GroupNames4 = SettingText3[];
/**
 * The claim with a person's Slack user id.
 */
type ClaimPath1 = string | SettingText3[];
/**
 * The claim with a person's Slack team id. Default: that of Sign in with Slack, if `slack_claim` is.
 */
type ClaimPath2 = string | SettingText3[];
/**
 * Time without a request, at least 1m.
 */
type TimeSpan6 = string;
/**
 * Time after the sign-in, 1m to 24h.
 */
type TimeSpan7 = string;
/**
 * Path of a file that has this section under its name, or a list of such paths, which can have `*`. Relative to the file that names it.
 */
export type SettingFiles = string | string[];
/**
 * The issuer of the tokens: their claim `iss`.
 */
type WebAddress1 = string;
/**
 * URL of its keys. Default: that of its metadata.
 */
type WebAddress2 = string;
/**
 * One line of text.
 */
type SettingText5 = string;
/**
 * One line of text.
 */
type SettingText6 = string;
/**
 * One line of text.
 */
type SettingText7 = string;
/**
 * One line of text.
 */
type SettingText8 = string;
/**
 * The webhooks that start agents and workflows, at `/hooks/<name>` of ASK_PORT. A hook with a mistake is left out alone.
 */
export type HooksSection = HookSettings[];
/**
 * Name of an agent in the registry. 1 to 255 characters, no control characters.
 */
type AgentName5 = string;
/**
 * Schedules, in addition to those of the API and of Slack.
 */
export type SchedulesSection = ScheduleEntry[];
/**
 * URL of the server. It allows calls to its origin.
 */
type WebAddress3 = string;
/**
 * A reference to a secret, never the secret itself: an environment variable, or a file of the secrets folder.
 */
type SecretReference1 = string;
/**
 * The authorization server.
 */
type WebAddress4 = string;
/**
 * How long the program may take to start, at least 100ms. Default: 60s.
 */
type TimeSpan8 = string;
/**
 * Time of a call, at least 100ms.
 */
type TimeSpan9 = string;
/**
 * The MCP servers of the assistant. Their tools are pinned; an admin approves changes. Edits apply after a restart.
 *
 * @maxItems 50
 */
export type McpSection = McpServerSettings[];
/**
 * A time span with its unit, such as `500ms`, `30s`, `10m`, `24h` or `14d`.
 */
type TimeSpan10 = string;
/**
 * A URL without a user, a password and a fragment.
 */
type WebAddress5 = string;
/**
 * Name of a claim, or the names that lead to one inside of others.
 */
type ClaimPath3 = string | SettingText3[];
/**
 * Names of groups.
 *
 * @maxItems 1000
 */
type GroupNames5 = SettingText3[];
/**
 * Slack ids of people, groups or channels.
 *
 * @maxItems 20
 */
type SlackIds4 = string[];
/**
 * A Slack conversation by id; `dm` means every direct message.
 */
export type ConversationId = string;
/**
 * A Slack workspace or organization by id.
 */
export type TeamId = string;
/**
 * A Slack user by id.
 */
export type UserId = string;
/**
 * A Slack app or user by id.
 */
export type AppOrUserId = string;
/**
 * Name of a reaction, without colons.
 */
export type ReactionName = string;
/**
 * Whose replies in a thread are questions without a mention.
 */
export type FollowMode = "requester" | "everybody" | "mentions";
/**
 * Whose replies in a thread are questions without a mention.
 */
type FollowMode1 = "requester" | "everybody" | "mentions";
/**
 * Identifies a fire. It is also the JSON-RPC id and the correlation id of its question, the id of its task, and of its run if it starts a workflow. UUID.
 */
type FireId1 = string;
/**
 * The answer, or an acknowledgment that the task was accepted. A failure is never a result: it is a JSON-RPC error.
 */
export type ExecuteTaskResult = TaskSucceeded | TaskAccepted | TaskInputRequired;
/**
 * The answer is the agent's question. The next message with the same `context_id` answers it.
 */
export type TaskAwaits = "input" | "authorization";
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp12 = string;
/**
 * The final answer, or the state of a working task. For a failed task, the response is its error.
 */
export type GetAsyncTaskResultResult = TaskSucceeded | TaskWorking | TaskInputRequired;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp13 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp14 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp15 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp16 = string;
/**
 * How a message stands, as people see it: as `MessageState`, but an answer that says that it failed, or was stopped, is no answer.
 */
type MessageStanding1 =
  | "open"
  | "waiting"
  | "answered"
  | "failed"
  | "stopped"
  | "no_question"
  | "denied"
  | "rejected"
  | "parked"
  | "given_up"
  | "withdrawn"
  | "discarded"
  | "missed";
/**
 * What an operator does with a parked message.
 */
type MessageAct1 = "replay" | "discard";
/**
 * The workflow run of the task. Present for one task.
 */
type RunId1 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp17 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp18 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp19 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp20 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp21 = string;
/**
 * What a step does.
 */
export type StepType =
  "agent" | "human" | "wait" | "workflow" | "prompt" | "parallel" | "conditional" | "loop" | "fork_join";
/**
 * Name of the step that people see while it runs. Default: its id.
 */
export type StepTitle = string;
/**
 * Identifies a run, a task or a correlation on the bus. The sender chooses it, and it can contain any characters. Quote it before you use it in a header or a log line.
 */
type BusId1 = string;
/**
 * What an operator does with a parked message.
 */
type MessageAct2 = "replay" | "discard";
/**
 * An event of a running task: the params of the notification `task_event`. A caller that accepts `text/event-stream` gets these before the response to `execute_task` and `get_async_task_result`. They are a preview; the response is complete without them.
 */
export type TaskEvent = TaskStarted | TaskText | TaskProgressed | TaskInputRequested;
/**
 * Names the holder of an API token. No two live tokens have the same name.
 */
export type TokenName = string;
/**
 * What the holder of an API token can do.
 */
export type TokenScope =
  "ask" | "runs:read" | "runs:act" | "content:read" | "agents:write" | "audit:read" | "tokens:write";
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp22 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp23 = string;
/**
 * SHA-256 of a token, hex.
 */
export type TokenDigest = string;
/**
 * How usage is grouped.
 */
export type UsageGrouping = "person" | "channel" | "team" | "agent" | "model" | "schedule" | "hook" | "day";
/**
 * A day in UTC.
 */
export type UsageDay = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp24 = string;
/**
 * Id of a run. Created by execution, not guessable.
 */
type RunId2 = string;
/**
 * Id of a step. Not `workflow`, `steps`, `item` or `index`: references use these words.
 */
export type StepId = string;
/**
 * Id of a run. Created by execution, not guessable.
 */
type RunId3 = string;
/**
 * A version of a workflow. Stored versions never change.
 */
export type WorkflowVersion = string;
/**
 * For people.
 */
export type WorkflowText = string;
/**
 * A step of a workflow. In the older format, a step without `type` is an agent step.
 */
export type WorkflowStep =
  | AgentStep
  | HumanStep
  | WaitStep
  | SubWorkflowStep
  | PromptStep
  | ParallelStep
  | ConditionalStep
  | LoopStep
  | ForkJoinStep;
/**
 * Id of a step. Not `workflow`, `steps`, `item` or `index`: references use these words.
 */
type StepId1 = string;
/**
 * Timeout, milliseconds.
 */
export type StepTimeout = number;
/**
 * What a failure does to the run. Default: `fail`.
 */
export type OnStepError = "fail" | "continue";
/**
 * The next step; null ends the chain.
 */
export type NextStep = string | null;
/**
 * Who sees the request: everyone in the thread, or only the people who can decide.
 */
type InputVisibility1 = "thread" | "private";
/**
 * How long, milliseconds: at most 400 days.
 */
export type WaitTime = number;
/**
 * How long at most, milliseconds. Default: 400 days.
 */
type WaitTime1 = number;
/**
 * A version of a workflow. Stored versions never change.
 */
type WorkflowVersion1 = string;
/**
 * Ids of steps, in order. Their own `next_step` is null, absent or the next of the list.
 *
 * @minItems 1
 */
export type StepList = StepId[];
/**
 * Maximum number that run at the same time. Default: the limit of the run.
 */
export type StepParallelism = number;
/**
 * Increases by one with each change of the run. Orders its events.
 */
export type RunRevision = number;
/**
 * State of a run. pending and running are open; the others are final.
 */
export type RunState = "pending" | "running" | "succeeded" | "failed" | "canceled" | "timed_out";
/**
 * A time to wait, milliseconds.
 */
type WaitTime2 = number;
/**
 * A change of a run, as sent to watchers. The last one says that the run is final.
 */
export type WorkflowRunEvent = RunChanged | StepChanged;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp25 = string;
/**
 * A time, RFC 3339. Without an offset it is UTC.
 */
type Timestamp26 = string;

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
   * URL of the preferred transport.
   */
  url: string;
  /**
   * Version of the agent.
   */
  version: string;
  /**
   * JSONRPC when absent.
   */
  preferredTransport?: string;
  /**
   * The organization that runs the agent.
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
 * An output of the agent. A2A 0.3, section 6.7.
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
 * A file, by value or by URL.
 */
export interface A2AFile {
  name?: string;
  mimeType?: string;
  /**
   * The contents, Base64.
   */
  bytes?: string;
  /**
   * URL of the contents.
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
 * Sends a task to an agent. The id is that of the agent task. A2A 0.3, section 7.1.
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
   * How the client wants the answer.
   */
  configuration?: {
    /**
     * Media types.
     */
    acceptedOutputModes?: string[];
    /**
     * Whether the response may wait until the task ends.
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
 * One message between client and agent. Servers that support only one kind of result may omit `kind`. A2A 0.3, section 6.4.
 */
export interface A2AMessage {
  kind?: "message";
  /**
   * The sender: user is the client.
   */
  role: "user" | "agent";
  /**
   * Created by the sender.
   */
  messageId: string;
  /**
   * @minItems 1
   */
  parts: A2APart[];
  /**
   * The task of the message.
   */
  taskId?: string;
  /**
   * The conversation of the message.
   */
  contextId?: string;
  /**
   * Other tasks that the message refers to.
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
   * Created by the agent.
   */
  id: string;
  /**
   * The conversation of the task.
   */
  contextId: string;
  status: A2ATaskStatus;
  /**
   * The agent's outputs, in order.
   */
  artifacts?: A2AArtifact[];
  /**
   * The messages of the task, oldest first.
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
 * Requests the state of a task from an agent. A2A 0.3, section 7.3.
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
     * Number of latest messages to return.
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
 * Events of the audit log, latest first.
 */
export interface AuditEventList {
  events: AuditRecord[];
  names?: Names;
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
  [k: string]: unknown | undefined;
}
/**
 * An event of the audit log with its place.
 */
export interface AuditRecord {
  /**
   * The place in the tree. Null until a checkpoint covers the event.
   */
  position: number | null;
  /**
   * The hash of the event, base64.
   */
  leaf: string;
  event: AuditEvent;
  /**
   * Personal or secret text. Absent if it was erased, or can't be decrypted.
   */
  content?: {
    salt: string;
    members: {
      [k: string]: unknown | undefined;
    };
    [k: string]: unknown | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * An act of a named actor, as it is in the tree of the audit log.
 */
export interface AuditEvent {
  id: string;
  at: Timestamp;
  /**
   * What was done, such as input.decide.
   */
  action: string;
  outcome: "done" | "rejected";
  /**
   * Who acted.
   */
  actor: {
    type: "person" | "token" | "subject" | "bootstrap" | "zone" | "bot";
    id: string;
    team?: string;
    [k: string]: unknown | undefined;
  };
  /**
   * What the act was about.
   */
  target: {
    type: string;
    id: string;
    [k: string]: unknown | undefined;
  };
  /**
   * Where the actor acted.
   */
  surface: "slack" | "cli" | "api" | "page" | "a2a" | "mcp" | "zone";
  correlation_id?: string;
  /**
   * The version of the policy that allowed or rejected it.
   */
  policy?: string;
  details?: {
    [k: string]: string | number | boolean | null | undefined;
  };
  /**
   * The salted SHA-256 of each member of the content, hex.
   */
  content?: {
    [k: string]: string | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * Names of people and channels by Slack id, as verification last reported them. An id without a known name is absent.
 */
export interface Names {
  [k: string]: string | undefined;
}
/**
 * The signed head of the audit log.
 */
export interface AuditHead {
  /**
   * The name of the log in its checkpoints.
   */
  origin: string;
  /**
   * The Ed25519 key that verifies them, base64.
   */
  public_key: string;
  /**
   * Events that the checkpoint covers.
   */
  size: number;
  /**
   * The signed note, https://c2sp.org/tlog-checkpoint. Absent before the first one.
   */
  checkpoint?: string;
  /**
   * Events that no checkpoint covers.
   */
  waiting: number;
  [k: string]: unknown | undefined;
}
/**
 * The proof of one event.
 */
export interface AuditReceipt {
  format: "crosszone-audit-receipt/1";
  public_key: string;
  position: number;
  /**
   * The hash of the event, base64.
   */
  leaf: string;
  event: AuditEvent;
  /**
   * Personal or secret text. Absent if it was erased, or can't be decrypted.
   */
  content?: {
    salt: string;
    members: {
      [k: string]: unknown | undefined;
    };
    [k: string]: unknown | undefined;
  };
  /**
   * The hashes that lead to the root, base64.
   */
  proof: string[];
  /**
   * The signed note of the root.
   */
  checkpoint: string;
  [k: string]: unknown | undefined;
}
/**
 * The latest bulk actions, newest first.
 */
export interface BulkActionList {
  bulk_actions: BulkAction[];
}
/**
 * One action on many items, and how far it is. Each item is an event of the audit log with the id of the bulk action as its correlation id.
 */
export interface BulkAction {
  bulk_action_id: CorrelationId;
  action: BulkActionKind;
  state: "running" | "stopping" | "stopped" | "finished";
  total: number;
  /**
   * Items that it changed.
   */
  done: number;
  /**
   * Items that it left alone: they have ended, for example, or no longer exist.
   */
  skipped: number;
  /**
   * Items that could not be changed. The same action on them can succeed later.
   */
  failed: number;
  /**
   * The person or token that started it, as in the audit log.
   */
  created_by: string;
  created_at: Timestamp;
  ended_at?: Timestamp;
  /**
   * Why the zone stopped it, and how many items are left. Absent when a person stopped it.
   */
  stopped_because?: string;
  /**
   * The items that were skipped or failed. Present for one bulk action.
   */
  problems?: {
    id: BulkItemId;
    outcome: "skipped" | "failed";
    reason: string;
  }[];
}
/**
 * The dead letters of the bus, oldest first.
 */
export interface DeadLetterList {
  dead_letters: DeadLetter[];
  total: number;
}
/**
 * A message of the bus that could not be processed, without its content.
 */
export interface DeadLetter {
  id: BulkItemId;
  /**
   * The consumer group that could not process it; `outbox` if no topic accepted it.
   */
  group: string;
  reason: string;
  attempts: number;
  dead_at: Timestamp;
}
/**
 * What to do, and with which items.
 */
export interface StartBulkActionRequest {
  action: BulkActionKind;
  /**
   * The items, in the order in which the zone works on them. One that is named twice counts once.
   *
   * @minItems 1
   * @maxItems 5000
   */
  ids: BulkItemId[];
}
/**
 * Cancels an agent task.
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
 * Why an agent task failed. `data` is further data from the agent, any JSON value.
 */
export interface AgentError {
  kind: AgentErrorKind;
  /**
   * For people. Contains no internal details.
   */
  message: string;
  /**
   * Whether the same task can succeed if it is sent again.
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
   * What went wrong, in a sentence; null on SUCCESS.
   */
  error_message: string | null;
  timestamp: Timestamp;
  error?: AgentError;
  /**
   * Number of calls to the agent.
   */
  attempts?: number;
  /**
   * From the start of the task to its end, milliseconds.
   */
  duration_ms?: number;
  /**
   * Names of the task's files that were not sent to the agent, because its card does not accept their types.
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
   * URL of the contents. The agent can fetch them once, while the task runs.
   */
  url?: string;
  [k: string]: unknown | undefined;
}
/**
 * A task for one agent, as the executor publishes it. `input_data` is any JSON value.
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
 * One rule of a protocol, checked against an agent. `problem`, `fix`, `sent` and `received` belong to a failed check; `problem` also says why a check was skipped.
 */
export interface ConformanceCheck {
  /**
   * Stable name, unique within a protocol, for example `id-echoed`.
   */
  id: string;
  protocol: AgentProtocol;
  /**
   * What a compliant agent does.
   */
  title: string;
  /**
   * A failed `must` makes the agent noncompliant; a failed `should` is a warning; a failed `hint` is no verdict: the specification leaves it open, and people are served better by it.
   */
  level: "must" | "should" | "hint";
  status: "passed" | "failed" | "skipped";
  /**
   * The rule, in our words.
   */
  rule: string;
  /**
   * Where the rule is written.
   */
  source: string;
  /**
   * What the agent did instead.
   */
  problem?: string;
  /**
   * What to change in the agent.
   */
  fix?: string;
  sent?: {
    method: string;
    url: string;
    /**
     * At most 4,096 characters. Credentials are never included.
     */
    body?: string;
  };
  received?: {
    /**
     * HTTP status. Absent when the agent did not respond.
     */
    status?: number;
    content_type?: string;
    /**
     * At most 4,096 characters. Of a stream, the raw events.
     */
    body?: string;
  };
}
/**
 * The result of checking an agent against the protocols that it serves. `compliant` is true when at least one check ran, no `must` failed, and the time limit cut off no `must`.
 */
export interface ConformanceReport {
  /**
   * The URL that was checked.
   */
  url: string;
  /**
   * Name from the agent card.
   */
  agent?: string;
  /**
   * The protocols that were checked. Empty when the agent speaks none of them.
   *
   * @maxItems 8
   */
  protocols: AgentProtocol[];
  compliant: boolean;
  started_at: Timestamp;
  /**
   * Milliseconds.
   */
  duration_ms: number;
  summary: {
    passed: number;
    /**
     * Failed checks of level `must`.
     */
    failed: number;
    /**
     * Failed checks of level `should`.
     */
    warned: number;
    skipped: number;
  };
  /**
   * @maxItems 500
   */
  checks: ConformanceCheck[];
}
/**
 * The hooks of the zone, in the order of the section hooks of EXECUTION_FILE.
 */
export interface HookList {
  hooks: Hook[];
  names?: Names;
  /**
   * Hooks that have a mistake and are not served. Absent if there is none.
   */
  left_out?: LeftOutHook[];
}
/**
 * A hook of the settings, without its secrets. It has either `agent` or `event`.
 */
export interface Hook {
  name: ScheduleName;
  /**
   * For people.
   */
  title?: string;
  owner: Owner;
  /**
   * Where its sender posts.
   */
  url: string;
  sign: HookForm;
  agent?: AgentName1;
  event?: EventName;
  /**
   * Slack channel of the answers. Default: the owner's direct messages.
   */
  channel?: string;
  cap?: Cap;
  used?: CapUse;
  last_fire?: Fire;
  refused?: HookRefusals;
  /**
   * What keeps its fires from starting anything, such as an agent that does not exist.
   */
  warnings?: string[];
}
/**
 * The person in Slack as whom it acts: the policy, the budgets and the approvals of this person apply.
 */
export interface Owner {
  /**
   * The Slack team.
   */
  team_id: string;
  /**
   * The Slack user.
   */
  user_id: string;
  /**
   * The person's name, if known.
   */
  name?: string;
}
/**
 * How a sender proves itself.
 */
export interface HookForm {
  kind: "github" | "slack" | "standard" | "stripe" | "hmac" | "bearer";
  header?: HookHeader;
  /**
   * Of `hmac`: what precedes the signature in the header.
   */
  prefix?: string;
  /**
   * Of `hmac`. Default: `hex`.
   */
  encoding?: "hex" | "base64";
}
/**
 * The most that it may use in a UTC day. At least one member is required. Tokens and dollars count what language models use for it, and a model call that may exceed them is refused before it is made.
 */
export interface Cap {
  /**
   * Fires.
   */
  fires?: number;
  /**
   * Input and output tokens.
   */
  tokens?: number;
  /**
   * US dollars.
   */
  usd?: number;
}
/**
 * What it has used of its cap this UTC day. Absent for an event.
 */
export interface CapUse {
  fires: number;
  tokens: number;
  usd: number;
}
/**
 * One start of a schedule or hook.
 */
export interface Fire {
  fire_id: FireId;
  source: FireSource;
  name: ScheduleName1;
  /**
   * Title of the schedule or hook.
   */
  title?: string;
  state: FireState;
  outcome?: MessageState1;
  /**
   * Why it was skipped, or did not succeed.
   */
  reason?: string;
  owner: Owner;
  agent: AgentName2;
  /**
   * The question. Only for verification, and in lists for those who may read content.
   */
  text?: string;
  /**
   * Who wrote the question of a schedule if its owner did not, as in the audit log: `token:ci`. Present if `list_fires` asks for `authors`.
   */
  written_by?: string;
  /**
   * Slack channel of the answer. Absent for the owner's direct messages.
   */
  channel?: string;
  /**
   * First message of the thread of the answer, if given.
   */
  thread_ts?: string;
  scheduled_at: Timestamp1;
  created_at: Timestamp2;
  ended_at?: Timestamp3;
}
/**
 * The deliveries that were refused in the last 24 hours. Absent if none was. At most sixty a minute, and 1,000 in all, are counted.
 */
export interface HookRefusals {
  count: number;
  last_at: Timestamp;
  /**
   * The most frequent first.
   */
  reasons: HookRefusalReason[];
}
export interface HookRefusalReason {
  /**
   * As in the log event `hook_refused`.
   */
  reason: string;
  count: number;
}
export interface LeftOutHook {
  /**
   * The hook's name, or its place in the file.
   */
  name: string;
  /**
   * Its mistakes, one in a line.
   */
  because: string;
}
/**
 * A hook of the settings. Either `agent` with `cap` and one of `text` and `input`, or `event`.
 */
export interface HookSettings {
  name: ScheduleName2;
  /**
   * For people.
   */
  title?: string;
  owner: Owner;
  sign: HookForm;
  /**
   * The secrets of the sender, 16 bytes or more. Several support rotation.
   *
   * @minItems 1
   * @maxItems 5
   */
  secrets: SecretReference[];
  /**
   * The longest body. Default: 1000000.
   */
  max_bytes?: number;
  /**
   * The most deliveries, also at once. Default: 600.
   */
  per_minute?: number;
  /**
   * JSON Schema 2020-12 of the body.
   */
  schema?: {
    [k: string]: unknown | undefined;
  };
  id?: HookPlace;
  /**
   * The values that each place may have. Other deliveries are ignored.
   */
  only?: {
    /**
     * @minItems 1
     * @maxItems 100
     */
    [k: string]: unknown[] | undefined;
  };
  /**
   * A CEL condition over `body` and `headers`. Deliveries for which it is false are ignored.
   */
  if?: string;
  agent?: AgentName3;
  /**
   * The question: a template with `${body…}` and `${headers…}`.
   */
  text?: string;
  /**
   * The input of the workflow: a template.
   */
  input?: {
    [k: string]: unknown | undefined;
  };
  event?: HookEvent;
  /**
   * Slack channel of the answer. Default: the owner's direct messages with the app.
   */
  channel?: string;
  /**
   * First message of the thread for all answers. Default: each answer begins a thread.
   */
  thread_ts?: string;
  cap?: Cap;
}
/**
 * The event to send to runs that wait for it. Its payload is the body.
 */
export interface HookEvent {
  name: EventName1;
  /**
   * Template of the key.
   */
  key: string;
}
/**
 * A person's answer. Verification proves the person, and reads the groups of the person and of all earlier voters at this moment.
 */
export interface AnswerInputParams {
  request_id: InputRequestId;
  answer: InputAnswer;
  by: InputVoter;
  /**
   * Earlier voters as they are now. A vote of a person who is absent here does not count.
   */
  voters?: InputVoter1[];
  /**
   * The digest of the action that the person saw. Needed for an approval of an action.
   */
  digest?: string;
  [k: string]: unknown | undefined;
}
/**
 * Yes.
 */
export interface InputApproval {
  verdict: "approve";
  /**
   * Why.
   */
  reason?: string;
  [k: string]: unknown | undefined;
}
/**
 * No.
 */
export interface InputDenial {
  verdict: "deny";
  /**
   * Why.
   */
  reason?: string;
  [k: string]: unknown | undefined;
}
/**
 * The value of an option, a text, or the values of a form.
 */
export interface InputReply {
  verdict: "answer";
  /**
   * The option's value, or the text.
   */
  value?: string;
  /**
   * The form's values by the names of its fields.
   */
  values?: {
    [k: string]: InputValue | undefined;
  };
  [k: string]: unknown | undefined;
}
/**
 * The person who answers.
 */
export interface InputVoter {
  /**
   * Slack user id.
   */
  user_id: string;
  /**
   * Slack team id of the person.
   */
  team_id?: string;
  /**
   * Those of the request's groups that the person is in at this moment. A group that verification could not read is absent.
   *
   * @maxItems 20
   */
  groups: string[];
}
/**
 * A person as verification proved them: who pressed, and which of the groups of the request they are in now.
 */
interface InputVoter1 {
  /**
   * Slack user id.
   */
  user_id: string;
  /**
   * Slack team id of the person.
   */
  team_id?: string;
  /**
   * Those of the request's groups that the person is in at this moment. A group that verification could not read is absent.
   *
   * @maxItems 20
   */
  groups: string[];
}
/**
 * What became of an answer.
 */
export interface AnswerInputResult {
  outcome: InputOutcome;
  input_request: InputRequest;
  [k: string]: unknown | undefined;
}
/**
 * What a task or a workflow run needs from a person. Execution stores it; Slack, the console, the CLI and the API show it.
 */
export interface InputRequest {
  request_id: InputRequestId;
  task_id?: TaskId1;
  run_id?: RunId;
  /**
   * The step of the run.
   */
  step_id?: string;
  correlation_id?: CorrelationId;
  kind: InputKind;
  state: InputState;
  /**
   * Increases by one with each vote, each change of state, and when its people get names. An answer can name the version that its author saw.
   */
  version: number;
  /**
   * Place in the order of changes of all requests. `list_input_requests` returns those after one.
   */
  seq: number;
  /**
   * What is asked, one line.
   */
  title: string;
  /**
   * More about it, Markdown.
   */
  body?: string;
  action?: InputAction;
  /**
   * For `choose`.
   *
   * @minItems 1
   * @maxItems 25
   */
  options?: InputOption[];
  schema?: InputSchema;
  decide: InputDeciders;
  visibility: InputVisibility;
  /**
   * The agent or workflow that asks, or the author of a schedule, as in the audit log.
   */
  agent: string;
  /**
   * Slack user id of the requester, or the program that asked: `token:` and a name, or `subject:` and its issuer's name for it.
   */
  requester?: string;
  /**
   * How the work began outside Slack, such as `api`, `a2a` or `mcp`; `schedule` if the requester is asked to allow a schedule that `agent` wrote, which only a press of the requester in Slack does. Absent when verification began it: then the thread shows the request. Any other is claimed (`claim_input_request`) by the zone that asks its deciders.
   */
  origin?: string;
  /**
   * Slack team in which verification asks the deciders of work that began outside Slack. Absent until it does.
   */
  asked_in?: string;
  /**
   * Names of deciders and of the requester by Slack user id, and handles of groups by their id, as verification read them.
   */
  names?: {
    [k: string]: string | undefined;
  };
  /**
   * Slack team id of the requester.
   */
  team_id?: string;
  /**
   * Slack channel of the question.
   */
  channel?: string;
  /**
   * Slack thread of the question.
   */
  thread_ts?: string;
  created_at: Timestamp;
  expires_at: Timestamp4;
  execute_until?: Timestamp5;
  remind_at?: Timestamp6;
  /**
   * Number of reminders so far.
   */
  reminders?: number;
  /**
   * People who can decide, too, after the first reminder.
   *
   * @maxItems 20
   */
  escalate?: string[];
  /**
   * All counted votes, in order.
   */
  votes: InputVote[];
  answer?: InputAnswer1;
  decided_at?: Timestamp7;
  /**
   * Id of the decision in the audit log.
   */
  decision_event?: string;
  /**
   * Why it closed, if no person decided.
   */
  closed_because?: string;
  /**
   * The reason of the person who withdrew it.
   */
  withdraw_reason?: string;
}
/**
 * The exact action that a decision allows.
 */
export interface InputAction {
  /**
   * The agent that runs the action.
   */
  agent: string;
  /**
   * The tool, agent or workflow that it calls.
   */
  tool: string;
  /**
   * The arguments of the call, any JSON value. Nothing is cut.
   */
  arguments: {
    [k: string]: unknown | undefined;
  };
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of agent, tool, arguments, requester, run, step and policy. Checked again when the action runs.
   */
  digest: string;
}
/**
 * One of the options of a choice.
 */
export interface InputOption {
  /**
   * What the answer is.
   */
  value: string;
  /**
   * What people see.
   */
  label: string;
  /**
   * How its button looks.
   */
  style?: "primary" | "danger";
}
/**
 * For `form`.
 */
export interface InputSchema {
  type: "object";
  properties: {
    [k: string]: InputField | undefined;
  };
  /**
   * The fields that need a value.
   */
  required?: string[];
}
/**
 * A field of a form.
 */
export interface InputField {
  type: "string" | "number" | "integer" | "boolean";
  /**
   * What people see.
   */
  title?: string;
  /**
   * A hint.
   */
  description?: string;
  /**
   * The values that a person can select.
   *
   * @minItems 1
   * @maxItems 25
   */
  enum?: string[];
  format?: "email" | "uri" | "date" | "date-time";
  /**
   * Shortest text.
   */
  minLength?: number;
  /**
   * Longest text.
   */
  maxLength?: number;
  /**
   * Smallest number.
   */
  minimum?: number;
  /**
   * Largest number.
   */
  maximum?: number;
  default?: InputValue1;
}
/**
 * Who decides an input request. At least one person, group or the requester.
 */
export interface InputDeciders {
  /**
   * Slack user ids, alone or with a workspace (`T…/U…`), and `token:` with names of API tokens.
   *
   * @maxItems 20
   */
  people: string[];
  /**
   * Slack user group ids. Members count who are in the group at the deciding moment.
   *
   * @maxItems 20
   */
  groups: string[];
  /**
   * Whether the requester can decide. When false, the requester's vote never counts, even as a member of a group.
   */
  requester: boolean;
  /**
   * Votes needed to approve.
   */
  approve: number;
  /**
   * Votes needed to deny.
   */
  deny: number;
}
/**
 * What one person answered.
 */
export interface InputVote {
  /**
   * Slack user id, or a program: `token:` and the name of an API token, or `subject:` and its issuer's name for it.
   */
  user_id: string;
  /**
   * Slack team id of the person.
   */
  team_id?: string;
  verdict: InputVerdict;
  via: InputSurface;
  /**
   * Why, in the person's words.
   */
  reason?: string;
  at: Timestamp;
  /**
   * Present when the vote did not count at the decision, such as that of a person who had left the group.
   */
  counts?: false;
}
/**
 * Which request the caller shows, and where. The caller that shows a request already names its people, and says whom it can't reach.
 */
export interface ClaimInputRequestParams {
  request_id: InputRequestId;
  /**
   * Slack team in which the caller asks the deciders.
   */
  team_id: string;
  /**
   * Names of deciders and of the requester by Slack user id, and handles of groups by their id.
   */
  names?: {
    [k: string]: string | undefined;
  };
  /**
   * Slack ids of people whom the caller can't write to, if too few of the people and group members that it asks are left. The request is denied, unless tokens that it names can decide. For a schedule also its channel, if the app can't see it: then the request is denied.
   *
   * @maxItems 100
   */
  unreachable?: string[];
  [k: string]: unknown | undefined;
}
export interface GetInputRequestParams {
  request_id: InputRequestId;
  [k: string]: unknown | undefined;
}
/**
 * An answer of an API token, or of a person who signed in to the console. The deciders of the request must name the token, as `token:` and its name, or the person's Slack user id.
 */
export interface InputDecision {
  answer: InputAnswer;
  /**
   * The digest of the action that the answer approves. Needed for an approval of an action.
   */
  digest?: string;
}
/**
 * A page of input requests, latest change first.
 */
export interface InputRequestList {
  input_requests: InputRequest[];
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
}
/**
 * The fields of a form: a flat JSON Schema object, as in MCP elicitation.
 */
interface InputSchema1 {
  type: "object";
  properties: {
    [k: string]: InputField | undefined;
  };
  /**
   * The fields that need a value.
   */
  required?: string[];
}
/**
 * Why an input request is withdrawn.
 */
export interface InputWithdrawal {
  /**
   * Why, for the people who were asked and the requester.
   */
  reason?: string;
}
/**
 * Which requests: of one task, or those that changed.
 */
export interface ListInputRequestsParams {
  task_id?: TaskId;
  /**
   * Only requests that changed after this `seq`.
   */
  after_seq?: number;
  state?: InputState;
  /**
   * Only requests that name this person: who asked, can decide or has voted.
   */
  user_id?: string;
  /**
   * The most requests in the answer; 100 when absent.
   */
  limit?: number;
  /**
   * How long the server may hold the response while there is no request to return, milliseconds.
   */
  wait_ms?: number;
  [k: string]: unknown | undefined;
}
/**
 * Input requests in the order of their last change.
 */
export interface ListInputRequestsResult {
  input_requests: InputRequest[];
  /**
   * Pass it as `after_seq` of the next call.
   */
  last_seq: number;
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
 * One problem of a value, and its position.
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
 * The `data` of every error on the zone link. Clients branch on `kind` and `retryable`, never on `message`.
 */
export interface ZoneErrorData {
  kind: ErrorKind;
  retryable: boolean;
  correlation_id: CorrelationId;
  /**
   * Time to wait before the next attempt, milliseconds.
   */
  retry_after_ms?: number;
  task_id?: TaskId;
  /**
   * The agent that failed. Absent for the zone's own assistant.
   */
  agent?: string;
  /**
   * The problems: for invalid_params, each with a JSON pointer into `params`; for a malformed request or zone_unavailable, one sentence with the pointer of the whole document.
   */
  problems?: ParamProblem[];
  progress?: TaskProgress;
  failed_run?: FailedRun;
  /**
   * The agent's own message about its failure. Untrusted text. Without `agent`, it is the zone's own sentence for the requester.
   */
  agent_says?: string;
  /**
   * Details for the person who runs the agent. Sent in development only.
   */
  owner_detail?: string;
  /**
   * For check_token: the actor of a token that lacks the scope or is no longer valid, such as `token:ci (revoked)`.
   */
  actor?: string;
  [k: string]: unknown | undefined;
}
/**
 * The progress of a failed task that has steps: the steps, and how each ended.
 */
export interface TaskProgress {
  /**
   * Increases by one with each change. Pass it as `seen_progress` of the next poll; 0 means that nothing was seen.
   */
  revision: number;
  /**
   * In order; only the first ones if the task has more. Empty for a task without steps.
   *
   * @maxItems 50
   */
  steps: TaskStep[];
  /**
   * Number of omitted steps.
   */
  more?: number;
  /**
   * The agent's progress message.
   */
  text?: string;
  [k: string]: unknown | undefined;
}
/**
 * One step.
 */
export interface TaskStep {
  id: string;
  /**
   * For people.
   */
  title: string;
  /**
   * Name of the agent, workflow or tool that the step uses. Absent for a step that uses none.
   */
  uses?: string;
  state: StepState;
  /**
   * Nesting depth.
   */
  depth: number;
  /**
   * For a repeated step: the number of finished repetitions.
   */
  done?: number;
  total?: number;
  [k: string]: unknown | undefined;
}
/**
 * For a task that is a workflow run: the failed step, and why it failed.
 */
export interface FailedRun {
  workflow: WorkflowId;
  reason: RunProblemKind;
  /**
   * Title of the failed step. Absent when the failure belongs to no step.
   */
  step?: string;
  [k: string]: unknown | undefined;
}
/**
 * A request of verification to execution: a single request, params by name, a UUID as id. Never a batch, never a notification.
 */
export interface ZoneRequest {
  jsonrpc: "2.0";
  method:
    | "execute_task"
    | "get_async_task_result"
    | "get_run_change"
    | "cancel_task"
    | "answer_input"
    | "get_input_request"
    | "claim_input_request"
    | "list_input_requests"
    | "list_agents"
    | "list_person_tasks"
    | "read_task_file"
    | "get_agent_card"
    | "get_usage"
    | "check_token"
    | "report_messages"
    | "list_fires"
    | "take_fire"
    | "list_schedules"
    | "save_schedule"
    | "change_schedule";
  params: {
    [k: string]: unknown | undefined;
  };
  id: RequestId;
}
/**
 * Approves tool definitions of one MCP server: all of them or none.
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
 * An MCP server and its tools, as the zone last saw them.
 */
export interface McpServer {
  /**
   * Its name in the section mcp of EXECUTION_FILE.
   */
  name: string;
  /**
   * Origin of the server's URL. Absent for a program, and when the section mcp of this process has no server of this name.
   */
  origin?: string;
  /**
   * Whether the section mcp of EXECUTION_FILE says that the server is read-only.
   */
  read_only?: boolean;
  tools: McpTool[];
  /**
   * What the server listed but the zone can't offer. Absent when there is nothing.
   *
   * @maxItems 50
   */
  left_out?: McpLeftOut[];
}
/**
 * A tool of an MCP server, and whether the assistant can use it.
 */
export interface McpTool {
  /**
   * The server's name of the tool. The model calls it `<server>_<tool>`, with other characters where a model accepts no such name.
   */
  name: string;
  state: "pinned" | "changed" | "new" | "gone";
  /**
   * SHA-256 of the definition, hex. Send it to approve this definition.
   */
  fingerprint: string;
  /**
   * The current or last known definition: name, description, inputSchema, annotations. Untrusted text.
   */
  definition: {
    [k: string]: unknown | undefined;
  };
  /**
   * The pinned definition. Present when the definition has changed.
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
export interface McpLeftOut {
  /**
   * The tool's name, shortened, or its place in the list.
   */
  name: string;
  /**
   * A sentence without its period, such as `it has no name`.
   */
  because: string;
}
/**
 * Whether calls reach an agent, and what waits for it. The API adds it to a list and to one agent.
 */
export interface AgentActivity {
  /**
   * The agent's circuit in the process that answers. Absent when that process has not called the agent lately.
   */
  circuit?: "closed" | "open" | "half_open";
  failed_at?: Timestamp8;
  /**
   * The kind of that failure, such as `unreachable`.
   */
  failure?: string;
  /**
   * Calls that ended in this hour of the clock and the one before, whoever made them. A call that a person stopped is none.
   */
  ended?: number;
  /**
   * How many of these failed. An agent that asks back has not failed.
   */
  failed?: number;
  day?: AgentDay;
  /**
   * Calls of the agent that have not ended.
   */
  waiting: number;
  waiting_since?: Timestamp9;
}
/**
 * The calls that ended in this hour of the clock and the 23 before, whoever made them: tasks, runs, programs, tests.
 */
export interface AgentDay {
  calls: number;
  /**
   * Requests of these calls that started a task: retries count.
   */
  attempts: number;
  /**
   * Calls that failed.
   */
  failed: number;
  /**
   * Calls in which the agent asked back: it waits for an answer or an authorization.
   */
  asked: number;
}
/**
 * One change of an agent: who, when and what. Settings contain only the names of secrets.
 */
export interface AgentAuditEntry {
  action: "created" | "updated" | "disabled" | "enabled" | "deleted" | "migrated" | "rolled_back";
  /**
   * The agent after the change; for a deletion, the agent before it.
   */
  revision: number;
  at: Timestamp;
  /**
   * `token:` and the name of an API token, `bootstrap`, or an agents file.
   */
  actor: string;
  correlation_id: CorrelationId;
  before: AgentSettings | null;
  after: AgentSettings | null;
  /**
   * The failed checks that an admin accepted for a move.
   */
  reason?: string;
  [k: string]: unknown | undefined;
}
/**
 * The settings of an agent, written by an admin. Omitted members get their defaults.
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
   * Whether the agent gets tasks.
   */
  enabled?: boolean;
  /**
   * Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.
   */
  side_effects?: boolean;
  /**
   * Whether the first message of a thread to the agent has the earlier messages of the thread, in its metadata. False when absent: the agent gets what the person wrote and nothing else.
   */
  send_thread?: boolean;
}
/**
 * Further settings of the agent's adapter.
 */
export interface AgentProtocolConfig {
  method?: A2ASendMethod;
  /**
   * The JSON-RPC method.
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
 * How Crosszone retries calls to an agent after transient failures.
 */
export interface AgentRetry {
  /**
   * Retries after the first call.
   */
  max_retries: number;
  /**
   * The first backoff, milliseconds. Each further backoff can be twice as long.
   */
  base_ms: number;
  /**
   * The longest backoff, milliseconds.
   */
  max_ms: number;
}
/**
 * When calls to a failing agent are suspended, and for how long.
 */
export interface AgentBreaker {
  /**
   * Number of failures in a row.
   */
  failures: number;
  /**
   * Time until the next attempt, milliseconds.
   */
  open_ms: number;
}
/**
 * A page of the changes to agents of one name, newest first.
 */
export interface AgentAuditList {
  entries: AgentAuditEntry[];
  /**
   * Changes on all pages.
   */
  total: number;
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
  [k: string]: unknown | undefined;
}
/**
 * A page of an agent's failed calls, newest first. The latest 200 of 7 days are kept.
 */
export interface AgentFailedCallList {
  calls: AgentFailedCall[];
  /**
   * Failed calls on all pages.
   */
  total: number;
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
  [k: string]: unknown | undefined;
}
export interface AgentFailedCall {
  at: Timestamp10;
  /**
   * Why it failed, such as `unreachable`.
   */
  kind: string;
  made_by: "task" | "run" | "program" | "test";
  /**
   * The run, or the task.
   */
  run_id: string;
  /**
   * The task that the agent got.
   */
  task_id: string;
  /**
   * The workflow of the run. Absent when no step made the call, or the run is deleted.
   */
  workflow_id?: string;
  path?: StepPath;
  /**
   * The reference of the question.
   */
  correlation_id: string;
  /**
   * Requests that started the task.
   */
  attempts: number;
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
   * Agents that match the query, on all pages.
   */
  total: number;
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
  [k: string]: unknown | undefined;
}
/**
 * An agent as stored in the registry, with all defaults filled in.
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
   * Whether the agent gets tasks.
   */
  enabled: boolean;
  /**
   * Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.
   */
  side_effects?: boolean;
  /**
   * Whether the first message of a thread to the agent has the earlier messages of the thread, in its metadata. False when absent: the agent gets what the person wrote and nothing else.
   */
  send_thread?: boolean;
  activity?: AgentActivity;
  card?: AgentCardWords;
  previous?: AgentPrevious;
  /**
   * The source of the agent: the registry's API, or the agents file that is read at start.
   */
  source: "api" | "file";
  /**
   * Increases by one with each change.
   */
  revision: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * What the agent's card says of it, shortened: content of others. Read again at each health check. Absent before it was read, and without a card.
 */
export interface AgentCardWords {
  name: string;
  description: string;
  /**
   * @maxItems 8
   */
  skills: AgentCardSkill[];
}
export interface AgentCardSkill {
  id: string;
  name: string;
  description: string;
  /**
   * @maxItems 3
   */
  examples: string[];
  [k: string]: unknown | undefined;
}
/**
 * The protocol and URL that an agent had before their last change. A rollback restores them. `at` is when they were replaced.
 */
export interface AgentPrevious {
  protocol: AgentProtocol;
  protocol_config: AgentProtocolConfig;
  url: AgentUrl;
  at: Timestamp;
  /**
   * The migration that replaced them.
   */
  migration_id?: string;
}
/**
 * One agent in the result of a migration.
 */
export interface AgentMigrationEntry {
  name: AgentName;
  from: AgentProtocol;
  /**
   * `compliant`: it can be moved. `not_compliant`: see `failed_checks`. `unchanged`: it has the protocol already. `declared_in_file`: change it in the section agents of EXECUTION_FILE. `disabled`: it is not checked and not moved. In a rollback: `rolled_back`, `changed_since` if it was changed after the migration, or `deleted`.
   */
  verdict:
    | "compliant"
    | "not_compliant"
    | "unchanged"
    | "declared_in_file"
    | "disabled"
    | "rolled_back"
    | "changed_since"
    | "deleted";
  /**
   * The failed checks of level `must`.
   *
   * @maxItems 100
   */
  failed_checks?: {
    /**
     * The check's name.
     */
    id: string;
    /**
     * What a compliant agent does.
     */
    title: string;
    /**
     * What the agent did instead.
     */
    problem?: string;
    /**
     * What to change in the agent.
     */
    fix?: string;
  }[];
  /**
   * Ids of the failed checks that the request accepts.
   *
   * @maxItems 100
   */
  accepted_checks?: string[];
}
/**
 * A request to move agents to another protocol.
 */
export interface AgentMigrationRequest {
  to: AgentProtocol;
  /**
   * The agents to move. Default: every enabled agent.
   *
   * @minItems 1
   * @maxItems 200
   */
  agents?: AgentName[];
  /**
   * Whether new agents without a `protocol` get this one from now on. Requires that every enabled agent complies; can't be combined with `agents`.
   */
  default?: boolean;
  /**
   * Whether to check only.
   */
  dry_run?: boolean;
  /**
   * Ids of checks that agents may fail, for known faults that you accept, for example of a library. The audit trail names them.
   *
   * @minItems 1
   * @maxItems 100
   */
  accept?: string[];
}
/**
 * The result of a migration, or of its rollback.
 */
export interface AgentMigration {
  /**
   * Identifies the stored migration. Absent when nothing was stored.
   */
  id?: string;
  /**
   * `refused`: an agent does not comply, and no agent was moved.
   */
  result: "switched" | "refused" | "dry_run" | "rolled_back";
  to: AgentProtocol;
  default_protocol: AgentProtocol;
  agents: AgentMigrationEntry[];
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
   * The problems of the body, each with a JSON pointer.
   */
  problems?: ParamProblem[];
  [k: string]: unknown | undefined;
}
/**
 * What its owner does with a schedule. Unknown members are ignored.
 */
export interface ChangeScheduleParams {
  name: ScheduleName3;
  change: ScheduleChange;
  /**
   * Slack team of the person.
   */
  team_id: string;
  /**
   * Slack user, as the caller verified it.
   */
  user_id: string;
  [k: string]: unknown | undefined;
}
/**
 * The schedule, unless it was removed.
 */
export interface ChangeScheduleResult {
  schedule?: Schedule;
  fire?: Fire1;
  [k: string]: unknown | undefined;
}
/**
 * A schedule as it is now.
 */
export interface Schedule {
  name: ScheduleName3;
  settings: ScheduleSettings;
  state: ScheduleState;
  /**
   * Why it is paused: also that it waits for its owner, who did not write it, or was declined.
   */
  paused_reason?: string;
  request_id?: InputRequestId1;
  source: ScheduleSource;
  /**
   * The next scheduled times; empty while paused.
   *
   * @maxItems 3
   */
  next_at: Timestamp[];
  last_fire?: Fire;
  used?: CapUse1;
  /**
   * Failed fires since the last one that succeeded.
   */
  failures?: number;
  names?: Names1;
  changed_at: Timestamp11;
  /**
   * Who changed it last, as in the audit log.
   */
  changed_by: string;
  /**
   * Who wrote what it asks if its owner did not, as in the audit log: `token:ci`. The API alone has it.
   */
  written_by?: string;
  /**
   * What keeps its fires from starting anything, such as an agent that does not exist. The API alone has them.
   */
  warnings?: string[];
}
/**
 * When a schedule fires, what a fire asks, where the answer goes, and how much it may use. Either `cron` with `zone`, or `every_ms`. Either `text` or `input`; readers without `content:read` see neither.
 */
export interface ScheduleSettings {
  /**
   * For people.
   */
  title?: string;
  owner: Owner;
  /**
   * Five fields: minute, hour, day of month, month, day of week, as in `30 9 * * 1-5`. Days of month and of week that are both restricted mean either.
   */
  cron?: string;
  /**
   * Time zone of `cron`, a name of the IANA database such as `Europe/Berlin`.
   */
  zone?: string;
  /**
   * Interval, milliseconds, counted from when the schedule was created or its interval changed.
   */
  every_ms?: number;
  agent: AgentName4;
  /**
   * The question.
   */
  text?: string;
  /**
   * The input of the workflow. Its JSON has at most 10,000 characters.
   */
  input?: {
    [k: string]: unknown | undefined;
  };
  /**
   * Slack channel of the answer. Default: the owner's direct messages with the app.
   */
  channel?: string;
  /**
   * Timestamp of the first message of the thread for all answers. Default: each fire begins a thread.
   */
  thread_ts?: string;
  /**
   * What happens when a fire is due and the one before has not ended. Default: `skip`.
   */
  overlap?: "skip" | "queue" | "cancel";
  /**
   * What happens with fires that were due while no process ran, or were more than a minute late for another reason. Default: `once`.
   */
  missed?: "skip" | "once" | "all";
  /**
   * With `missed: all`, the most fires that start late. Default: 10.
   */
  missed_most?: number;
  /**
   * Fires start up to this much later, always by the same amount for one schedule, so that schedules of the same minute spread. Milliseconds. Default: 30000.
   */
  jitter_ms?: number;
  cap: Cap;
  /**
   * Failed fires in a row after which the schedule is paused. Default: 5.
   */
  pause_after?: number;
}
/**
 * What it has used of its cap this UTC day.
 */
interface CapUse1 {
  fires: number;
  tokens: number;
  usd: number;
}
/**
 * Names of people and channels by Slack id, as verification last reported them. An id without a known name is absent.
 */
interface Names1 {
  [k: string]: string | undefined;
}
/**
 * One start of a schedule or hook.
 */
interface Fire1 {
  fire_id: FireId;
  source: FireSource;
  name: ScheduleName1;
  /**
   * Title of the schedule or hook.
   */
  title?: string;
  state: FireState;
  outcome?: MessageState1;
  /**
   * Why it was skipped, or did not succeed.
   */
  reason?: string;
  owner: Owner;
  agent: AgentName2;
  /**
   * The question. Only for verification, and in lists for those who may read content.
   */
  text?: string;
  /**
   * Who wrote the question of a schedule if its owner did not, as in the audit log: `token:ci`. Present if `list_fires` asks for `authors`.
   */
  written_by?: string;
  /**
   * Slack channel of the answer. Absent for the owner's direct messages.
   */
  channel?: string;
  /**
   * First message of the thread of the answer, if given.
   */
  thread_ts?: string;
  scheduled_at: Timestamp1;
  created_at: Timestamp2;
  ended_at?: Timestamp3;
}
/**
 * Fires, newest first.
 */
export interface FireList {
  fires: Fire[];
  /**
   * Pass it as `cursor` for the next page.
   */
  next_cursor?: string;
}
/**
 * Whose fires. Unknown members are ignored.
 */
export interface ListFiresParams {
  /**
   * The Slack teams of the caller.
   *
   * @minItems 1
   * @maxItems 10000
   */
  team_ids: string[];
  /**
   * The most fires in the answer; 50 when absent.
   */
  limit?: number;
  /**
   * How long the server may hold the response while no fire is due, milliseconds.
   */
  wait_ms?: number;
  /**
   * Whether fires have `written_by`. Default: false.
   */
  authors?: boolean;
  [k: string]: unknown | undefined;
}
/**
 * Fires that are due, oldest first, with their texts.
 */
export interface ListFiresResult {
  fires: Fire[];
  [k: string]: unknown | undefined;
}
/**
 * Whose schedules. Unknown members are ignored.
 */
export interface ListSchedulesParams {
  /**
   * Slack team of the person.
   */
  team_id: string;
  /**
   * Slack user, as the caller verified it.
   */
  user_id: string;
  [k: string]: unknown | undefined;
}
/**
 * The person's own schedules by name, 100 at most.
 */
export interface ListSchedulesResult {
  schedules: Schedule[];
  [k: string]: unknown | undefined;
}
/**
 * What is used of a cap.
 */
interface CapUse2 {
  fires: number;
  tokens: number;
  usd: number;
}
/**
 * A schedule to create.
 */
export interface NewSchedule {
  name: ScheduleName3;
  settings: ScheduleSettings;
}
/**
 * A schedule to create or change in the name of its owner, who is the person in `settings`. Unknown members are ignored.
 */
export interface SaveScheduleParams {
  name: ScheduleName3;
  settings: ScheduleSettings;
  /**
   * Whether a schedule of this name, of the same owner, may exist. Default: false.
   */
  replaces?: boolean;
  [k: string]: unknown | undefined;
}
/**
 * The schedule.
 */
export interface SaveScheduleResult {
  schedule: Schedule;
  [k: string]: unknown | undefined;
}
/**
 * Schedules by name.
 */
export interface ScheduleList {
  schedules: Schedule[];
  names?: Names;
  /**
   * Pass it as `cursor` for the next page.
   */
  next_cursor?: string;
}
/**
 * What verification did with a fire. Unknown members are ignored.
 */
export interface TakeFireParams {
  fire_id: FireId;
  outcome: FireOutcome;
  /**
   * Why it was refused.
   */
  reason?: string;
  [k: string]: unknown | undefined;
}
/**
 * The fire's state now. A repeated call changes nothing.
 */
export interface TakeFireResult {
  state: FireState;
  [k: string]: unknown | undefined;
}
/**
 * Who decides, and how many votes it takes.
 */
export interface ApprovalDeciders {
  people: SlackIds;
  groups: SlackIds1;
  /**
   * Whether the requester can decide.
   */
  requester: boolean;
  /**
   * Votes that approve.
   */
  approve: number;
  /**
   * Votes that reject.
   */
  deny: number;
}
/**
 * The terms of calls that match. A pattern is a name, or its beginning and `*`.
 */
export interface ApprovalRule {
  agent?: SettingText;
  tool?: SettingText1;
  channel?: SettingText2;
  /**
   * Which calls need an approval.
   */
  approval: "none" | "side_effects" | "always";
  decide: ApprovalDeciders1;
  expires_in: TimeSpan;
  execute_within: TimeSpan1;
  remind_every?: TimeSpan2;
  escalate?: SlackIds2;
  /**
   * Where the request is shown.
   */
  visibility: "thread" | "private";
}
/**
 * Who decides, and how many votes it takes.
 */
interface ApprovalDeciders1 {
  people: SlackIds;
  groups: SlackIds1;
  /**
   * Whether the requester can decide.
   */
  requester: boolean;
  /**
   * Votes that approve.
   */
  approve: number;
  /**
   * Votes that reject.
   */
  deny: number;
}
/**
 * Which calls need an approval, who decides, and in which time.
 */
export interface ApprovalSettings {
  /**
   * Which calls need an approval.
   */
  approval: "none" | "side_effects" | "always";
  decide: ApprovalDeciders2;
  expires_in: TimeSpan3;
  execute_within: TimeSpan4;
  remind_every?: TimeSpan5;
  escalate?: SlackIds3;
  /**
   * Where the request is shown.
   */
  visibility: "thread" | "private";
}
/**
 * Who decides, and how many votes it takes.
 */
interface ApprovalDeciders2 {
  people: SlackIds;
  groups: SlackIds1;
  /**
   * Whether the requester can decide.
   */
  requester: boolean;
  /**
   * Votes that approve.
   */
  approve: number;
  /**
   * Votes that reject.
   */
  deny: number;
}
/**
 * Which calls need people to approve them, and who decides. The first rule that matches applies, otherwise `default`.
 */
export interface ApprovalsSection {
  default: ApprovalSettings1;
  /**
   * Rules, the first that matches applies.
   */
  rules: ApprovalRule[];
}
/**
 * Which calls need an approval, who decides, and in which time.
 */
interface ApprovalSettings1 {
  /**
   * Which calls need an approval.
   */
  approval: "none" | "side_effects" | "always";
  decide: ApprovalDeciders2;
  expires_in: TimeSpan3;
  execute_within: TimeSpan4;
  remind_every?: TimeSpan5;
  escalate?: SlackIds3;
  /**
   * Where the request is shown.
   */
  visibility: "thread" | "private";
}
/**
 * The assistant in a channel or workspace.
 */
export interface AssistantChannel {
  /**
   * `provider/id`, as in MODEL. Default: that of MODEL.
   */
  model?: string;
  /**
   * Appended to the built-in instructions.
   */
  instructions?: string;
}
/**
 * Settings by conversation id; `dm` means every direct message.
 */
export interface AssistantChannels {
  [k: string]: AssistantChannel | undefined;
}
/**
 * Instructions and models of the assistant. The most specific place that has a setting decides.
 */
export interface AssistantSection {
  /**
   * For every conversation without its own instructions.
   */
  instructions?: string;
  channels: AssistantChannels1;
  /**
   * Settings by team id.
   */
  teams: {
    [k: string]: AssistantTeam | undefined;
  };
}
/**
 * Settings by conversation id; `dm` means every direct message.
 */
interface AssistantChannels1 {
  [k: string]: AssistantChannel | undefined;
}
/**
 * The assistant in a workspace.
 */
export interface AssistantTeam {
  /**
   * `provider/id`, as in MODEL. Default: that of MODEL.
   */
  model?: string;
  /**
   * Appended to the built-in instructions.
   */
  instructions?: string;
  channels: AssistantChannels2;
}
/**
 * Settings by conversation id; `dm` means every direct message.
 */
interface AssistantChannels2 {
  [k: string]: AssistantChannel | undefined;
}
/**
 * A JWKS: the public keys that sign the cards of agents, of P-256, RSA or Ed25519. Used if `AGENT_CARD_SIGNATURES` is set.
 */
export interface CardKeysSection {
  /**
   * The keys.
   */
  keys: {
    kid: string;
    /**
     * When the key expires, Unix seconds.
     */
    exp?: number;
    [k: string]: unknown | undefined;
  }[];
}
/**
 * The groups of each role. A person gets the highest role of their groups, and `auditor` beside it.
 */
export interface ConsoleRoles {
  viewer: GroupNames;
  operator: GroupNames1;
  admin: GroupNames2;
  auditor: GroupNames3;
}
/**
 * Sign-in to the console: the identity provider, and the role of each group.
 */
export interface ConsoleSection {
  issuer: WebAddress;
  client_id: SettingText4;
  /**
   * Scopes to ask for, with `openid`.
   */
  scopes: SettingText3[];
  groups_claim: ClaimPath;
  roles: ConsoleRoles;
  content: GroupNames4;
  slack_claim: ClaimPath1;
  slack_team_claim?: ClaimPath2;
  session: ConsoleSession;
}
/**
 * The limits of a session.
 */
export interface ConsoleSession {
  idle: TimeSpan6;
  absolute: TimeSpan7;
}
/**
 * The limits of a session.
 */
interface ConsoleSession1 {
  idle: TimeSpan6;
  absolute: TimeSpan7;
}
/**
 * The file of EXECUTION_FILE: the sections of the execution zone. Each is its content, or the paths of files with it.
 */
export interface ExecutionSettings {
  agents?: AgentsSection | SettingFiles;
  card_keys?: CardKeysSection | SettingFiles;
  programs?: ProgramsSection | SettingFiles;
  hooks?: HooksSection | SettingFiles;
  schedules?: SchedulesSection | SettingFiles;
  mcp?: McpSection | SettingFiles;
  approvals?: ApprovalsSection | SettingFiles;
  console?: ConsoleSection | SettingFiles;
  assistant?: AssistantSection | SettingFiles;
}
/**
 * The programs that can ask at ASK_PORT, over A2A and MCP.
 */
export interface ProgramsSection {
  /**
   * Identity providers of programs.
   *
   * @maxItems 20
   */
  issuers: ProgramIssuer[];
  /**
   * The programs, and what each can do.
   *
   * @maxItems 10000
   */
  askers: ProgramGrant[];
  /**
   * Path of the private key that signs agent cards, in PEM. Relative to the file that names it.
   */
  card_key?: string;
}
/**
 * An identity provider whose tokens programs can send.
 */
export interface ProgramIssuer {
  issuer: WebAddress1;
  jwks?: WebAddress2;
  audience?: SettingText5;
}
/**
 * What a program can do. Either `token` or `subject`.
 */
export interface ProgramGrant {
  /**
   * Name of an API token with the scope `ask`.
   */
  token?: string;
  subject?: ProgramSubject;
  /**
   * Agents and workflows that it can ask; `*` means all.
   *
   * @maxItems 1000
   */
  agents: SettingText3[];
  /**
   * Events that it can publish over the API; `*` means all. Default: none.
   *
   * @maxItems 1000
   */
  events?: SettingText3[];
  /**
   * The most requests a minute.
   */
  per_minute: number;
  /**
   * The most tasks that are open at a time.
   */
  open_tasks: number;
  /**
   * The most that is stored for it, megabytes. Default: 1000.
   */
  stored_mb?: number;
  /**
   * The channel in budgets and usage. Programs with the same one share its budget.
   */
  budget?: string;
}
/**
 * A program by its tokens of an issuer. Either `sub` or `email`.
 */
export interface ProgramSubject {
  issuer: SettingText6;
  sub?: SettingText7;
  email?: SettingText8;
}
/**
 * A schedule of the settings: its name, and the members of `ScheduleSettings`.
 */
export interface ScheduleEntry {
  name: ScheduleName3;
  /**
   * For people.
   */
  title?: string;
  owner: Owner;
  /**
   * Five fields: minute, hour, day of month, month, day of week, as in `30 9 * * 1-5`. Days of month and of week that are both restricted mean either.
   */
  cron?: string;
  /**
   * Time zone of `cron`, a name of the IANA database such as `Europe/Berlin`.
   */
  zone?: string;
  /**
   * Interval, milliseconds, counted from when the schedule was created or its interval changed.
   */
  every_ms?: number;
  agent: AgentName5;
  /**
   * The question.
   */
  text?: string;
  /**
   * The input of the workflow. Its JSON has at most 10,000 characters.
   */
  input?: {
    [k: string]: unknown | undefined;
  };
  /**
   * Slack channel of the answer. Default: the owner's direct messages with the app.
   */
  channel?: string;
  /**
   * Timestamp of the first message of the thread for all answers. Default: each fire begins a thread.
   */
  thread_ts?: string;
  /**
   * What happens when a fire is due and the one before has not ended. Default: `skip`.
   */
  overlap?: "skip" | "queue" | "cancel";
  /**
   * What happens with fires that were due while no process ran, or were more than a minute late for another reason. Default: `once`.
   */
  missed?: "skip" | "once" | "all";
  /**
   * With `missed: all`, the most fires that start late. Default: 10.
   */
  missed_most?: number;
  /**
   * Fires start up to this much later, always by the same amount for one schedule, so that schedules of the same minute spread. Milliseconds. Default: 30000.
   */
  jitter_ms?: number;
  cap: Cap;
  /**
   * Failed fires in a row after which the schedule is paused. Default: 5.
   */
  pause_after?: number;
}
/**
 * An MCP server whose tools the assistant can use. Either `url` or `command`.
 */
export interface McpServerSettings {
  /**
   * Its name, with which the names of its tools begin.
   */
  name: string;
  url?: WebAddress3;
  token?: SecretReference1;
  oauth?: McpOAuthSettings;
  /**
   * The program to start.
   */
  command?: string;
  /**
   * Arguments of the program.
   *
   * @maxItems 100
   */
  args?: string[];
  /**
   * Variables of the zone that the program gets, besides PATH.
   *
   * @maxItems 100
   */
  env?: string[];
  /**
   * The folder in which the program starts.
   */
  cwd?: string;
  start_timeout?: TimeSpan8;
  /**
   * Whether its tools change nothing.
   */
  read_only: boolean;
  timeout: TimeSpan9;
  /**
   * Agents that can use it. Default: all.
   *
   * @maxItems 100
   */
  agents?: SettingText3[];
  /**
   * Channels in which it can be used. Default: all.
   *
   * @maxItems 100
   */
  channels?: SettingText3[];
}
/**
 * How the zone gets tokens for it.
 */
export interface McpOAuthSettings {
  issuer: WebAddress4;
  /**
   * The client.
   */
  client_id: string;
  client_secret?: SecretReference;
  private_key?: SecretReference;
  /**
   * Scopes to ask for.
   *
   * @maxItems 100
   *
   * Items: One scope.
   */
  scopes: string[];
}
/**
 * OAuth client credentials for an MCP server. Either `client_secret` or `private_key`.
 */
interface McpOAuthSettings1 {
  issuer: WebAddress4;
  /**
   * The client.
   */
  client_id: string;
  client_secret?: SecretReference;
  private_key?: SecretReference;
  /**
   * Scopes to ask for.
   *
   * @maxItems 100
   *
   * Items: One scope.
   */
  scopes: string[];
}
/**
 * Who can ask, where, and with which files.
 */
export interface PolicySection {
  /**
   * Workspaces in addition to the one that installed the app. Default: none.
   */
  allowed_teams: TeamId[];
  /**
   * Where the app answers; `dm` means direct messages. Default: everywhere.
   */
  allowed_channels: ConversationId[];
  /**
   * People who can ask. Default: every member of an allowed team.
   */
  allowed_users: UserId[];
  /**
   * Guests can ask.
   */
  allow_guests: boolean;
  /**
   * The app answers in channels that are shared with another organization.
   */
  allow_shared_channels: boolean;
  /**
   * The agent of a channel, for messages that name none.
   */
  channel_agents: {
    [k: string]: SettingText3 | undefined;
  };
  follow: FollowMode1;
  /**
   * `follow` by channel id.
   */
  channel_follow: {
    [k: string]: FollowMode | undefined;
  };
  /**
   * Apps whose posts as a person are questions; for a person, any app's.
   */
  apps: AppOrUserId[];
  /**
   * Who answers a message, in its thread, when a person adds this reaction.
   */
  reactions: {
    [k: string]: SettingText3 | undefined;
  };
  /**
   * Files that agents can read. Never HTML.
   */
  file_types: string[];
}
/**
 * The file of VERIFICATION_FILE: the sections of the verification zone. Each is its content, or the paths of files with it.
 */
export interface VerificationSettings {
  policy?: PolicySection | SettingFiles;
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
 * The response of an agent of the older protocol. `output` and `error` are any JSON value.
 */
export interface SimpleA2AResponse {
  /**
   * The id of the request. A different id only causes a warning.
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
   * Number of calls to the agent. Present when the call has ended.
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
  /**
   * Why the zone could not get an answer from the agent. Never the agent's own words. Present for a failed connection, timeout or rejected address, unless it is sealed.
   */
  error_message?: string;
  created_at: Timestamp;
  deadline: Timestamp;
  ended_at?: Timestamp;
}
/**
 * A file of the message, or of its thread. Only described here: the contents are fetched through verification.
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
   * URL of the contents.
   */
  url?: string;
  /**
   * The contents, if they are text that the sender included.
   */
  text?: string;
  /**
   * True when the requester did not add it: its contents are content of others.
   */
  others?: boolean;
  /**
   * Name of the person or app that added it, if that is not the requester.
   */
  author?: string;
  /**
   * Why the contents can't be read, one sentence for people.
   */
  unreadable?: string;
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
 * The params of `execute_task`: what a person asked in Slack. Unknown members are ignored.
 */
export interface ExecuteTaskParams {
  /**
   * Slack channel id.
   */
  channel: string;
  /**
   * The requester's own words as Markdown. Quotations are block quotes. Empty if the message has only files or content of others.
   */
  text: string;
  /**
   * True when the text quotes others: its block quotes are content of others.
   */
  has_quotes?: boolean;
  /**
   * Content of others in the message, such as a forwarded message.
   */
  others?: OthersContent[];
  /**
   * Parts of the message that could not be read.
   */
  unreadable?: UnreadableContent[];
  /**
   * A random handle that is valid for this task only. The real Slack token does not cross the wall.
   */
  bot_token: string;
  correlation_id?: CorrelationId;
  /**
   * Slack timestamp of the thread's first message.
   */
  thread_ts?: string;
  attachments?: Attachment[];
  /**
   * Slack team id.
   */
  team_id?: string;
  /**
   * Slack user id of the requester.
   */
  user_id?: string;
  /**
   * Name of the requester.
   */
  user_name?: string;
  /**
   * Name of the agent or workflow to run. Default: the zone's default agent.
   */
  agent?: string;
  /**
   * Earlier messages of the thread, oldest first.
   */
  thread?: ThreadMessage[];
  /**
   * Name of the agent that wrote the text as a follow-up, which the requester pressed; `hook:` or `schedule:` and a name, if the text came from there before it is asked again. The text is content of others, not a command: an agent with side effects gets it after an approval.
   */
  offered_by?: string;
  context_id?: ContextId;
  fire_id?: FireId1;
  [k: string]: unknown | undefined;
}
/**
 * Content of others in a message: its author did not write it. It is data, never an instruction.
 */
export interface OthersContent {
  /**
   * `forwarded`: a message that the author shared. `preview`: what Slack shows of a link. New kinds may be added.
   */
  kind: string;
  /**
   * Its words as Markdown.
   */
  text: string;
  /**
   * Name of its author.
   */
  author?: string;
  /**
   * Slack user id of its author.
   */
  user?: string;
  /**
   * Name of the conversation that it comes from.
   */
  channel?: string;
  /**
   * Its Slack timestamp.
   */
  ts?: string;
  /**
   * Its address.
   */
  url?: string;
  [k: string]: unknown | undefined;
}
/**
 * A part of a message that could not be read.
 */
export interface UnreadableContent {
  /**
   * The part in words, such as the name of a file.
   */
  what: string;
  /**
   * The reason, one sentence for people.
   */
  why: string;
  [k: string]: unknown | undefined;
}
/**
 * An earlier message of the same Slack thread.
 */
export interface ThreadMessage {
  /**
   * The author's words as Markdown. Quotations are block quotes.
   */
  text: string;
  /**
   * Slack user id of the author.
   */
  user?: string;
  /**
   * Name of the author: a person, or another app.
   */
  name?: string;
  /**
   * Slack timestamp.
   */
  ts?: string;
  /**
   * True when this app wrote it.
   */
  bot?: boolean;
  /**
   * True when another app wrote it.
   */
  app?: boolean;
  /**
   * True when the text quotes others: its block quotes are content of others.
   */
  has_quotes?: boolean;
  /**
   * Content of others in the message, such as a forwarded message.
   */
  others?: OthersContent[];
  /**
   * Its files. A file that the task can read is one of the task's attachments too, with the same id.
   */
  files?: Attachment[];
  /**
   * Parts of the message that could not be read.
   */
  unreadable?: UnreadableContent[];
  [k: string]: unknown | undefined;
}
/**
 * A task's final answer. Further members come from the agent and are preserved.
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
   * Whether this agent is the default agent.
   */
  default_agent?: boolean;
  awaits?: TaskAwaits;
  /**
   * Files that belong to the answer. `read_task_file` reads their contents.
   *
   * @maxItems 20
   */
  files?: TaskFile[];
  /**
   * Questions that the person may ask next, for buttons.
   *
   * @maxItems 4
   */
  follow_ups?: string[];
  usage?: TaskUsage;
  [k: string]: unknown | undefined;
}
/**
 * For a task with steps: their final states.
 */
interface TaskProgress1 {
  /**
   * Increases by one with each change. Pass it as `seen_progress` of the next poll; 0 means that nothing was seen.
   */
  revision: number;
  /**
   * In order; only the first ones if the task has more. Empty for a task without steps.
   *
   * @maxItems 50
   */
  steps: TaskStep[];
  /**
   * Number of omitted steps.
   */
  more?: number;
  /**
   * The agent's progress message.
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
   * The agent's name for the file. Untrusted: not a path.
   */
  name: string;
  /**
   * The type that the agent gave, for example `image/png`.
   */
  media_type: string;
  /**
   * Bytes.
   */
  size: number;
  [k: string]: unknown | undefined;
}
/**
 * Language model usage of the answer.
 */
export interface TaskUsage {
  /**
   * `provider/id`, for example `anthropic/claude-sonnet-4-6`. Absent when this zone called no model.
   */
  model?: string;
  input_tokens: number;
  output_tokens: number;
  /**
   * Input tokens that the provider read from its cache; part of the input tokens.
   */
  cached_input_tokens: number;
  /**
   * US dollars, by the prices that this version knows. Null for a model without a known price.
   */
  cost: number | null;
  /**
   * Present when a call ended before the provider counted it. The usage of that call is an estimate.
   */
  estimated?: true;
  /**
   * Usage that agents reported, one entry for each agent. The other members do not include it.
   *
   * @minItems 1
   * @maxItems 50
   */
  reported?: ReportedUsage[];
  [k: string]: unknown | undefined;
}
/**
 * An agent's report of its own language model usage for a task, over all of its calls. Not verified, and not charged to any budget.
 */
export interface ReportedUsage {
  /**
   * Name of the agent that reported it.
   */
  agent: string;
  input_tokens: number;
  output_tokens: number;
  /**
   * Input tokens that the agent's provider read from its cache; part of the input tokens.
   */
  cached_input_tokens: number;
  /**
   * US dollars, as reported by the agent; null when it reports no cost.
   */
  cost: number | null;
  [k: string]: unknown | undefined;
}
/**
 * The task takes longer than the sync window. Poll it with `get_async_task_result`.
 */
export interface TaskAccepted {
  status: "accepted";
  task_id: TaskId;
  [k: string]: unknown | undefined;
}
/**
 * The task waits: for people, and continues when they have decided, or without a request for a time or an event, and continues by itself.
 */
export interface TaskInputRequired {
  status: "input_required";
  task_id: TaskId;
  /**
   * The open input requests of the task. None while it waits for a time or an event.
   */
  input_requests: InputRequest[];
  resumes_at?: Timestamp12;
  /**
   * Name of the agent that asks.
   */
  agent?: string;
  /**
   * Whether this agent is the default agent.
   */
  default_agent?: boolean;
  progress?: TaskProgress2;
  /**
   * What the agent says meanwhile, Markdown.
   */
  text?: string;
  [k: string]: unknown | undefined;
}
/**
 * The progress of a task: its steps, or the agent's progress message.
 */
interface TaskProgress2 {
  /**
   * Increases by one with each change. Pass it as `seen_progress` of the next poll; 0 means that nothing was seen.
   */
  revision: number;
  /**
   * In order; only the first ones if the task has more. Empty for a task without steps.
   *
   * @maxItems 50
   */
  steps: TaskStep[];
  /**
   * Number of omitted steps.
   */
  more?: number;
  /**
   * The agent's progress message.
   */
  text?: string;
  [k: string]: unknown | undefined;
}
/**
 * Where and why a workflow run failed, without internal details.
 */
interface FailedRun1 {
  workflow: WorkflowId;
  reason: RunProblemKind;
  /**
   * Title of the failed step. Absent when the failure belongs to no step.
   */
  step?: string;
  [k: string]: unknown | undefined;
}
/**
 * Has no members yet. Unknown members are ignored.
 */
export interface GetAgentCardParams {
  [k: string]: unknown | undefined;
}
export interface GetAsyncTaskResultParams {
  task_id: TaskId;
  /**
   * How long the server may hold the response while the task works, milliseconds. The server may answer sooner.
   */
  wait_ms?: number;
  /**
   * The revision of the last seen progress. The server responds at once if it has a newer one.
   */
  seen_progress?: number;
  /**
   * The `seq` of the last seen event. A stream continues after it, or restarts at the beginning of the text if the server no longer has that event.
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
 * Unknown members are ignored.
 */
export interface GetRunChangeParams {
  task_id: TaskId;
  /**
   * The revision of the run as the caller knows it: that of `progress` in the error of the task.
   */
  seen_revision: number;
  [k: string]: unknown | undefined;
}
export interface GetRunChangeResult {
  /**
   * Whether the run has a newer revision. False when the task has no run.
   */
  changed: boolean;
  [k: string]: unknown | undefined;
}
/**
 * Has no members yet. Unknown members are ignored.
 */
export interface ListAgentsParams {
  [k: string]: unknown | undefined;
}
export interface ListAgentsResult {
  agents: AgentSummary[];
  [k: string]: unknown | undefined;
}
/**
 * An agent or a workflow that `execute_task` can name.
 */
export interface AgentSummary {
  name: string;
  description: string;
  /**
   * Default: agent.
   */
  kind?: "agent" | "workflow";
  /**
   * Whether it answers when a request names no agent.
   */
  default: boolean;
  /**
   * JSON Schema of a workflow's input. Large ones are left out.
   */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
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
 * Whose tasks to return, and since when. Unknown members are ignored.
 */
export interface ListPersonTasksParams {
  /**
   * Slack user id of the requester, as the caller verified it.
   */
  user_id: string;
  /**
   * Slack team id.
   */
  team_id: string;
  since: Timestamp13;
  [k: string]: unknown | undefined;
}
export interface ListPersonTasksResult {
  /**
   * Newest first.
   *
   * @maxItems 50
   */
  tasks: PersonTask[];
  [k: string]: unknown | undefined;
}
/**
 * A task as its requester sees it in a list.
 */
export interface PersonTask {
  task_id: TaskId;
  /**
   * The id of the caller's request that began it.
   */
  request_id: string;
  correlation_id: CorrelationId;
  /**
   * The agent or workflow that runs the task.
   */
  agent: string;
  state: TaskState;
  created_at: Timestamp;
  [k: string]: unknown | undefined;
}
/**
 * What happened to a message in both zones, without its text: when it was received, judged, asked, worked on and answered.
 */
export interface MessageLife {
  reference: CorrelationId;
  /**
   * Whether verification has reported the message. False for a message of the last seconds, while the zone link is down, and for a task that began outside Slack.
   */
  reported: boolean;
  message?: MessageRecord;
  standing?: MessageStanding1;
  names?: Names;
  pending_act?: MessageAct1;
  /**
   * The tasks with this reference, up to 20: those of the message, newest first, then those of others who chose the same reference.
   */
  tasks: TaskLife[];
}
/**
 * Present if reported.
 */
export interface MessageRecord {
  reference: CorrelationId;
  /**
   * Increases with each change. Execution ignores a report with a revision that it has.
   */
  revision: number;
  state: MessageState;
  /**
   * How it stands, where `state` does not say it: the reply in Slack says that it failed, or that a person stopped it; or it is a word or two that ask nothing. Absent otherwise.
   */
  outcome?: "failed" | "stopped" | "no_question";
  /**
   * The rule of the policy that denied it.
   */
  rule?: string;
  /**
   * Why it was denied, rejected, parked or missed, or has no answer but an error.
   */
  reason?: string;
  /**
   * The Slack team.
   */
  team_id: string;
  /**
   * The Slack channel.
   */
  channel: string;
  /**
   * The timestamp of the message, as in its link. Absent without a message, as for a slash command.
   */
  ts?: string;
  /**
   * The timestamp of its thread.
   */
  thread_ts: string;
  /**
   * Its author.
   */
  user_id: string;
  /**
   * The author's name, if Slack says it. Only in reports: lists have `names`.
   */
  user_name?: string;
  /**
   * The channel's name with its sign, such as `#general`, if Slack says it. Only in reports, like `user_name`.
   */
  channel_name?: string;
  /**
   * How often verification worked on it; 0 if it was denied.
   */
  attempts: number;
  received_at: Timestamp;
  judged_at?: Timestamp14;
  posted_at?: Timestamp15;
  ended_at?: Timestamp16;
}
/**
 * A task with everything that happened for it, without content.
 */
export interface TaskLife {
  task: TaskRecord;
  /**
   * True for the task of another caller that chose the same reference. It is no part of what happened to the message.
   */
  of_another?: boolean;
  /**
   * Calls of language models, oldest first, up to 500.
   */
  model_calls: ModelCall[];
  /**
   * Calls of tools of MCP servers, oldest first, up to 500. Absent from a zone of an earlier version.
   */
  tool_calls?: ServedToolCall[];
  /**
   * What people were asked, oldest first.
   */
  input_requests: AskedInput[];
  /**
   * The attempts of the steps of its run, in the order of their start, up to 500.
   */
  steps: StepAttempt[];
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
   * The agent or workflow that runs the task.
   */
  agent: string;
  /**
   * The beginning of the question. Absent without text, and when it is sealed with another key.
   */
  title?: string;
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
  run_id?: RunId1;
  /**
   * Calls of registered agents. Present for one task; empty when the agent runs within the zone.
   */
  agent_calls?: AgentCall[];
}
/**
 * Why a task has no answer: the row of the error catalog, without the agent's own message.
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
  /**
   * More for operators, without secrets and content. For a failed model call: the model, the error with its HTTP status, attempts and tokens.
   */
  detail?: string;
}
export interface ModelCall {
  agent: string;
  /**
   * `provider/id`.
   */
  model: string;
  at: Timestamp17;
  ended_at?: Timestamp18;
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  /**
   * US dollars; null when the model has no known price.
   */
  cost: number | null;
  /**
   * True until the provider's count is known.
   */
  estimated: boolean;
}
export interface ServedToolCall {
  agent: string;
  server: string;
  /**
   * The server's name for it.
   */
  tool: string;
  at: Timestamp19;
  ended_at?: Timestamp20;
  /**
   * `asked`: it waits for people; another call goes on when they have answered. Absent before its end.
   */
  outcome?: "succeeded" | "failed" | "canceled" | "asked";
}
export interface AskedInput {
  request_id: InputRequestId;
  kind: InputKind;
  state: InputState;
  /**
   * The agent or workflow that asks.
   */
  agent: string;
  decide: InputDeciders;
  /**
   * The people and programs that have voted.
   */
  decided_by: string[];
  created_at: Timestamp;
  expires_at: Timestamp;
  decided_at?: Timestamp21;
}
export interface StepAttempt {
  path: StepPath;
  type: StepType;
  title?: StepTitle;
  agent_name?: AgentName;
  state: StepState;
  attempt: number;
  task_id?: BusId1;
  started_at?: Timestamp;
  ended_at?: Timestamp;
}
/**
 * A page of messages, newest first.
 */
export interface MessageList {
  messages: ListedMessage[];
  names?: Names;
  /**
   * `cursor` of the next page. Absent on the last page.
   */
  next_cursor?: string;
}
export interface ListedMessage {
  message: MessageRecord1;
  standing?: MessageStanding;
  /**
   * Who can decide what it waits for: ids of people and groups, and programs. Absent when it waits for no person.
   */
  waits_for?: string[];
  pending_act?: MessageAct2;
  task?: TaskRecord1;
}
/**
 * What became of a message in the verification zone so far, without its text. Verification reports it to execution.
 */
interface MessageRecord1 {
  reference: CorrelationId;
  /**
   * Increases with each change. Execution ignores a report with a revision that it has.
   */
  revision: number;
  state: MessageState;
  /**
   * How it stands, where `state` does not say it: the reply in Slack says that it failed, or that a person stopped it; or it is a word or two that ask nothing. Absent otherwise.
   */
  outcome?: "failed" | "stopped" | "no_question";
  /**
   * The rule of the policy that denied it.
   */
  rule?: string;
  /**
   * Why it was denied, rejected, parked or missed, or has no answer but an error.
   */
  reason?: string;
  /**
   * The Slack team.
   */
  team_id: string;
  /**
   * The Slack channel.
   */
  channel: string;
  /**
   * The timestamp of the message, as in its link. Absent without a message, as for a slash command.
   */
  ts?: string;
  /**
   * The timestamp of its thread.
   */
  thread_ts: string;
  /**
   * Its author.
   */
  user_id: string;
  /**
   * The author's name, if Slack says it. Only in reports: lists have `names`.
   */
  user_name?: string;
  /**
   * The channel's name with its sign, such as `#general`, if Slack says it. Only in reports, like `user_name`.
   */
  channel_name?: string;
  /**
   * How often verification worked on it; 0 if it was denied.
   */
  attempts: number;
  received_at: Timestamp;
  judged_at?: Timestamp14;
  posted_at?: Timestamp15;
  ended_at?: Timestamp16;
}
/**
 * A task as operators see it: everything except the question and the answer.
 */
interface TaskRecord1 {
  task_id: TaskId;
  state: TaskState;
  /**
   * The authenticated client of the zone link.
   */
  caller: string;
  /**
   * The agent or workflow that runs the task.
   */
  agent: string;
  /**
   * The beginning of the question. Absent without text, and when it is sealed with another key.
   */
  title?: string;
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
  run_id?: RunId1;
  /**
   * Calls of registered agents. Present for one task; empty when the agent runs within the zone.
   */
  agent_calls?: AgentCall[];
}
/**
 * A file and a position in it.
 */
export interface ReadTaskFileParams {
  task_id: TaskId;
  file_id: TaskFileId;
  /**
   * The first byte to read. Default: 0.
   */
  offset?: number;
  [k: string]: unknown | undefined;
}
/**
 * A piece of a file.
 */
export interface ReadTaskFileResult {
  /**
   * The contents from `offset`, base64; at most 1 MiB.
   */
  bytes: string;
  /**
   * Offset of the next piece. Absent after the last piece.
   */
  next_offset?: number;
  [k: string]: unknown | undefined;
}
/**
 * Messages whose state has changed since their last report.
 */
export interface ReportMessagesParams {
  /**
   * Empty when the caller only asks for acts.
   *
   * @maxItems 100
   */
  messages: MessageRecord1[];
}
/**
 * The reports are stored.
 */
export interface ReportMessagesResult {
  /**
   * What operators want done with parked messages of the caller, oldest first. Repeated for a day, until a later revision of the message is reported.
   *
   * @maxItems 100
   */
  acts?: WantedAct[];
  [k: string]: unknown | undefined;
}
export interface WantedAct {
  reference: CorrelationId;
  /**
   * The revision that the operator saw. The caller ignores an act on an earlier revision than its own.
   */
  revision: number;
  act: MessageAct;
}
/**
 * The task's id. Sent as the first event of `execute_task`.
 */
export interface TaskStarted {
  type: "accepted";
  task_id: TaskId;
  seq: 0;
  [k: string]: unknown | undefined;
}
/**
 * More text of the answer.
 */
export interface TaskText {
  type: "text";
  task_id: TaskId;
  /**
   * Increases with each event. Pass it as `since_seq` of the next call to get only later events. Changes are merged if they happen faster than they are sent, so there may be gaps.
   */
  seq: number;
  /**
   * Where `delta` begins in the text, in UTF-16 code units. If it is beyond the receiver's text, the receiver has missed events. If it is before the end of that text, the receiver has seen this part already.
   */
  offset: number;
  delta: string;
  [k: string]: unknown | undefined;
}
/**
 * What the agent is doing. Replaces the previous text.
 */
export interface TaskProgressed {
  type: "progress";
  task_id: TaskId;
  seq: number;
  progress: TaskProgress2;
  [k: string]: unknown | undefined;
}
/**
 * The task waits for people. The response follows.
 */
export interface TaskInputRequested {
  type: "input_requested";
  task_id: TaskId;
  seq: number;
  /**
   * @minItems 1
   */
  input_requests: InputRequest[];
  [k: string]: unknown | undefined;
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
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
}
/**
 * Language model usage of one answer, over all calls of this zone. `reported` has the reports of the agents it called.
 */
interface TaskUsage1 {
  /**
   * `provider/id`, for example `anthropic/claude-sonnet-4-6`. Absent when this zone called no model.
   */
  model?: string;
  input_tokens: number;
  output_tokens: number;
  /**
   * Input tokens that the provider read from its cache; part of the input tokens.
   */
  cached_input_tokens: number;
  /**
   * US dollars, by the prices that this version knows. Null for a model without a known price.
   */
  cost: number | null;
  /**
   * Present when a call ended before the provider counted it. The usage of that call is an estimate.
   */
  estimated?: true;
  /**
   * Usage that agents reported, one entry for each agent. The other members do not include it.
   *
   * @minItems 1
   * @maxItems 50
   */
  reported?: ReportedUsage[];
  [k: string]: unknown | undefined;
}
/**
 * The live API tokens by name.
 */
export interface ApiTokenList {
  tokens: ApiToken[];
}
/**
 * An API token, without its text.
 */
export interface ApiToken {
  name: TokenName;
  /**
   * @minItems 1
   * @maxItems 7
   */
  scopes: TokenScope[];
  /**
   * `token:` and the name of the creator's token, or `bootstrap`.
   */
  created_by: string;
  created_at: Timestamp;
  expires_at: Timestamp22;
  /**
   * The bytes of its tasks, runs, events and workflow versions that are stored.
   */
  stored_bytes?: number;
  last_used_at?: Timestamp23;
  last_used_from?: TokenSender;
}
/**
 * Where a request with a token came from.
 */
export interface TokenSender {
  /**
   * The IP address; `other` for the places of a day after the first fifty.
   */
  address: string;
  /**
   * The start of its `user-agent`, in printable ASCII. Untrusted text.
   */
  client: string;
  [k: string]: unknown | undefined;
}
/**
 * The params of `check_token`. Unknown members are ignored.
 */
export interface CheckTokenParams {
  digest: TokenDigest;
  scope: TokenScope;
  from?: TokenSender1;
  [k: string]: unknown | undefined;
}
/**
 * Where a request with a token came from.
 */
interface TokenSender1 {
  /**
   * The IP address; `other` for the places of a day after the first fifty.
   */
  address: string;
  /**
   * The start of its `user-agent`, in printable ASCII. Untrusted text.
   */
  client: string;
  [k: string]: unknown | undefined;
}
/**
 * The holder of a valid token.
 */
export interface CheckTokenResult {
  /**
   * The token's name, or `bootstrap` for one of ADMIN_TOKENS.
   */
  name: string;
  [k: string]: unknown | undefined;
}
/**
 * A new API token. Needs either `expires_at` or `expires_in`. Its scopes and its expiry must be within those of the creator's token.
 */
export interface CreateTokenRequest {
  name: TokenName;
  /**
   * @minItems 1
   * @maxItems 7
   */
  scopes: TokenScope[];
  expires_at?: Timestamp;
  /**
   * Lifetime, seconds.
   */
  expires_in?: number;
}
/**
 * A created API token with its text, which is shown only here.
 */
export interface CreatedToken {
  /**
   * `xz_`, 32 random characters and a checksum of 6.
   */
  token: string;
  api_token: ApiToken;
}
/**
 * Uses of tokens and other credentials, latest first.
 */
export interface TokenUseList {
  uses: TokenUse[];
}
/**
 * The uses of a token, or of other credentials, in a day and from one place.
 */
export interface TokenUse {
  /**
   * `token:` and a name, `bootstrap`, `subject:` or `person:` and the name of an identity provider, or `zone:` and a caller of the zone link.
   */
  actor: string;
  /**
   * In UTC, such as `2026-11-21`.
   */
  day: string;
  /**
   * As in `TokenSender`.
   */
  address: string;
  /**
   * As in `TokenSender`. Untrusted text.
   */
  client: string;
  /**
   * The number of requests.
   */
  uses: number;
  first_at: Timestamp;
  last_at: Timestamp;
}
/**
 * The params of `get_usage`: whose usage to return. Unknown members are ignored.
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
   * Slack channel id. If present, the result includes the channel's budgets.
   */
  channel?: string;
  [k: string]: unknown | undefined;
}
/**
 * Language model usage of one person, and the budgets that limit it.
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
   * Number of language model calls, including running ones.
   */
  calls: number;
  /**
   * Number of calls that the provider did not count: running, stopped, or of a crashed process.
   */
  estimated_calls: number;
  /**
   * Number of calls of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Input tokens that the provider read from its cache; part of the input tokens.
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
   * Number of language model calls, including running ones.
   */
  calls: number;
  /**
   * Number of calls that the provider did not count: running, stopped, or of a crashed process.
   */
  estimated_calls: number;
  /**
   * Number of calls of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Input tokens that the provider read from its cache; part of the input tokens.
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
   * The subject of the budget.
   */
  scope: "person" | "channel" | "team" | "agent";
  /**
   * In UTC.
   */
  period: "day" | "month";
  unit: "usd" | "tokens";
  /**
   * The limit of one person, channel, team or agent in the period: US dollars, or tokens of input and output.
   */
  limit: number;
  /**
   * Used and reserved amount. Absent in the result for a person if the budget is shared.
   */
  used?: number;
  resets_at: Timestamp;
  /**
   * The subject of the budget: a Slack id of a person or channel, a digest of a team, or the name of an agent. Absent before the first call.
   */
  subject?: string;
  /**
   * Digest of the team of a person or channel.
   */
  team?: string | null;
  [k: string]: unknown | undefined;
}
/**
 * The budgets of BUDGETS in their current periods. A budget has one entry for each subject that used it, largest first, at most 50.
 */
export interface UsageBudgetList {
  names?: Names;
  budgets: UsageBudget[];
}
/**
 * Language model usage in a time range. Days come in order. Other groups are sorted by cost, then by tokens, largest first.
 */
export interface UsageReport {
  by: UsageGrouping;
  since: Timestamp;
  until: Timestamp24;
  sum: UsageSum2;
  groups: UsageGroup[];
  names?: Names;
  /**
   * Groups, on all pages.
   */
  total: number;
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
}
/**
 * All groups, on all pages.
 */
interface UsageSum2 {
  /**
   * Number of language model calls, including running ones.
   */
  calls: number;
  /**
   * Number of calls that the provider did not count: running, stopped, or of a crashed process.
   */
  estimated_calls: number;
  /**
   * Number of calls of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Input tokens that the provider read from its cache; part of the input tokens.
   */
  cached_input_tokens: number;
  /**
   * US dollars; null when no call has a known price.
   */
  cost: number | null;
}
/**
 * The calls of one person, channel, team, agent, model, schedule, hook or day.
 */
export interface UsageGroup {
  /**
   * Slack id of the person or channel, digest of the team, name of the agent, `provider/id` of the model, name of the schedule or hook, or the day. Null for calls without one.
   */
  key: string | null;
  /**
   * Digest of the team of a person or channel.
   */
  team?: string | null;
  sum: UsageSum3;
}
/**
 * Usage of several language model calls.
 */
interface UsageSum3 {
  /**
   * Number of language model calls, including running ones.
   */
  calls: number;
  /**
   * Number of calls that the provider did not count: running, stopped, or of a crashed process.
   */
  estimated_calls: number;
  /**
   * Number of calls of a model without a known price. `cost` does not include them.
   */
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  /**
   * Input tokens that the provider read from its cache; part of the input tokens.
   */
  cached_input_tokens: number;
  /**
   * US dollars; null when no call has a known price.
   */
  cost: number | null;
}
/**
 * All attempts of one step instance, oldest first.
 */
export interface StepAttempts {
  run_id: RunId2;
  path: StepPath;
  attempts: WorkflowStepRecord[];
}
/**
 * The latest attempt of one step instance. `input` is what the agent received and `output` what it returned, any JSON.
 */
export interface WorkflowStepRecord {
  path: StepPath;
  step_id: StepId;
  type: StepType;
  title?: StepTitle;
  agent_name?: AgentName;
  state: StepState;
  /**
   * 0 before the first attempt.
   */
  attempt: number;
  task_id?: BusId;
  child_run_id?: RunId3;
  input?: unknown;
  output?: unknown;
  error?: RunProblem;
  started_at?: Timestamp;
  ended_at?: Timestamp;
}
/**
 * Why a run or a step failed.
 */
export interface RunProblem {
  kind: RunProblemKind;
  /**
   * For people. Contains no internal details.
   */
  message: string;
  path?: StepPath;
  agent_error?: AgentError;
}
/**
 * A workflow: steps performed by agents, and their order. `output_mapping` is a template of the run's output, any JSON. Default: the output of the last step.
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
   * JSON Schema 2020-12 of the input. Without it, any input is valid.
   */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
  start_step: StepId;
  /**
   * The steps by id.
   */
  steps: {
    [k: string]: WorkflowStep | undefined;
  };
  /**
   * Deadline of a run, milliseconds after its start.
   */
  deadline_ms?: number;
  budget?: RunBudget;
  /**
   * Whether it changes something outside of Crosszone, for example sends a message or pays. A language model can't call it while the conversation holds content that the person did not write. False when absent.
   */
  side_effects?: boolean;
  output_mapping?: unknown;
}
/**
 * Sends one task to one agent. `input_mapping` is a template of its input, any JSON: `${workflow.input.a.b[0]}`, `${step.output.x}`, `${item}`, `${index}`, with a default `${step.output.x ?? "none"}`. A string that consists of one reference keeps the type of the referenced value. `$${` escapes `${`. The output is the agent's answer.
 */
export interface AgentStep {
  id: StepId;
  type: "agent";
  title?: StepTitle;
  description?: WorkflowText;
  agent_name: AgentName;
  input_mapping: unknown;
  approved_by?: StepId1;
  timeout_ms?: StepTimeout;
  on_error?: OnStepError;
  next_step?: NextStep;
}
/**
 * Waits until people decide. Its output is `{verdict, value, values, reason, by, request_id, action, execute_until}`: `verdict` is `approve`, `answer`, `deny`, `expired` or `withdrawn`, `by` a list of the people who decided. The deadline of the run does not pass meanwhile.
 */
export interface HumanStep {
  id: StepId;
  type: "human";
  title?: StepTitle;
  description?: WorkflowText;
  input: InputKind;
  /**
   * What is asked, a template. Its text has at most 150 characters.
   */
  prompt: string;
  /**
   * More about it, a template of Markdown.
   */
  body?: string;
  action?: StepAction;
  /**
   * Required for `choose`.
   *
   * @minItems 1
   * @maxItems 25
   */
  options?: InputOption[];
  schema?: InputSchema2;
  decide?: StepDeciders;
  visibility?: InputVisibility1;
  /**
   * Time to decide, milliseconds. Default: the approval policy.
   */
  expires_in_ms?: number;
  /**
   * What a denied, expired or withdrawn request does. Default: `fail`.
   */
  on_denied?: "fail" | "continue";
  next_step?: NextStep;
}
/**
 * For `approve`: the exact call that people approve.
 */
export interface StepAction {
  /**
   * The agent, workflow or tool that a later step calls.
   */
  tool: string;
  /**
   * A template of its arguments, any JSON.
   */
  arguments: {
    [k: string]: unknown | undefined;
  };
}
/**
 * The fields of a form: a flat JSON Schema object, as in MCP elicitation.
 */
interface InputSchema2 {
  type: "object";
  properties: {
    [k: string]: InputField | undefined;
  };
  /**
   * The fields that need a value.
   */
  required?: string[];
}
/**
 * Who decides. Default: the approval policy.
 */
export interface StepDeciders {
  /**
   * Slack user ids.
   *
   * @maxItems 20
   */
  people?: string[];
  /**
   * Slack user group ids.
   *
   * @maxItems 20
   */
  groups?: string[];
  /**
   * Whether the requester of the run can decide. Default: false.
   */
  requester?: boolean;
  /**
   * Votes needed to approve. Default: 1.
   */
  approve?: number;
  /**
   * Votes needed to deny. Default: 1.
   */
  deny?: number;
}
/**
 * Waits for a time or for an event: exactly one of `for_ms`, `until` and `event`. Its output is `{at}`, `{event, at}` or `{timed_out: true}`. The deadline of the run does not pass meanwhile.
 */
export interface WaitStep {
  id: StepId;
  type: "wait";
  title?: StepTitle;
  description?: WorkflowText;
  for_ms?: WaitTime;
  /**
   * A template of a time, ISO 8601 with an offset: `2027-01-01T09:00:00+01:00`. A time that is over does not wait.
   */
  until?: string;
  event?: AwaitedEvent;
  next_step?: NextStep;
}
/**
 * The event, which arrives over the API or a hook. One that arrived since the run began counts, too.
 */
export interface AwaitedEvent {
  name: EventName1;
  /**
   * A template of the key that tells events of one name apart, such as an order number.
   */
  key: string;
  timeout_ms?: WaitTime1;
  /**
   * What happens when no event arrives in time. Default: `fail`.
   */
  on_timeout?: "fail" | "continue";
}
/**
 * Runs another workflow. `input_mapping` is a template of its input, any JSON; default: `{}`. The output is that of its run, which belongs to the same requester and ends by the deadline of this run. That deadline does not pass meanwhile.
 */
export interface SubWorkflowStep {
  id: StepId;
  type: "workflow";
  title?: StepTitle;
  description?: WorkflowText;
  workflow: WorkflowId;
  version?: WorkflowVersion1;
  input_mapping?: unknown;
  timeout_ms?: StepTimeout;
  /**
   * What happens to its run when this run no longer needs it. Default: `cancel`.
   */
  on_cancel?: "cancel" | "abandon";
  on_error?: OnStepError;
  next_step?: NextStep;
}
/**
 * Calls the zone's language model once, without tools. Its output is `{text}`; with a `schema`, the JSON that matches it. The budgets of the run's requester pay.
 */
export interface PromptStep {
  id: StepId;
  type: "prompt";
  title?: StepTitle;
  description?: WorkflowText;
  /**
   * What the model gets, a template. What agents and people wrote is data in it: put instructions into `system`.
   */
  prompt: string;
  /**
   * Instructions for the model, a template.
   */
  system?: string;
  /**
   * JSON Schema 2020-12 of the output. The model gets one chance to correct an answer that does not match.
   */
  schema?: {
    [k: string]: unknown | undefined;
  };
  /**
   * Maximum number of output tokens. Default, and at most: the limit of the zone.
   */
  max_tokens?: number;
  /**
   * Another model, `provider/id`. Default: that of the zone.
   */
  model?: string;
  timeout_ms?: StepTimeout;
  on_error?: OnStepError;
  next_step?: NextStep;
}
/**
 * Runs steps in parallel. Its output is an object: step id to output.
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
 * Runs one of two branches to its end. Its output is the output of the last step in the branch, or null if the branch is empty.
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
 * The condition.
 */
export interface StepCondition {
  /**
   * CEL, true or false, over `workflow.input`, `steps.<id>.output`, `item` and `index`. `${…}` is a reference. https://cel.dev
   */
  expression: string;
}
/**
 * Runs its body once for each item of an array. Its output is an array: for each item, the output of the last step in the body.
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
 * The items, the mode and the body.
 */
export interface LoopConfig {
  /**
   * One reference to an array, or an array of templates.
   */
  collection: string | unknown[];
  /**
   * A second name for `item`, for nested loops.
   */
  iterator_variable?: string;
  loop_body: StepList;
  /**
   * Default: `sequential`.
   */
  execution_mode?: "sequential" | "parallel";
  max_parallelism?: StepParallelism;
  /**
   * A longer array fails the step. Default: 1000.
   */
  max_iterations?: number;
  /**
   * Default: `stop`.
   */
  on_error?: "stop" | "continue" | "collect";
}
/**
 * Runs branches in parallel until enough of them have succeeded, then cancels the others. Its output is an object: name of each succeeded branch to the output of its last step.
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
 * The branches and the condition to join.
 */
export interface ForkJoinConfig {
  /**
   * By name.
   */
  branches: {
    [k: string]: ForkBranch | undefined;
  };
  /**
   * How many branches must succeed.
   */
  join_policy: "all" | "any" | "majority" | "n_of_m";
  /**
   * Required for `n_of_m`.
   */
  n_required?: number;
  branch_timeout_ms?: StepTimeout;
}
/**
 * A branch of a fork: a sequence of steps.
 */
export interface ForkBranch {
  steps: StepList;
  timeout_ms?: StepTimeout;
}
/**
 * The most that the prompt steps of a run may use of language models. A call beyond it fails its step.
 */
export interface RunBudget {
  /**
   * Tokens, input and output.
   */
  tokens?: number;
  /**
   * US dollars. The model must have a known price.
   */
  usd?: number;
}
/**
 * A run as a graph. Each step of the definition is a node with the combined state of its instances.
 */
export interface RunGraph {
  run_id: RunId2;
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
   * For a loop, the number of finished items; inside a loop, the number of finished instances.
   */
  done?: number;
  total?: number;
}
export interface RunGraphEdge {
  from: StepId;
  to: StepId;
  kind: "next" | "inside";
  /**
   * The branch of a fork; `true` or `false` for a condition.
   */
  label?: string;
  /**
   * Whether the run took this edge.
   */
  is_taken: boolean;
}
/**
 * A page of workflows by id, each in its latest version.
 */
export interface WorkflowList {
  workflows: WorkflowSummary[];
  /**
   * Matches on all pages.
   */
  total: number;
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
}
/**
 * A version of a workflow, without its steps.
 */
export interface WorkflowSummary {
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  name: string;
  description?: WorkflowText;
  /**
   * JSON Schema of the input.
   */
  input_schema?: {
    [k: string]: unknown | undefined;
  };
  created_at: Timestamp;
}
/**
 * Publishes an event to the runs that wait for its name and key, now or within 7 days. `payload` is any JSON. Default: null.
 */
export interface PublishEventRequest {
  name: EventName1;
  /**
   * Tells events of one name apart, such as an order number.
   */
  key: string;
  /**
   * Makes it safe to repeat the request: of a name and a key, each id is one event.
   */
  id?: string;
  payload?: unknown;
}
/**
 * A stored event.
 */
export interface PublishedEvent {
  /**
   * The id of the request, or a new one.
   */
  id: string;
  /**
   * False for a repetition, which has no effect.
   */
  is_new: boolean;
}
/**
 * A stored version of a workflow.
 */
export interface WorkflowRecord {
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  created_at: Timestamp;
  definition: WorkflowDefinition;
}
/**
 * The result of validating a definition.
 */
export interface WorkflowReport {
  valid: boolean;
  /**
   * All problems, each with a JSON pointer.
   */
  problems: ParamProblem[];
  /**
   * What is probably a mistake, such as `{{…}}` instead of `${…}`. A definition with warnings is valid.
   */
  warnings?: ParamProblem[];
}
/**
 * The state of the run changed. `output` is any JSON.
 */
export interface RunChanged {
  type: "run";
  run_id: RunId2;
  revision: RunRevision;
  at: Timestamp;
  state: RunState;
  output?: unknown;
  error?: RunProblem;
}
/**
 * A step instance was created, or its state changed.
 */
export interface StepChanged {
  type: "step";
  run_id: RunId2;
  revision: RunRevision;
  at: Timestamp;
  step: WorkflowStepRecord;
}
/**
 * A page of runs, newest first.
 */
export interface RunList {
  runs: WorkflowRunSummary[];
  /**
   * The `cursor` of the next page. Absent on the last.
   */
  next_cursor?: string;
}
/**
 * A run without its steps.
 */
export interface WorkflowRunSummary {
  run_id: RunId2;
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  name: string;
  state: RunState;
  revision: RunRevision;
  correlation_id: CorrelationId;
  error?: RunProblem;
  /**
   * Of a failed or timed-out run: whether a retry can end differently. It can't if a mapping, a condition or a collection failed.
   */
  retryable?: boolean;
  /**
   * Who started it: a Slack user id, or a program, such as `token:ci`. Absent when unknown.
   */
  requester?: string;
  /**
   * Slack team id of the requester.
   */
  team_id?: string;
  /**
   * Slack channel of the question.
   */
  channel?: string;
  /**
   * Slack thread of the question.
   */
  thread_ts?: string;
  /**
   * In a list, of a run that waits for people: who can decide. Slack ids of people and groups, and programs.
   */
  waits_for?: string[];
  /**
   * Names of people by Slack user id.
   */
  names?: {
    [k: string]: string | undefined;
  };
  created_at: Timestamp;
  started_at?: Timestamp;
  ended_at?: Timestamp;
  deadline?: Timestamp25;
  /**
   * While the deadline is paused, because a step waits: the time that is left then, milliseconds.
   */
  remaining_ms?: number;
}
/**
 * A run with all of its steps and the definition it runs, even if the workflow has newer versions. `input` and `output` are any JSON.
 */
export interface WorkflowRun {
  run_id: RunId2;
  workflow_id: WorkflowId;
  version: WorkflowVersion;
  name: string;
  state: RunState;
  revision: RunRevision;
  correlation_id: CorrelationId;
  error?: RunProblem;
  /**
   * Of a failed or timed-out run: whether a retry can end differently. It can't if a mapping, a condition or a collection failed.
   */
  retryable?: boolean;
  /**
   * Who started it: a Slack user id, or a program, such as `token:ci`. Absent when unknown.
   */
  requester?: string;
  /**
   * Slack team id of the requester.
   */
  team_id?: string;
  /**
   * Slack channel of the question.
   */
  channel?: string;
  /**
   * Slack thread of the question.
   */
  thread_ts?: string;
  /**
   * Names of people by Slack user id.
   */
  names?: {
    [k: string]: string | undefined;
  };
  created_at: Timestamp;
  started_at?: Timestamp;
  ended_at?: Timestamp;
  deadline?: Timestamp26;
  /**
   * While the deadline is paused, because a step waits: the time that is left then, milliseconds.
   */
  remaining_ms?: number;
  input?: unknown;
  output?: unknown;
  definition: WorkflowDefinition;
  steps: WorkflowStepRecord[];
}
/**
 * Starts a run of the latest version, or of the named one. `input` is the value of `${workflow.input}`, any JSON. Default: `{}`. The header `Idempotency-Key` makes it safe to repeat the request.
 */
export interface StartRunRequest {
  workflow_id: WorkflowId;
  version?: WorkflowVersion;
  input?: unknown;
  /**
   * Shortens the definition's own timeout.
   */
  deadline_ms?: number;
  correlation_id?: CorrelationId;
}
