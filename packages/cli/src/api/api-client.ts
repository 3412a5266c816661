import {
  type CreateTokenRequest,
  isApiTokenList,
  isAuditEventList,
  isAuditHead,
  isCreatedToken,
  isMcpServer,
  isMcpServerList,
  isMessageRecord,
  isRunGraph,
  isRunList,
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
  type MessageRecord,
  problemsOf,
  type RunState,
  type StartRunRequest,
  type TaskState,
  type UsageGrouping,
} from "@crosszone/contracts";
import { readJson } from "../text/read-json.ts";
import { type CallApi, createAgentsApi, isNothing } from "./agents-api.ts";
import { askAgent, type Question } from "./ask-agent.ts";
import { RefusedError, withRetries, UnreachableError } from "./failures.ts";
import { createInputsApi } from "./inputs-api.ts";
import { runEvents, type RunEventsOptions } from "./run-events.ts";
import { type Page, queryOf, send, type ZoneAddress } from "./send.ts";

/** Default timeout of a request, milliseconds. */
const usualMs = 15_000;

export interface RunQuery extends Page {
  readonly workflow_id?: string;
  readonly state?: RunState;
}

export interface TaskQuery extends Page {
  readonly state?: TaskState;
  readonly agent?: string;
  readonly correlation_id?: string;
}

export interface AuditQuery {
  readonly limit: number;
  /** `type:id`. */
  readonly actor: string | undefined;
  readonly action: string | undefined;
  /** RFC 3339. */
  readonly since: string | undefined;
}

export interface UsageQuery extends Page {
  readonly by: UsageGrouping;
  /** RFC 3339. Default: the zone's own range, this month until now. */
  readonly since?: string;
  readonly until?: string;
}

/** Returns a function that sends a request to the zone one time. */
const callOf =
  (zone: ZoneAddress): CallApi =>
  async (is, { timeoutMs = usualMs, ...request }) => {
    const response = await send(zone, { ...request, signal: AbortSignal.timeout(timeoutMs) });
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

/** Returns what became of a message; undefined if the verification zone does not know its reference. */
export async function findMessage(zone: ZoneAddress, reference: string): Promise<MessageRecord | undefined> {
  const path = `messages/${encodeURIComponent(reference)}`;
  return callOf(zone)(isMessageRecord, { path, timeoutMs: 5_000 }).catch((error: unknown) => {
    if (error instanceof RefusedError && error.kind === "not-found") return undefined;
    throw error;
  });
}

/** Client of the zone's API: workflows, agents, MCP servers, tasks, input requests, usage and API tokens. Every method rejects with `RefusedError` or `UnreachableError`. */
export type ApiClient = ReturnType<typeof createApiClient>;

export function createApiClient(zone: ZoneAddress) {
  const once = callOf(zone);
  const retried: CallApi = (is, request) => withRetries(() => once(is, request));

  return {
    agents: createAgentsApi(once, retried),
    inputs: createInputsApi(once, retried),
    audit: {
      list: (query: AuditQuery) => retried(isAuditEventList, { path: `audit/events${queryOf({ ...query })}` }),
      head: () => retried(isAuditHead, { path: "audit/checkpoint" }),
      /** The body of the response is read as it comes. */
      export: (format: string, signal: AbortSignal) =>
        send(zone, { path: `audit/export${queryOf({ format })}`, signal }),
    },
    mcp: {
      list: () => retried(isMcpServerList, { path: "mcp-servers" }),
      /** Pins tool definitions by their fingerprints: all of them, or none if one is refused. */
      approve: (server: string, tools: Readonly<Record<string, string>>) => {
        const path = `mcp-servers/${encodeURIComponent(server)}/approve`;
        return retried(isMcpServer, { method: "POST", path, body: { tools } });
      },
    },
    tasks: {
      list: (query: TaskQuery) => retried(isTaskList, { path: `tasks${queryOf({ ...query })}` }),
      get: (taskId: string) => retried(isTaskRecord, { path: `tasks/${encodeURIComponent(taskId)}` }),
    },
    tokens: {
      list: () => retried(isApiTokenList, { path: "tokens" }),
      uses: (query: Pick<Page, "limit"> & { readonly actor: string }) =>
        retried(isTokenUseList, { path: `token-uses${queryOf({ ...query })}` }),
      create: (body: CreateTokenRequest) => once(isCreatedToken, { method: "POST", path: "tokens", body }),
      revoke: (name: string) => once(isNothing, { method: "DELETE", path: `tokens/${encodeURIComponent(name)}` }),
    },
    usage: {
      report: (query: UsageQuery) => retried(isUsageReport, { path: `usage${queryOf({ ...query })}` }),
      budgets: () => retried(isUsageBudgetList, { path: "usage/budgets" }),
    },
    /** Asks an agent over the zone link. Also rejects with a `QuestionError`. */
    askAgent: (question: Question) => askAgent(zone, question),
    /** URL of the run's web page. */
    pageOf: (runId: string) =>
      `${zone.url}/${runPath(runId)}${zone.pageToken === undefined ? "" : `#token=${encodeURIComponent(zone.pageToken)}`}`,
    workflows: (page: Page) => retried(isWorkflowList, { path: `workflows${queryOf({ ...page })}` }),
    /** The latest version when `version` is omitted. */
    workflow: (id: string, version?: string) => retried(isWorkflowRecord, { path: workflowPath(id, version) }),
    /** Returns the existing version if its content is the same. */
    createWorkflow: (body: unknown) => retried(isWorkflowRecord, { method: "POST", path: "workflows", body }),
    validate: (body: unknown) => retried(isWorkflowReport, { method: "POST", path: "workflows/validate", body }),
    /** A key starts one run, however often it is sent. */
    startRun: (body: StartRunRequest, key: string) =>
      retried(isWorkflowRunSummary, { method: "POST", path: "runs", body, headers: { "idempotency-key": key } }),
    runs: (query: RunQuery) => retried(isRunList, { path: `runs${queryOf({ ...query })}` }),
    run: (id: string) => retried(isWorkflowRun, { path: runPath(id) }),
    graph: (id: string) => retried(isRunGraph, { path: `${runPath(id)}/graph` }),
    cancel: (id: string) => retried(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/cancel` }),
    // Sent once: `withRetries` would retry a failed download a third time.
    retry: (id: string) => once(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/retry` }),
    events: (id: string, options: RunEventsOptions) => runEvents(zone, id, options),
  };
}

const runPath = (runId: string): string => `runs/${encodeURIComponent(runId)}`;

function workflowPath(id: string, version?: string): string {
  const path = `workflows/${encodeURIComponent(id)}`;
  return version === undefined ? path : `${path}/versions/${encodeURIComponent(version)}`;
}
