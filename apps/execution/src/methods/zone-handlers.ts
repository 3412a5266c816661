import type { ZoneMethods } from "@crosszone/contracts";
import type { Handlers } from "@crosszone/jsonrpc";
import { isFinal } from "../tasks/task-state.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import { executeTask, type ExecuteTaskDeps } from "./execute-task.ts";
import { findTask } from "./find-task.ts";
import type { RequestContext } from "./request-context.ts";
import { resultOf } from "./result-of.ts";

/** The four methods of the zone link. */
export function createZoneHandlers(
  deps: ExecuteTaskDeps & { store: TaskStore; maxWaitMs: number },
): Handlers<ZoneMethods, RequestContext> {
  const { agents, store, runner, maxWaitMs } = deps;
  return {
    execute_task: (params, context, call) => executeTask(deps, params, { ...context, ...call }),

    get_async_task_result: async ({ task_id, wait_ms = 0 }, { caller, signal }) => {
      const found = await findTask(store, task_id, caller);
      const task = await runner.waitUntilFinal(found, Math.min(wait_ms, maxWaitMs), signal);
      return isFinal(task.state) ? resultOf(task) : { status: "working", task_id };
    },

    cancel_task: async ({ task_id }, { caller }) => {
      const task = await findTask(store, task_id, caller);
      if (task.state !== "canceled") await runner.cancel(task);
      return { task_id, status: "canceled" };
    },

    list_agents: async () => ({
      agents: (await agents.list()).map(({ name, description, skills }) => ({
        name,
        description,
        default: name === agents.defaultName,
        skills: skills.map((skill) => ({ ...skill, examples: [...skill.examples] })),
      })),
    }),
  };
}
