import type { AssistantTool, PausedState, PendingCall, Permit } from "@crosszone/assistant";
import type { InputAction, InputRequest } from "@crosszone/contracts";
import { retryTransient } from "@crosszone/sql";
import type { ApprovalFor } from "../../inputs/approvals.ts";
import { votersProblem } from "../../inputs/voters.ts";
import type { MessagePlace } from "../agent.ts";
import type { AwaitedInput, RunInputs } from "../task-paused.ts";

/** Returns a tool with the approval that each of its calls needs, if any. */
export function withApproval(
  tool: AssistantTool,
  { channel, user_id: requester }: MessagePlace,
  { agent, approvalFor }: { readonly agent: string; readonly approvalFor: ApprovalFor },
): AssistantTool {
  const { name, sideEffects } = tool;
  const { needed, terms } = approvalFor({ agent, tool: name, channel, sideEffects });
  if (!needed) return tool;
  const canBeGiven = (sources: ReadonlySet<string>): boolean =>
    votersProblem({ kind: "approve", decide: terms.decide, requester, not: [...sources] }) === undefined;
  return { ...tool, approval: { canBeGiven } };
}

/** Returns whether there are people who can answer what a tool asks. */
export function canAsk(
  { channel, user_id: requester }: MessagePlace,
  { agent, approvalFor }: { readonly agent: string; readonly approvalFor: ApprovalFor },
): boolean {
  const { terms } = approvalFor({ agent, channel, sideEffects: true });
  return votersProblem({ kind: "form", decide: terms.decide, requester }) === undefined;
}

const actionOf = ({ tool, input }: PendingCall, agent: string): Omit<InputAction, "digest"> => ({
  agent,
  tool,
  arguments: input as InputAction["arguments"],
});

/** Returns what a paused turn of an agent waits for. */
export function awaitedBy({ pending, sources }: PausedState, agent: string): AwaitedInput[] {
  return pending.flatMap((call): AwaitedInput[] => {
    if (call.waits !== undefined) return call.waits.awaited as AwaitedInput[];
    const title = call.title.slice(0, 150).toWellFormed();
    return [{ key: call.key, kind: "approve", title, action: actionOf(call, agent), not: sources }];
  });
}

interface Permitting {
  readonly agent: string;
  readonly inputs: RunInputs;
  readonly tools: readonly AssistantTool[];
  readonly signal: AbortSignal;
}

/** Returns a function that judges a pending call by what people decided, and uses its approval. */
export function permitBy({ agent, inputs, tools, signal }: Permitting): (call: PendingCall) => Promise<Permit> {
  return async (call) => {
    const request = inputs.decided.get(call.key);
    if (request === undefined) return "wait";
    const { state } = request;
    if (state === "void") return "renew";
    if (state !== "approved" && state !== "used") return { instead: refusalBy(request) };
    // A use that was stored although the connection broke returns `again`.
    const verdict = await retryTransient(() => inputs.use(call.key, actionOf(call, agent)), {
      budgetMs: Infinity,
      signal,
    });
    if (verdict === "changed" || verdict === "void") return "renew";
    if (verdict === "not_approved") return { instead: "Not called: it is not approved. Tell the person so." };
    const runsOnce = tools.some(({ name, runsOnce: once }) => name === call.tool && once === true);
    return verdict === "again" && runsOnce ? { instead: mayHaveRun } : "run";
  };
}

const mayHaveRun =
  "Not called again: the service stopped during the call, so it may have run. Tell the person to check before they ask for it again.";

/** Returns what the model gets instead of a call that people did not approve. */
function refusalBy({
  state,
  votes,
  decided_at: at = "an unknown time",
  expires_at,
  closed_because: why,
}: InputRequest) {
  if (state === "expired") return `Not called: no decision was made by ${expires_at}. Tell the person so.`;
  if (state !== "denied") return `Not called: its approval request was withdrawn${why ? ` (${why})` : ""}.`;
  const by = votes.findLast(({ verdict }) => verdict === "deny");
  const because = by?.reason === undefined ? "without a reason" : `because: ${JSON.stringify(by.reason)}`;
  return `Not called: ${by?.user_id ?? "someone"} denied it at ${at} ${because}. Tell the person so.`;
}
