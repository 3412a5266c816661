import {
  type AgentMigrationRequest,
  type AgentSettings,
  type AgentTestRequest,
  type CreateTokenRequest,
  type InputAnswer,
  type InputState,
  type InputWithdrawal,
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
  type MessageStanding,
  isRunGraph,
  isRunList,
  isSchedule,
  isScheduleList,
  isTaskList,
  isTaskRecord,
  isTokenUseList,
  isUsageBudgetList,
  isUsageReport,
  isWorkflowList,
  isPublishedEvent,
  isWorkflowRecord,
  isWorkflowReport,
  isWorkflowRun,
  isWorkflowRunSummary,
  type NewSchedule,
  problemsOf,
  type RunState,
  type StartBulkActionRequest,
  type PublishEventRequest,
  type StartRunRequest,
  type TaskState,
  type UsageGrouping,
  type Validator,
} from "@crosszone/contracts";
import { askAgent, type AskedQuestion } from "./ask-agent.ts";
import { runEvents, type RunEventsOptions } from "./run-events.ts";
import {
  type ApiRequest,
  type ListFilter,
  type PageOptions,
  queryOf,
  readJson,
  send,
  type TimeRange,
  UnreachableError,
  retryRequest,
  type ZoneAddress,
} from "./send.ts";

/** Sends a request and validates the response body; an empty body is validated as `undefined`. */
type CallApi = <T>(is: Validator<T>, request: ApiRequest & { readonly timeoutMs?: number }) => Promise<T>;

/** The agent methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export type AgentsApi = ReturnType<typeof createAgentsApi>;

/** `once` sends a request one time, for those that the zone refuses when they are repeated. `retried` retries it. */
function createAgentsApi(once: CallApi, retried: CallApi) {
  return {
    list: (query: PageOptions & { readonly waiting?: boolean }) =>
      retried(isAgentList, { path: `agents${queryOf({ ...query })}` }),
    failedCalls: (name: string, query: PageOptions) =>
      retried(isAgentFailedCallList, { path: `${pathOf(name)}/failed-calls${queryOf({ ...query })}` }),
    get: (name: string) => retried(isAgentRecord, { path: pathOf(name) }),
    add: (body: AgentSettings) => once(isAgentRecord, { method: "POST", path: "agents", body }),
    enable: (name: string) => retried(isAgentRecord, { method: "POST", path: `${pathOf(name)}/enable` }),
    disable: (name: string) => retried(isAgentRecord, { method: "POST", path: `${pathOf(name)}/disable` }),
    remove: async (name: string) => void (await once(isNothing, { method: "DELETE", path: pathOf(name) })),
    /** Changes the agent by a JSON merge patch. */
    change: (name: string, body: Readonly<Record<string, unknown>>) =>
      once(isAgentRecord, { method: "PATCH", path: pathOf(name), body, timeoutMs: checkMs }),
    /** Checks agents, and moves all of them to another protocol or none. */
    migrate: (body: AgentMigrationRequest) =>
      once(isAgentMigration, { method: "POST", path: "agent-migrations", body, timeoutMs: fleetMs }),
    rollBackMigration: () => once(isAgentMigration, { method: "POST", path: "agent-migrations/rollback" }),
    /** Restores the protocol and URL before. */
    rollBack: (name: string) => once(isAgentRecord, { method: "POST", path: `${pathOf(name)}/rollback` }),
    /** Probes the agent: the zone fetches its card. */
    check: (name: string) => retried(isAgentHealth, { method: "POST", path: `${pathOf(name)}/health` }),
    /** Checks the agent's conformance through the zone; of its own protocol when absent. */
    conformance: (name: string, protocol: string | undefined) => {
      const path = `${pathOf(name)}/conformance${queryOf({ protocol })}`;
      return once(isConformanceReport, { method: "POST", path, timeoutMs: checkMs });
    },
    /** Sends a question to the agent through the zone and returns all requests and responses. */
    test: (body: AgentTestRequest) =>
      once(isAgentTest, { method: "POST", path: "agent-tests", body, timeoutMs: testMs }),
  };
}

/** Timeout of an agent test, milliseconds. The zone fetches the card, then gives the agent a minute. */
const testMs = 75_000;
/** Timeout of a change that checks an agent's conformance first, milliseconds. A check takes at most half a minute. */
const checkMs = 60_000;
/** Timeout of a migration, milliseconds. The zone checks some agents at once. */
const fleetMs = 900_000;

const pathOf = (name: string): string => `agents/${encodeURIComponent(name)}`;

/** An empty body. */
const isNothing = Object.assign((value: unknown): value is null => value === null, {
  errors: null,
}) as Validator<null>;

/** Default timeout of a request, milliseconds. */
const usualMs = 15_000;

/** A page of the list of what people ask. */
type ListQuery = PageOptions & ListFilter;

interface CursorPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface InputQuery extends ListFilter, CursorPage {
  readonly state?: InputState;
  readonly task_id?: string;
  readonly run_id?: string;
}

interface RunsQuery extends ListFilter, CursorPage {
  readonly state?: RunState | undefined;
  /** Whether it waits for people. */
  readonly waiting?: boolean | undefined;
  readonly workflow_id?: string | undefined;
}

interface TaskQuery extends ListQuery {
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlation_id?: string;
}

interface MessageQuery extends TimeRange, CursorPage {
  readonly state?: MessageStanding | undefined;
  /** Of a person or a channel. */
  readonly person?: string;
  readonly reference?: string;
  readonly channel?: string;
  /** The message's timestamp, or its thread's. */
  readonly ts?: string;
}

interface AuditQuery extends TimeRange {
  readonly limit: number;
  /** `type:id`. */
  readonly actor: string | undefined;
  readonly action: string | undefined;
  /** False: without reads of content. */
  readonly reads: boolean;
}

function createSchedulesApi(once: CallApi, retried: CallApi) {
  return {
    list: (query: CursorPage & { readonly owner?: string }) =>
      retried(isScheduleList, { path: `schedules${queryOf({ ...query })}` }),
    get: (name: string) => retried(isSchedule, { path: schedulePath(name) }),
    create: (body: NewSchedule) => once(isSchedule, { method: "POST", path: "schedules", body }),
    replace: ({ name, settings: body }: NewSchedule) =>
      retried(isSchedule, { method: "PATCH", path: schedulePath(name), body }),
    act: (name: string, act: "pause" | "resume") =>
      retried(isSchedule, { method: "POST", path: `${schedulePath(name)}/${act}` }),
    /** Sent once: a repeated request would fire again. */
    fire: (name: string) => once(isFire, { method: "POST", path: `${schedulePath(name)}/fire` }),
    remove: (name: string) => once(isNothing, { method: "DELETE", path: schedulePath(name) }),
    fires: (query: CursorPage & { readonly name?: string }) =>
      retried(isFireList, { path: `fires${queryOf({ ...query })}` }),
  };
}

/** Returns a function that sends a request to the zone one time. */
const callOf =
  (zone: ZoneAddress): CallApi =>
  async (is, { timeoutMs = usualMs, ...request }) => {
    const response = await send(zone, request, AbortSignal.timeout(timeoutMs));
    const text = await response.text().catch((error: unknown) => {
      throw new UnreachableError(`${zone.url} closed the connection before the response was complete. ${zone.hint}`, {
        cause: error,
      });
    });
    const read = response.status === 204 ? { value: null } : readJson(text);
    if ("value" in read && is(read.value)) return read.value;
    const [problem] = "value" in read ? problemsOf(is, read.value) : [{ pointer: "", message: "the body is not JSON" }];
    const what = `${problem?.pointer ?? ""} ${problem?.message ?? ""}`.trim();
    throw new UnreachableError(`${zone.url} sent a response that this version of crosszone can't read: ${what}.`, {
      isTransient: false,
    });
  };

/** Client of the zone's API: workflows, agents, MCP servers, tasks, input requests, usage and API tokens. Every method rejects with `RefusedError` or `UnreachableError`. */
export type ApiClient = ReturnType<typeof createApiClient>;

export function createApiClient(zone: ZoneAddress) {
  const once = callOf(zone);
  const retried: CallApi = (is, request) => retryRequest(() => once(is, request));
  const listInputs = (query: InputQuery) =>
    retried(isInputRequestList, { path: `input-requests${queryOf({ ...query })}` });

  return {
    agents: createAgentsApi(once, retried),
    inputs: {
      list: listInputs,
      open: async (of: { readonly task_id?: string; readonly run_id?: string }) =>
        (await listInputs({ ...of, state: "open", limit: 20 })).input_requests,
      get: (id: string) => retried(isInputRequest, { path: inputPath(id) }),
      receipt: (id: string) => retried(isAuditReceipt, { path: `${inputPath(id)}/receipt` }),
      /** `digest`: of the action that the answer is about. Sent once: a repeated answer would be refused. */
      answer: (id: string, body: { readonly answer: InputAnswer; readonly digest?: string | undefined }) =>
        once(isAnswerInputResult, { method: "POST", path: `${inputPath(id)}/answer`, body }),
      withdraw: (id: string, body: InputWithdrawal) =>
        retried(isInputRequest, { method: "POST", path: `${inputPath(id)}/withdraw`, body }),
    },
    audit: {
      list: (query: AuditQuery) => retried(isAuditEventList, { path: `audit/events${queryOf({ ...query })}` }),
      head: () => retried(isAuditHead, { path: "audit/checkpoint" }),
      /** The body of the response is read as it comes. */
      export: (format: string, signal: AbortSignal) =>
        send(zone, { path: `audit/export${queryOf({ format })}` }, signal),
    },
    bulk: {
      /** A key starts one bulk action, however often it is sent. */
      start: (body: StartBulkActionRequest, key: string) =>
        retried(isBulkAction, { method: "POST", path: "bulk-actions", body, headers: { "idempotency-key": key } }),
      get: (id: string) => retried(isBulkAction, { path: `bulk-actions/${encodeURIComponent(id)}` }),
      deadLetters: () => retried(isDeadLetterList, { path: "dead-letters" }),
    },
    hooks: () => retried(isHookList, { path: "hooks" }),
    mcp: {
      list: () => retried(isMcpServerList, { path: "mcp-servers" }),
      /** Pins tool definitions by their fingerprints: all of them, or none if one is refused. */
      approve: (server: string, tools: Readonly<Record<string, string>>) => {
        const path = `mcp-servers/${encodeURIComponent(server)}/approve`;
        return retried(isMcpServer, { method: "POST", path, body: { tools } });
      },
    },
    messages: {
      list: (query: MessageQuery) => retried(isMessageList, { path: `messages${queryOf({ ...query })}` }),
      /** `id`: its reference, or the id of a task. */
      life: (id: string) => retried(isMessageLife, { path: `messages/${encodeURIComponent(id)}` }),
    },
    tasks: {
      list: (query: TaskQuery) => retried(isTaskList, { path: `tasks${queryOf({ ...query })}` }),
      get: (taskId: string) => retried(isTaskRecord, { path: `tasks/${encodeURIComponent(taskId)}` }),
    },
    schedules: createSchedulesApi(once, retried),
    tokens: {
      list: () => retried(isApiTokenList, { path: "tokens" }),
      uses: (query: { readonly limit: number; readonly actor: string }) =>
        retried(isTokenUseList, { path: `token-uses${queryOf({ ...query })}` }),
      create: (body: CreateTokenRequest) => once(isCreatedToken, { method: "POST", path: "tokens", body }),
      revoke: (name: string) => once(isNothing, { method: "DELETE", path: `tokens/${encodeURIComponent(name)}` }),
    },
    usage: {
      /** Without a range, the zone's own: this month until now. */
      report: (query: PageOptions & TimeRange & { readonly by: UsageGrouping }) =>
        retried(isUsageReport, { path: `usage${queryOf({ ...query })}` }),
      budgets: () => retried(isUsageBudgetList, { path: "usage/budgets" }),
    },
    /** Asks an agent over the zone link. Also rejects with a `QuestionError`. */
    askAgent: (question: AskedQuestion) => askAgent(zone, question),
    /** URL of a run's page in the console; without a run, of the list. */
    pageOf: (runId?: string) =>
      `${zone.url}/console/${runId === undefined ? "runs" : runPath(runId)}${zone.pageToken === undefined ? "" : `#token=${encodeURIComponent(zone.pageToken)}`}`,
    workflows: (page: PageOptions) => retried(isWorkflowList, { path: `workflows${queryOf({ ...page })}` }),
    /** The latest version when `version` is omitted. */
    workflow: (id: string, version?: string) => retried(isWorkflowRecord, { path: workflowPath(id, version) }),
    /** Returns the existing version if its content is the same. */
    createWorkflow: (body: unknown) => retried(isWorkflowRecord, { method: "POST", path: "workflows", body }),
    validate: (body: unknown) => retried(isWorkflowReport, { method: "POST", path: "workflows/validate", body }),
    /** A key starts one run, however often it is sent. */
    startRun: (body: StartRunRequest, key: string) =>
      retried(isWorkflowRunSummary, { method: "POST", path: "runs", body, headers: { "idempotency-key": key } }),
    /** An id makes one event, however often it is sent. */
    publishEvent: (body: PublishEventRequest) => retried(isPublishedEvent, { method: "POST", path: "events", body }),
    runs: (query: RunsQuery) => retried(isRunList, { path: `runs${queryOf({ ...query })}` }),
    run: (id: string) => retried(isWorkflowRun, { path: runPath(id) }),
    graph: (id: string) => retried(isRunGraph, { path: `${runPath(id)}/graph` }),
    cancel: (id: string) => retried(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/cancel` }),
    // Sent once: `withRetries` would retry a failed download a third time.
    retry: (id: string) => once(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/retry` }),
    events: (id: string, options: RunEventsOptions) => runEvents(zone, id, options),
  };
}

const schedulePath = (name: string): string => `schedules/${encodeURIComponent(name)}`;
const inputPath = (id: string): string => `input-requests/${encodeURIComponent(id)}`;

const runPath = (runId: string): string => `runs/${encodeURIComponent(runId)}`;

function workflowPath(id: string, version?: string): string {
  const path = `workflows/${encodeURIComponent(id)}`;
  return version === undefined ? path : `${path}/versions/${encodeURIComponent(version)}`;
}
