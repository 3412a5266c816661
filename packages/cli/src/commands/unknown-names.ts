import { type InputRequest, isCorrelationId, type TaskRecord, type WorkflowRunSummary } from "@crosszone/contracts";
import type { AgentsApi } from "../api/agents-api.ts";
import type { ApiClient } from "../api/api-client.ts";
import { RefusedError } from "../api/failures.ts";
import type { InputsApi } from "../api/inputs-api.ts";
import { didYouMean } from "../program/errors.ts";

/** How many names, tasks or runs are searched for similar ones. */
const mostNames = 200;

/** Returns an error handler for a request that names an agent: it reports an unknown name with similar names. */
export function orNearAgent(agents: AgentsApi, name: string): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof RefusedError && error.kind === "agent-not-found")
      error.message = await unknownAgent(agents, name);
    throw error;
  };
}

/** Returns the error text for an agent that isn't registered or is off. */
export async function unknownAgent(agents: AgentsApi, name: string): Promise<string> {
  const { agents: known } = await agents.list({ limit: mostNames, offset: 0 });
  if (known.some((agent) => agent.name === name)) return `${name} is off. Turn it on: crosszone agents enable ${name}`;
  const names = known.map((agent) => agent.name);
  const near = didYouMean(name, names);
  return `No agent is called "${name}".${near || " crosszone agents lists them."}`;
}

/**
 * Returns an error handler for a request that names a workflow. It reports an unknown workflow with similar names, and an unknown version
 * with the latest one.
 */
export function orNear(api: ApiClient, workflowId: string): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof RefusedError && error.kind === "workflow-not-found")) throw error;
    const { workflows } = await api.workflows({ limit: mostNames, offset: 0 });
    const there = workflows.find(({ workflow_id }) => workflow_id === workflowId);
    const ids = workflows.map(({ workflow_id }) => workflow_id);
    error.message = there
      ? `${workflowId} has no such version. The latest is ${there.version}.`
      : `No such workflow.${didYouMean(workflowId, ids) || " crosszone workflows lists them."}`;
    throw error;
  };
}

interface FoundTask {
  readonly task: TaskRecord;
  /** Number of tasks with this reference. */
  readonly total: number;
}

/** Finds a task by its id, or the newest one with a reference that Slack shows. */
export async function findTask(tasks: ApiClient["tasks"], name: string): Promise<FoundTask> {
  try {
    return { task: await tasks.get(name), total: 1 };
  } catch (error) {
    if (!(error instanceof RefusedError && error.kind === "task-not-found")) throw error;
    const found = await findByReference(tasks, name);
    if (found !== undefined) return found;
    error.message = await unknownTask(tasks, name);
    throw error;
  }
}

async function findByReference(tasks: ApiClient["tasks"], reference: string): Promise<FoundTask | undefined> {
  if (!isCorrelationId(reference)) return undefined;
  const { tasks: found, total } = await tasks.list({ correlation_id: reference, limit: 1, offset: 0 });
  const [newest] = found;
  return newest && { task: await tasks.get(newest.task_id), total };
}

async function unknownTask(tasks: ApiClient["tasks"], name: string): Promise<string> {
  const { tasks: known } = await tasks.list({ limit: mostNames, offset: 0 });
  const names = new Set(known.flatMap(({ task_id, correlation_id }) => [correlation_id, task_id]));
  const near = didYouMean(name, [...names]);
  return `No task has the id or reference "${name}".${near || " crosszone tasks lists them."}`;
}

/** Finds an input request by its id, or by the beginning of the id of one of the latest. */
export async function findInput(inputs: InputsApi, name: string): Promise<InputRequest> {
  try {
    return await inputs.get(name);
  } catch (error) {
    if (!(error instanceof RefusedError && error.kind === "input-request-not-found")) throw error;
    const { input_requests: known } = await inputs.list({ limit: mostNames, offset: 0 });
    const [found, second] = known.filter(({ request_id }) => name.length >= 8 && request_id.startsWith(name));
    if (found !== undefined && second === undefined) return found;
    const ids = known.map(({ request_id }) => request_id);
    error.message = `No input request has the id "${name}".${didYouMean(name, ids) || " crosszone inputs lists them."}`;
    throw error;
  }
}

/** Returns the id of the run whose id begins with these characters, if exactly one of the latest runs does; otherwise the name itself. */
export async function runIdOf(api: ApiClient, name: string): Promise<string> {
  if (!/^[0-9a-f-]{4,35}$/.test(name)) return name;
  const { runs } = await api.runs({ limit: mostNames, offset: 0 });
  const [found, second] = runs.filter(({ run_id }) => run_id.startsWith(name));
  return found !== undefined && second === undefined ? found.run_id : name;
}

/** Returns true if a person in Slack asked for the run: its task, which has the same id, belongs to a team. */
export async function isFromSlack(tasks: ApiClient["tasks"], { run_id }: WorkflowRunSummary): Promise<boolean> {
  const task = await tasks.get(run_id).catch(() => undefined);
  return task?.team !== undefined;
}
