import { type InputRequest, ZoneError } from "@crosszone/contracts";
import type { AskedInput, AwaitedInput, RunInputs } from "../agents/task-paused.ts";
import type { OpenTask } from "../tasks/task.ts";
import type { TaskInputs } from "../tasks/task-inputs.ts";
import { formOf } from "./check-answer.ts";
import { type NewInput, requestIdOf } from "./input-record.ts";
import type { InputRequests } from "./input-requests.ts";

/** A call that may need an approval. */
export interface ApprovalQuestion {
  readonly agent: string;
  /** The tool, agent or workflow that it calls. */
  readonly tool: string;
  /** Slack id. */
  readonly channel?: string | undefined;
  readonly sideEffects: boolean;
  /** Slack id. */
  readonly requester?: string | undefined;
}

/** Who decides a request and until when, by the approval policy. */
export type ApprovalTerms = Pick<
  NewInput,
  "decide" | "visibility" | "escalate" | "expiresInMs" | "executeWithinMs" | "remindEveryMs" | "policy"
>;

/** Returns whether the approval policy wants people to approve a call, and the terms. */
export type ApprovalFor = (call: ApprovalQuestion) => { readonly needed: boolean; readonly terms: ApprovalTerms };

/** Creates the part that tasks use. The approval policy says who decides what a task asks, unless the agent does. */
export function createTaskInputs(requests: InputRequests, approvalFor: ApprovalFor): TaskInputs {
  const termsOf = ({ agent, params }: OpenTask, action: AskedInput["action"]) =>
    approvalFor({
      agent: action?.agent ?? agent,
      tool: action?.tool ?? agent,
      channel: params.channel,
      sideEffects: true,
      requester: params.user_id,
    }).terms;

  function newInput(task: OpenTask, { key, title, decide, visibility, not, ...asked }: AskedInput): NewInput {
    const { task_id, caller, agent, correlation_id, params } = task;
    const { user_id: requester, team_id, channel, thread_ts } = params;
    const { decide: usual, visibility: usually, ...terms } = termsOf(task, asked.action);
    const input: NewInput = {
      ...terms,
      ...asked,
      request_id: requestIdOf(task_id, key),
      task_id,
      caller,
      agent,
      correlation_id,
      requester,
      team_id,
      channel,
      thread_ts,
      title: title.slice(0, 150).toWellFormed(),
      decide: decide ?? usual,
      visibility: visibility ?? usually,
      not,
    };
    checkInput(input);
    return input;
  }

  return {
    pausing: (task, awaited) => requests.asking(awaited.filter(isAsked).map((asked) => newInput(task, asked))),
    forRun: async (task, { continuation, keys }) => {
      const known = await requests.list({ taskId: task.task_id }, { limit: mostOfTask });
      const byId = new Map(known.map((request) => [request.request_id, request]));
      const closed = keys.flatMap((key): [string, InputRequest][] => {
        const request = byId.get(requestIdOf(task.task_id, key));
        return request === undefined || request.state === "open" ? [] : [[key, request]];
      });
      const use: RunInputs["use"] = (key, action) =>
        requests.use(requestIdOf(task.task_id, key), action, termsOf(task, action).policy);
      return { continuation, decided: new Map(closed), use, isOpen: (id) => byId.get(id)?.state === "open" };
    },
    withdraw: (taskId) => requests.withdrawOf({ taskId }, "The task was canceled."),
  };
}

/** More than a task has. */
const mostOfTask = 1_000;

export const isAsked = (awaited: AwaitedInput): awaited is AskedInput => "key" in awaited;

/** Throws an `agent_failed` when nobody can decide a request, or it can't be answered. */
function checkInput({ agent, decide, requester, kind, options = [], schema }: NewInput): void {
  const canDecide = decide.people.length + decide.groups.length > 0 || (decide.requester && requester !== undefined);
  const problem = !canDecide
    ? "asks, but nobody can decide: set people, groups or the requester in APPROVALS_FILE"
    : kind === "choose" && options.length === 0
      ? "asks to choose without options"
      : kind === "form" && !isForm(schema)
        ? "asks to fill in a form that is none"
        : undefined;
  if (problem === undefined) return;
  const owner_detail = `The agent ${problem}.`;
  throw new ZoneError("agent_failed", { agent, owner_detail }, { cause: new Error(owner_detail) });
}

function isForm(schema: NewInput["schema"]): boolean {
  try {
    return schema !== undefined && formOf(schema) !== undefined;
  } catch {
    return false;
  }
}
