import {
  ApiProblem,
  page,
  readQuery,
  textThat,
  type ApiContent,
  type ApiExchange,
  type ApiPart,
} from "@crosszone/admin-api";
import type { ReadAgentCalls } from "@crosszone/agent-bridge";
import { isAgentName, isCorrelationId, isTaskState, type TaskRecord } from "@crosszone/contracts";
import type { Workflows } from "@crosszone/workflow";
import { openApi } from "@crosszone/contracts/openapi";
import type { TaskReader } from "../../tasks/sql/task-reader.ts";

export interface TaskRoutesDeps {
  readonly tasks: TaskReader;
  readonly readCalls: ReadAgentCalls;
  /** Reads the run of a task that a workflow answers. */
  readonly readRun: Workflows["states"];
}

const listQuery = {
  ...page,
  state: textThat(isTaskState, "must be submitted, working, success, error, canceled or timed_out"),
  agent: textThat(isAgentName, "must be the name of an agent"),
  correlation_id: textThat(isCorrelationId, "must be 1 to 128 printable ASCII characters without spaces"),
};

class TaskNotFoundProblem extends ApiProblem {
  constructor() {
    super(
      { kind: "task_not_found", status: 404, title: "Task not found" },
      "List the tasks to see their ids. Ended tasks are deleted after TASK_RETENTION.",
    );
  }
}

/** Creates the part of the API that shows the zone's tasks. */
export function createTaskRoutes({ tasks, readCalls, readRun }: TaskRoutesDeps): ApiPart {
  async function list({ request }: ApiExchange): Promise<ApiContent> {
    const { limit, offset, state, agent, correlation_id } = readQuery(request.url, listQuery);
    const body = await tasks.list({ limit, offset, state, agent, correlationId: correlation_id });
    return { status: 200, body };
  }

  async function show({ request, params }: ApiExchange): Promise<ApiContent> {
    readQuery(request.url, {});
    const task = await tasks.get(params["task_id"] ?? "");
    if (task === undefined) throw new TaskNotFoundProblem();
    const { task_id } = task;
    // A task's run and agent call have the task's id.
    const [run, agent_calls] = await Promise.all([readRun(task_id), readCalls({ run_id: task_id, task_id })]);
    const body: TaskRecord = { ...task, run_id: run && task_id, agent_calls };
    return { status: 200, body };
  }

  return { document: openApi("task"), paths: { "/tasks": { get: list }, "/tasks/{task_id}": { get: show } } };
}
