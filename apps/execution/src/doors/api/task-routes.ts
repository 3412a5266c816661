import { type ApiPart, ApiProblem, serveApi } from "@crosszone/admin-api";
import type { ReadAgentCalls } from "@crosszone/agent-bridge";
import type { TaskRecord } from "@crosszone/contracts";
import type { Workflows } from "@crosszone/workflow";
import { periodName } from "../../usage/budget.ts";
import type { UsageRange, UsageReader } from "../../usage/sql-usage-reader.ts";
import { type Lives, messageHandlers } from "./message-routes.ts";

/** Reads what the part of tasks shows. */
export interface TaskReaders extends Lives {
  readonly readCalls: ReadAgentCalls;
  readonly readRun: Workflows["states"];
}

/** Creates the part of the API that shows the zone's tasks, and the messages that they are for. */
export function createTaskRoutes({ readCalls, readRun, ...lives }: TaskReaders): ApiPart {
  const { tasks } = lives;

  async function read(id: string): Promise<TaskRecord | undefined> {
    const task = await tasks.get(id);
    if (task === undefined) return undefined;
    const { task_id } = task;
    // The run of a task that a workflow answers, and its agent call, have the task's id.
    const [run, agent_calls] = await Promise.all([readRun(task_id), readCalls({ run_id: task_id, task_id })]);
    return { ...task, run_id: run && task_id, agent_calls };
  }

  return serveApi("task", {
    listTasks: async ({ query: { correlation_id: correlationId, ...query } }) => {
      const { tasks: found, total, next } = await tasks.list({ ...query, correlationId });
      return { tasks: found, total, next_cursor: next };
    },
    getTask: async ({ params }) => {
      const task = await read(params.task_id);
      if (task === undefined) throw new ApiProblem("task_not_found");
      return task;
    },
    ...messageHandlers(lives, read),
  });
}

/** The longest range of a report, milliseconds. Calls are stored for as long. */
const longestMs = 396 * 86_400_000;

/** Creates the part of the API that reports the use of language models. */
export function createUsageRoutes(usage: UsageReader, now: () => Date): ApiPart {
  return serveApi("usage", {
    getUsage: async ({ query: { by, since, until, limit, cursor: [shown] = [0] } }) => {
      const report = await usage.report({ by, ...rangeOf(since, until, now()), limit, offset: shown });
      const end = shown + report.groups.length;
      return { ...report, next_cursor: end < report.total ? [end] : undefined };
    },
    listBudgets: () => usage.budgets(),
  });
}

function rangeOf(from: number | undefined, to: number | undefined, at: Date): UsageRange {
  const until = to ?? at.getTime();
  const lastMonth = periodName("month", new Date(Math.min(until - 1, at.getTime())));
  // A time of the contract has no year before 0.
  const since = from ?? Math.max(Date.parse(lastMonth), Date.parse("0000-01-01"));
  if (since >= until) throw badRange("must be earlier than until");
  if (until - since > longestMs) throw badRange("must be at most 396 days before until");
  return { since, until };
}

const badRange = (message: string): ApiProblem =>
  new ApiProblem("malformed_request", "The query is not valid.", { problems: [{ pointer: "/since", message }] });
