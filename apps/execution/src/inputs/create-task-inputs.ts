import type { InputOption, InputRequest } from "@crosszone/contracts";
import type { CompiledQuery } from "kysely";
import type { OpenTask } from "../tasks/task.ts";
import type { ApprovalFor } from "./approvals.ts";
import { type ActionCall, type NewInput, requestIdOf } from "./input-record.ts";
import type { InputRequests } from "./input-requests.ts";
import type { UseVerdict } from "./judge-use.ts";

/** What an agent asks of people. */
interface Asked
  extends
    Pick<NewInput, "kind" | "title" | "body" | "action" | "schema" | "not">,
    Partial<Pick<NewInput, "decide" | "visibility">> {
  readonly options?: readonly InputOption[];
  /** Unique within the task. */
  readonly key: string;
}

export interface TaskInputsDeps {
  readonly requests: InputRequests;
  readonly approvalFor: ApprovalFor;
}

/** Creates what tasks use of input requests, under the approval policy. */
export function createTaskInputs({ requests, approvalFor }: TaskInputsDeps) {
  function inputOf(task: OpenTask, { key, options, ...asked }: Asked): NewInput {
    const { task_id, caller, correlation_id, agent, params } = task;
    const { channel, thread_ts, team_id, user_id: requester } = params;
    const by = { agent: asked.action?.agent ?? agent, tool: asked.action?.tool, channel, sideEffects: true };
    const { terms } = approvalFor(by);
    const place = { task_id, correlation_id, agent, requester, team_id, channel, thread_ts };
    const { decide = terms.decide, visibility = terms.visibility } = asked;
    return {
      ...terms,
      ...place,
      ...asked,
      options: options && [...options],
      decide,
      visibility,
      caller,
      key,
      request_id: requestIdOf(task_id, key),
    };
  }

  return {
    pausing: (
      task: OpenTask,
      awaited: readonly (Asked | { readonly waits_for: string })[],
    ): Promise<readonly CompiledQuery[]> =>
      requests.asking(awaited.flatMap((one) => ("waits_for" in one ? [] : [inputOf(task, one)]))),

    openOf: async (taskId: string): Promise<readonly InputRequest[]> =>
      (await requests.ofTask(taskId)).map(({ request }) => request).filter(({ state }) => state === "open"),

    forRun: async ({ task_id, params }: OpenTask, continuation: unknown) => {
      const all = await requests.ofTask(task_id);
      const closed = all.filter(({ request }) => request.state !== "open");
      return {
        continuation,
        decided: new Map(closed.map(({ request, terms }) => [terms.key ?? request.request_id, request])),
        use: (key: string, action: ActionCall): Promise<UseVerdict> => {
          const { agent, tool } = action;
          const { terms } = approvalFor({ agent, tool, channel: params.channel, sideEffects: true });
          return requests.use(requestIdOf(task_id, key), action, terms.policy);
        },
        isOpen: (requestId: string): boolean =>
          all.some(({ request }) => request.request_id === requestId && request.state === "open"),
      };
    },

    withdraw: (taskId: string): Promise<void> => requests.withdrawOf({ taskId }, "The task has ended."),
  };
}
