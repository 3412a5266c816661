import type { CompiledQuery } from "kysely";
import type { AskedInput, AwaitedInput, RunInputs } from "../agents/task-paused.ts";
import type { ApprovalFor } from "../inputs/approvals.ts";
import { type ActionCall, type NewInput, requestIdOf } from "../inputs/input-record.ts";
import type { InputRequests } from "../inputs/input-requests.ts";
import type { OpenTask } from "./task.ts";

export interface TaskInputsDeps {
  readonly requests: InputRequests;
  readonly approvalFor: ApprovalFor;
}

/** Creates what tasks use of input requests, under the approval policy. */
export function createTaskInputs({ requests, approvalFor }: TaskInputsDeps) {
  function inputOf(task: OpenTask, { key, ...asked }: AskedInput): NewInput {
    const { task_id, caller, correlation_id, agent, params } = task;
    const { channel, thread_ts, team_id, user_id: requester } = params;
    const by = { agent: asked.action?.agent ?? agent, tool: asked.action?.tool, channel, sideEffects: true };
    const { terms } = approvalFor(by);
    const place = { task_id, correlation_id, agent, requester, team_id, channel, thread_ts };
    const { decide = terms.decide, visibility = terms.visibility } = asked;
    // The policy's people don't join deciders that the agent has named.
    const escalate = asked.decide === undefined ? terms.escalate : undefined;
    return {
      ...terms,
      ...place,
      ...asked,
      decide,
      escalate,
      visibility,
      caller,
      key,
      request_id: requestIdOf(task_id, key),
    };
  }

  return {
    /**
     * Returns the statements that store what a task asks; a request that exists stays as it is. Throws a `ZoneError` when a request is
     * invalid, or nobody can decide it.
     */
    pausing: (task: OpenTask, awaited: readonly AwaitedInput[]): Promise<readonly CompiledQuery[]> =>
      requests.asking(awaited.flatMap((one) => ("waits_for" in one ? [] : [inputOf(task, one)]))),

    /** Returns what a run of a paused task gets. */
    forRun: async ({ task_id, params }: OpenTask, continuation: unknown): Promise<RunInputs> => {
      const all = await requests.ofTask(task_id);
      const closed = all.filter(({ request }) => request.state !== "open");
      return {
        continuation,
        decided: new Map(closed.map(({ request, terms }) => [terms.key ?? request.request_id, request])),
        use: (key, action: ActionCall) => {
          const { agent, tool } = action;
          const { terms } = approvalFor({ agent, tool, channel: params.channel, sideEffects: true });
          return requests.use(requestIdOf(task_id, key), action, terms.policy);
        },
        isOpen: (requestId) => all.some(({ request }) => request.request_id === requestId && request.state === "open"),
      };
    },

    /** Withdraws the open requests of a task that has ended. */
    withdraw: (taskId: string): Promise<void> => requests.withdrawOf({ taskId }, "The task has ended."),
  };
}

/** The input requests of tasks. */
export type TaskInputs = ReturnType<typeof createTaskInputs>;
