import {
  isRunGraph,
  isRunList,
  isWorkflowList,
  isWorkflowRecord,
  isWorkflowReport,
  isWorkflowRun,
  isWorkflowRunSummary,
  problemsOf,
  type RunGraph,
  type RunList,
  type RunState,
  type StartRunRequest,
  type TaskSucceeded,
  type WorkflowList,
  type WorkflowRecord,
  type WorkflowReport,
  type WorkflowRun,
  type WorkflowRunEvent,
  type WorkflowRunSummary,
} from "@crosszone/contracts";
import { readJson } from "../text/read-json.ts";
import { type AgentsApi, type CallApi, createAgentsApi } from "./agents-api.ts";
import { askAgent, type Question } from "./ask-agent.ts";
import { withRetries, UnreachableError } from "./failures.ts";
import {
  createMcpApi,
  createTasksApi,
  createUsageApi,
  type McpApi,
  type TasksApi,
  type UsageApi,
} from "./operator-api.ts";
import { runEvents, type RunEventsOptions } from "./run-events.ts";
import { type Page, queryOf, send, type ZoneAddress } from "./send.ts";

/** Default timeout of a request, milliseconds. */
const usualMs = 15_000;

export interface RunQuery extends Page {
  readonly workflow_id?: string;
  readonly state?: RunState;
}

/** Client of the zone's API: workflows, agents, MCP servers, tasks and usage. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface ApiClient {
  readonly agents: AgentsApi;
  readonly mcp: McpApi;
  readonly tasks: TasksApi;
  readonly usage: UsageApi;
  /** Asks an agent over the zone link. Also rejects with a `QuestionError`. */
  readonly askAgent: (question: Question) => Promise<TaskSucceeded>;
  /** URL of the run's web page. */
  readonly pageOf: (runId: string) => string;
  readonly workflows: (page: Page) => Promise<WorkflowList>;
  /** The latest version when `version` is omitted. */
  readonly workflow: (workflowId: string, version?: string) => Promise<WorkflowRecord>;
  /** Returns the existing version if its content is the same. */
  readonly createWorkflow: (definition: unknown) => Promise<WorkflowRecord>;
  readonly validate: (definition: unknown) => Promise<WorkflowReport>;
  /** A key starts one run, however often it is sent. */
  readonly startRun: (request: StartRunRequest, idempotencyKey: string) => Promise<WorkflowRunSummary>;
  readonly runs: (query: RunQuery) => Promise<RunList>;
  readonly run: (runId: string) => Promise<WorkflowRun>;
  readonly graph: (runId: string) => Promise<RunGraph>;
  readonly cancel: (runId: string) => Promise<WorkflowRunSummary>;
  readonly retry: (runId: string) => Promise<WorkflowRunSummary>;
  readonly events: (runId: string, options: RunEventsOptions) => AsyncIterable<WorkflowRunEvent>;
}

export function createApiClient(zone: ZoneAddress): ApiClient {
  const once: CallApi = async (is, { timeoutMs = usualMs, ...request }) => {
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
  const retried: CallApi = (is, request) => withRetries(() => once(is, request));

  return {
    agents: createAgentsApi({ retried, once }),
    mcp: createMcpApi(retried),
    tasks: createTasksApi(retried),
    usage: createUsageApi(retried),
    askAgent: (question) => askAgent(zone, question),
    pageOf: (runId) =>
      `${zone.url}/${runPath(runId)}${zone.pageToken === undefined ? "" : `#token=${encodeURIComponent(zone.pageToken)}`}`,
    workflows: (page) => retried(isWorkflowList, { path: `workflows${queryOf({ ...page })}` }),
    workflow: (id, version) => retried(isWorkflowRecord, { path: workflowPath(id, version) }),
    createWorkflow: (body) => retried(isWorkflowRecord, { method: "POST", path: "workflows", body }),
    validate: (body) => retried(isWorkflowReport, { method: "POST", path: "workflows/validate", body }),
    startRun: (body, key) =>
      retried(isWorkflowRunSummary, { method: "POST", path: "runs", body, headers: { "idempotency-key": key } }),
    runs: (query) => retried(isRunList, { path: `runs${queryOf({ ...query })}` }),
    run: (id) => retried(isWorkflowRun, { path: runPath(id) }),
    graph: (id) => retried(isRunGraph, { path: `${runPath(id)}/graph` }),
    cancel: (id) => retried(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/cancel` }),
    // Sent once: `withRetries` would retry a failed download a third time.
    retry: (id) => once(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/retry` }),
    events: (id, options) => runEvents(zone, id, options),
  };
}

const runPath = (runId: string): string => `runs/${encodeURIComponent(runId)}`;

function workflowPath(id: string, version?: string): string {
  const path = `workflows/${encodeURIComponent(id)}`;
  return version === undefined ? path : `${path}/versions/${encodeURIComponent(version)}`;
}
