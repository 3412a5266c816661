import {
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  type ApiPath,
  ApiProblem,
  moment,
  narrowing,
  page,
  readQuery,
  SharedProblem,
  textThat,
} from "@crosszone/admin-api";
import type { ReadAgentCalls } from "@crosszone/agent-bridge";
import { authorAct, type RecordAct } from "@crosszone/audit";
import { isAgentName, isCorrelationId, isTaskState, isUsageGrouping, type TaskRecord } from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import type { Workflows } from "@crosszone/workflow";
import { periodName } from "../../usage/budget.ts";
import type { UsageRange, UsageReader } from "../../usage/sql-usage-reader.ts";
import { type Lives, messagePaths } from "./message-routes.ts";

const listQuery = {
  ...page,
  ...narrowing,
  state: textThat(isTaskState, "must be submitted, working, success, error, canceled or timed_out"),
  agent: textThat(isAgentName, "must be the name of an agent"),
  correlation_id: textThat(isCorrelationId, "must be 1 to 128 printable ASCII characters without spaces"),
};

const notFound = { kind: "task_not_found", status: 404, title: "Task not found" };

/** Reads what the part of tasks shows. */
export interface TaskReaders extends Lives {
  readonly readCalls: ReadAgentCalls;
  readonly readRun: Workflows["states"];
}

/** Creates the part of the API that shows the zone's tasks, and the messages that they are for. */
export function createTaskRoutes({ readCalls, readRun, ...lives }: TaskReaders): ApiPart {
  const { tasks } = lives;
  async function list({ request }: ApiExchange): Promise<ApiContent> {
    const { correlation_id: correlationId, ...query } = readQuery(request.url, listQuery);
    const body = await tasks.list({ ...query, correlationId });
    return { status: 200, body };
  }

  async function read(id: string): Promise<TaskRecord | undefined> {
    const task = await tasks.get(id);
    if (task === undefined) return undefined;
    const { task_id } = task;
    // The run of a task that a workflow answers, and its agent call, have the task's id.
    const [run, agent_calls] = await Promise.all([readRun(task_id), readCalls({ run_id: task_id, task_id })]);
    return { ...task, run_id: run && task_id, agent_calls };
  }

  async function show({ request, params }: ApiExchange): Promise<ApiContent> {
    readQuery(request.url, {});
    const body = await read(params["task_id"] ?? "");
    if (body !== undefined) return { status: 200, body };
    throw new ApiProblem(notFound, "List the tasks to see their ids. Ended tasks are deleted after TASK_RETENTION.");
  }

  const paths = { "/tasks": { get: list }, "/tasks/{task_id}": { get: show }, ...messagePaths(lives, read) };
  return { document: openApi("task"), paths };
}

const reportQuery = {
  ...page,
  by: textThat(isUsageGrouping, "must be person, channel, team, agent, model, schedule, hook or day"),
  since: moment,
  until: moment,
};

/** The longest range of a report, milliseconds. Calls are stored for as long. */
const longestMs = 396 * 86_400_000;

/** Creates the part of the API that reports the use of language models. */
export function createUsageRoutes(usage: UsageReader, now: () => Date): ApiPart {
  async function report({ request }: ApiExchange): Promise<ApiContent> {
    const { by = "model", since, until, ...part } = readQuery(request.url, reportQuery);
    const body = await usage.report({ by, ...rangeOf(since, until, now()), ...part });
    return { status: 200, body };
  }

  async function budgets({ request }: ApiExchange): Promise<ApiContent> {
    readQuery(request.url, {});
    return { status: 200, body: await usage.budgets() };
  }

  return { document: openApi("usage"), paths: { "/usage": { get: report }, "/usage/budgets": { get: budgets } } };
}

function rangeOf(from: number | undefined, to: number | undefined, at: Date): UsageRange {
  const until = to ?? at.getTime();
  const lastMonth = periodName("month", new Date(Math.min(until - 1, at.getTime())));
  const since = from ?? Date.parse(lastMonth);
  if (since >= until) throw badRange("must be earlier than until");
  if (until - since > longestMs) throw badRange("must be at most 396 days before until");
  return { since, until };
}

const badRange = (message: string): SharedProblem =>
  new SharedProblem("malformed_request", "The query is not valid.", { problems: [{ pointer: "/since", message }] });

/** The paths that show content, by path, with the type of what they show. */
const shown: Readonly<Record<string, string>> = {
  "/tasks": "task",
  "/tasks/{task_id}": "task",
  "/messages": "message",
  "/messages/{reference}": "message",
  "/input-requests": "input_request",
  "/input-requests/{request_id}": "input_request",
  "/input-requests/{request_id}/receipt": "input_request",
  "/schedules": "schedule",
  "/schedules/{name}": "schedule",
  "/fires": "fire",
  "/audit/events": "audit_log",
  "/audit/events/{event_id}/receipt": "audit_event",
  "/audit/export": "audit_log",
  "/runs/{run_id}": "run",
  "/runs/{run_id}/graph": "run",
  "/runs/{run_id}/attempts": "run",
  "/runs/{run_id}/events": "run",
};

/** Returns a part whose reads of content are in the audit log before they are answered; a stream at its start. */
export function recordReads(part: ApiPart, record: RecordAct): ApiPart {
  const recorded = (path: string, handlers: ApiPath): ApiPath => {
    const [type, { get }] = [shown[path], handlers];
    if (type === undefined || get === undefined) return handlers;
    const action = path === "/audit/export" ? "audit.export" : "content.read";
    const read = async (exchange: ApiExchange) => {
      const answered = await get(exchange);
      const [id = "*"] = Object.values(exchange.params);
      const hasContent = "events" in answered || "lines" in answered || answered.body !== undefined;
      const isShown = type.startsWith("audit") || exchange.holder.scopes.includes("content:read");
      if (hasContent && isShown && !isRedacted(exchange))
        await record(authorAct(exchange, { action, target: { type, id }, details: { path } }));
      return answered;
    };
    return { ...handlers, get: read };
  };
  const paths = Object.entries(part.paths).map(([path, handlers]) => [path, recorded(path, handlers)] as const);
  return { ...part, paths: Object.fromEntries(paths) };
}

const isRedacted = ({ request: { url = "" } }: ApiExchange): boolean => /[?&]redact=true(&|$)/.test(url);
