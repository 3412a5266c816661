import type { InputRequest } from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { retryTransient } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import { type Agent, type AskedInput, type AwaitedInput, type RunInputs, TaskPaused } from "../agents/agent.ts";
import type { ApprovalFor } from "../people/approvals.ts";
import {
  type ActionCall,
  askSurfaceOf,
  closed as closedRequest,
  inputIdOf,
  type NewInput,
  votersProblem,
} from "../people/input-record.ts";
import type { InputRequests } from "../people/input-requests.ts";
import { newInputRecord } from "../people/input-statements.ts";
import type { OpenTask } from "./task.ts";

/** The key of the approval of a text that an agent wrote, also the member of its pause. */
const offeredKey = "offered_text";

/** Creates what tasks use of input requests, under the approval policy. */
export function createTaskInputs(deps: { readonly requests: InputRequests; readonly approvalFor: ApprovalFor }) {
  const { requests, approvalFor } = deps;
  function inputOf(task: OpenTask, { key, ...asked }: AskedInput): NewInput {
    const { task_id, caller, correlation_id, agent, params } = task;
    const { channel, thread_ts, team_id, user_id: requester } = params;
    const by = { agent: asked.action?.agent ?? agent, tool: asked.action?.tool, channel, sideEffects: true };
    const { terms } = approvalFor(by);
    const origin = askSurfaceOf(task, requester);
    const place = { task_id, correlation_id, agent, requester, team_id, channel, thread_ts, origin };
    const { decide = terms.decide, visibility = terms.visibility } = asked;
    // The policy's people don't join deciders that the agent has named.
    const rule = { decide, visibility, escalate: asked.decide === undefined ? terms.escalate : undefined };
    return { ...terms, ...place, ...asked, ...rule, caller, key, request_id: inputIdOf(task_id, key) };
  }

  const inputsOf = (task: OpenTask, awaited: readonly AwaitedInput[]): readonly NewInput[] =>
    awaited.flatMap((one) => ("waits_for" in one ? [] : [inputOf(task, one)]));

  return {
    /**
     * Returns the statements that store what a task asks; a request that exists stays as it is. What an earlier task of the thread asks already is
     * not asked again; if that is all, returns only `asked`, a sentence about it. Throws a `ZoneError` when a request is invalid, or nobody can
     * decide it.
     */
    pausing: async (
      task: OpenTask,
      awaited: readonly AwaitedInput[],
    ): Promise<{ readonly statements: readonly CompiledQuery[]; readonly asked?: string }> => {
      const inputs = inputsOf(task, awaited);
      const same = await requests.sameCalls(inputs);
      if (same.size > 0 && same.size === awaited.length)
        return { statements: [], asked: askedAbove([...same.values()]) };
      const because = new Map([...same].map(([id, request]) => [id, askedAbove([request])]));
      return { statements: await requests.asking(inputs, because) };
    },

    /** Returns what the agent gets of a pause that asks only what an earlier task asks already: nothing is approved. */
    refused: (task: OpenTask, { awaited, continuation }: TaskPaused, because: string): RunInputs => {
      const refusals = inputsOf(task, awaited).map(({ key = "", ...input }) => {
        const { request } = newInputRecord(input, 0);
        return [key, closedRequest(request, "withdrawn", { now: 0, because })] as const;
      });
      return { continuation, decided: new Map(refusals), use: async () => "not_approved", isOpen: () => false };
    },

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
          return requests.use(inputIdOf(task_id, key), action, terms.policy);
        },
        isOpen: (requestId) => all.some(({ request }) => request.request_id === requestId && request.state === "open"),
      };
    },

    /**
     * Judges a text that an agent or a hook wrote like a call of that agent: one with side effects, or that the policy names, needs an approval. Returns
     * what the run gets, or why the agent does not get its text, a sentence for the requester. Throws `TaskPaused` until people have decided.
     */
    permitOffered: async (
      { params: { text, offered_by, is_allowed, channel, user_id: requester } }: OpenTask,
      { name: tool, describe }: Agent,
      { inputs, signal }: { readonly inputs?: RunInputs | undefined; readonly signal: AbortSignal },
    ): Promise<{ readonly inputs?: RunInputs | undefined; readonly refusal?: string }> => {
      const isBegun = inputs !== undefined && ownMember(inputs.continuation, offeredKey) === undefined;
      if (offered_by === undefined || isBegun) return { inputs };
      const action = { agent: offered_by, tool, arguments: { text } };
      const request = inputs?.decided.get(offeredKey);
      if (inputs !== undefined && request !== undefined) {
        const verdict = await retryTransient(() => inputs.use(offeredKey, action), { budgetMs: Infinity, signal });
        if (verdict === "allowed" || verdict === "again") return {};
        const why = request.state === "approved" ? "its approval did not hold" : `its approval is ${request.state}`;
        return { refusal: `The text was not sent to ${tool}: ${why}.` };
      }
      const { sideEffects } = (await describe?.()) ?? { sideEffects: false };
      const { needed, terms } = approvalFor({ agent: offered_by, tool, channel, sideEffects });
      // The requester's own yes is enough unless the policy wants another one.
      const isDecided = is_allowed === true && (!needed || (terms.decide.requester && terms.decide.approve === 1));
      if (isDecided || (!needed && !sideEffects)) return {};
      if (!needed || votersProblem({ kind: "approve", decide: terms.decide, requester }) !== undefined) {
        const todo = offered_by.startsWith("hook:")
          ? "No approval covers what a webhook sends."
          : "Ask it in your own words.";
        return { refusal: `${tool} changes something outside of this service. ${todo}` };
      }
      const title = `Ask ${tool}`.slice(0, 150).toWellFormed();
      const asked = { key: offeredKey, kind: "approve", title, action } as const;
      throw new TaskPaused([asked], { continuation: { [offeredKey]: true } });
    },

    /** Withdraws the open requests of a task that has ended. */
    withdraw: (taskId: string): Promise<void> => requests.withdrawOf({ taskId }, "The task has ended."),
  };
}

export type TaskInputs = ReturnType<typeof createTaskInputs>;

/** People and groups that a sentence names. */
const mostAsked = 4;

/** Returns who is asked already by open requests, a sentence for their requester, Markdown. */
function askedAbove(requests: readonly InputRequest[]): string {
  const asked = requests.flatMap(({ decide, requester, names = {} }) => {
    const self = decide.requester && requester !== undefined ? [requester] : [];
    const mentioned = (id: string): string => (/^[UW]/.test(id) ? `<@${id}>` : id);
    const named = (id: string): string => names[id]?.replaceAll(/[*_~`<>[\]\\]/g, " ") ?? mentioned(id);
    const people = [...self, ...decide.people].map((id) => (id === requester ? "you" : named(id)));
    return [...people, ...decide.groups.map((id) => `members of the user group ${id}`)];
  });
  const all = [...new Set(asked)];
  const who = all.length > mostAsked ? [...all.slice(0, mostAsked), "others"] : all;
  const list = [who.slice(0, -1).join(", "), ...who.slice(-1)].filter((one) => one !== "").join(" and ");
  const verb = who.length > 1 || who[0] === "you" || who[0]?.startsWith("members ") === true ? "are" : "is";
  return `${list.charAt(0).toUpperCase()}${list.slice(1, 200).toWellFormed()} ${verb} already asked above.`;
}
