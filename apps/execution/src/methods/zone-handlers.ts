import type { GetUsageParams, GetUsageResult, ZoneMethods } from "@crosszone/contracts";
import type { Handlers } from "@crosszone/jsonrpc";
import type { DescribeZone } from "./describe-zone.ts";
import { executeTask, type ExecuteTaskDeps } from "./execute-task.ts";
import { getAsyncTaskResult, type GetAsyncTaskResultDeps } from "./get-async-task-result.ts";
import { findTask, readTaskFile } from "./read-task.ts";
import type { RequestContext } from "./request-context.ts";

/** Information about the zone. */
export interface ZoneReadings {
  readonly describeZone: DescribeZone;
  /** Returns one person's use of language models. */
  readonly usageOf: (who: GetUsageParams) => Promise<GetUsageResult>;
}

export type ZoneHandlerDeps = ExecuteTaskDeps & GetAsyncTaskResultDeps & ZoneReadings;

/** Creates the handlers of the zone link's methods. */
export function createZoneHandlers(deps: ZoneHandlerDeps): Handlers<ZoneMethods, RequestContext> {
  const { agents, store, runner, describeZone, usageOf } = deps;
  return {
    execute_task: (params, context, call) => executeTask(deps, params, { context, call }),

    get_async_task_result: (params, context) => getAsyncTaskResult(deps, params, context),

    cancel_task: async ({ task_id }, { caller }) => {
      const task = await findTask(store, task_id, caller);
      if (task.state !== "canceled") await runner.cancel(task);
      return { task_id, status: "canceled" };
    },

    list_agents: async () => ({
      agents: (await agents.list()).map(({ name, kind, description, skills }) => ({
        name,
        description,
        ...(kind !== undefined && { kind }),
        default: name === agents.defaultName,
        skills: skills.map((skill) => ({ ...skill, examples: [...skill.examples] })),
      })),
    }),

    read_task_file: (params, { caller }) => readTaskFile(deps, params, caller),

    get_usage: (params) => usageOf(params),

    get_agent_card: (_params, { origin }) => describeZone(origin?.()),
  };
}
