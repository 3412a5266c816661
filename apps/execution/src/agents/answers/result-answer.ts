import { ZoneError, type AgentResult, type TaskAwaits } from "@crosszone/contracts";
import type { AgentAnswer } from "../agent.ts";
import { answerWith } from "./answer-with.ts";
import { onlyReported, reportedBy } from "./reported-usage.ts";
import { zoneKindOf } from "./zone-kind-of.ts";

const awaiting: Readonly<Record<string, { readonly awaits: TaskAwaits; readonly silent: string }>> = {
  input_required: { awaits: "input", silent: "The agent needs more information." },
  auth_required: { awaits: "authorization", silent: "The agent needs an authorization." },
};

/** Returns the answer of an agent call. Throws a `ZoneError` when the call failed. */
export function answerOf(
  { status, output_data, error, error_message }: AgentResult,
  { agent, showDetail }: { readonly agent: string; readonly showDetail: boolean },
): AgentAnswer {
  if (status === "SUCCESS") return { ...answerWith(output_data), ...onlyReported([reportedBy(agent, output_data)]) };
  const says = saysOf(error?.data);
  const question = error === undefined ? undefined : awaiting[error.kind];
  if (question !== undefined) return { response_text: says ?? question.silent, awaits: question.awaits };
  const kind = error === undefined ? "agent_failed" : zoneKindOf(error.kind);
  const detail = error?.message ?? error_message ?? "The agent failed and did not say why.";
  const data = {
    agent,
    ...(kind === "agent_failed" && says !== undefined && { agent_says: says }),
    ...(showDetail && { owner_detail: capped(detail) }),
  };
  throw new ZoneError(kind, data, { cause: new AgentResultError(detail) });
}

/** UTF-16 units (`zone-error-data.schema.json`). */
const mostUnits = 2_000;

const capped = (text: string): string =>
  (text.length > mostUnits ? `${text.slice(0, mostUnits - 1)}…` : text).toWellFormed();

/** Returns the agent's own error message; undefined without one. */
function saysOf(data: unknown): string | undefined {
  const says = typeof data === "object" && data !== null && "agent_says" in data ? data.agent_says : undefined;
  return typeof says === "string" && says.trim() !== "" ? capped(says.trim()) : undefined;
}

/** The bridge's error message of a failed agent, for the log. */
class AgentResultError extends Error {
  override readonly name = "AgentResultError";
}
