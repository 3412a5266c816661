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
import { createAgentsApi, type AgentsApi, type AskApi } from "./agents-api.ts";
import { UnreachableError } from "./api-failure.ts";
import { askAgent, type Question } from "./ask-agent.ts";
import { createMcpApi, type McpApi } from "./mcp-api.ts";
import type { Page } from "./page.ts";
import { queryOf } from "./query-of.ts";
import { readJson } from "../input/read-json.ts";
import { runEvents, type RunEventsOptions } from "./run-events.ts";
import { sendAgain } from "./send-again.ts";
import { send, type ZoneAddress } from "./send.ts";
import { createTasksApi, type TasksApi } from "./tasks-api.ts";
import { createUsageApi, type UsageApi } from "./usage-api.ts";

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
  const once: AskApi = async (is, { timeoutMs = usualMs, ...request }) => {
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
      isPassing: false,
    });
  };
  const ask: AskApi = (is, request) => sendAgain(() => once(is, request));

  return {
    agents: createAgentsApi({ ask, once }),
    mcp: createMcpApi(ask),
    tasks: createTasksApi(ask),
    usage: createUsageApi(ask),
    askAgent: (question) => askAgent(zone, question),
    pageOf: (runId) => `${zone.url}/${runPath(runId)}`,
    workflows: (page) => ask(isWorkflowList, { path: `workflows${queryOf({ ...page })}` }),
    workflow: (id, version) => ask(isWorkflowRecord, { path: workflowPath(id, version) }),
    createWorkflow: (body) => ask(isWorkflowRecord, { method: "POST", path: "workflows", body }),
    validate: (body) => ask(isWorkflowReport, { method: "POST", path: "workflows/validate", body }),
    startRun: (body, key) =>
      ask(isWorkflowRunSummary, { method: "POST", path: "runs", body, headers: { "idempotency-key": key } }),
    runs: (query) => ask(isRunList, { path: `runs${queryOf({ ...query })}` }),
    run: (id) => ask(isWorkflowRun, { path: runPath(id) }),
    graph: (id) => ask(isRunGraph, { path: `${runPath(id)}/graph` }),
    cancel: (id) => ask(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/cancel` }),
    // Sent once: `sendAgain` would retry a failed download a third time.
    retry: (id) => once(isWorkflowRunSummary, { method: "POST", path: `${runPath(id)}/retry` }),
    events: (id, options) => runEvents(zone, id, options),
  };
}

const runPath = (runId: string): string => `runs/${encodeURIComponent(runId)}`;

function workflowPath(id: string, version?: string): string {
  const path = `workflows/${encodeURIComponent(id)}`;
  return version === undefined ? path : `${path}/versions/${encodeURIComponent(version)}`;
}
