import {
  type AgentErrorKind,
  type AgentResult,
  type ErrorKind,
  type TaskAwaits,
  ZoneError,
} from "@crosszone/contracts";
import type { AgentAnswer } from "../agent.ts";
import { answerWith } from "./answer-with.ts";
import { onlyReported, reportedBy } from "./reported-usage.ts";

const kinds = {
  invalid_task: "internal",
  unknown_agent: "unknown_agent",
  agent_disabled: "unknown_agent",
  protocol_unsupported: "agent_misconfigured",
  address_refused: "agent_misconfigured",
  redirect_refused: "agent_unavailable",
  secret_unavailable: "agent_unavailable",
  unreachable: "agent_unavailable",
  call_timeout: "timeout",
  deadline_exceeded: "timeout",
  http_error: "agent_failed",
  http_unavailable: "agent_unavailable",
  rate_limited: "agent_unavailable",
  // The agent rejects this zone's credentials. The requester is not at fault.
  unauthorized: "agent_unavailable",
  response_too_large: "agent_invalid_response",
  not_json: "agent_invalid_response",
  invalid_envelope: "agent_invalid_response",
  invalid_response: "agent_invalid_response",
  rpc_error: "agent_failed",
  rpc_unavailable: "agent_unavailable",
  task_failed: "agent_failed",
  task_canceled: "agent_failed",
  task_rejected: "agent_failed",
  task_state_unknown: "agent_invalid_response",
  task_lost: "agent_lost_task",
  answer_lost: "agent_lost_answer",
  input_required: "agent_failed",
  auth_required: "agent_failed",
  circuit_open: "agent_unavailable",
  canceled: "canceled",
  internal: "internal",
} satisfies Record<AgentErrorKind, ErrorKind>;

/** Converts an agent's error kind to the zone link's. */
export const zoneKindOf = (kind: AgentErrorKind): ErrorKind => kinds[kind];

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
    agent_says: kind === "agent_failed" ? says : undefined,
    ...(showDetail && { owner_detail: capped(detail) }),
  };
  throw new ZoneError(kind, data, { cause: new AgentResultError(detail) });
}

/** UTF-16 units (`zone-error-data.schema.json`). */
const mostUnits = 2_000;

const capped = (text: string): string =>
  (text.length > mostUnits ? `${text.slice(0, mostUnits - 1)}…` : text).toWellFormed();

/** Returns the agent's own error message; undefined without one. */
export function saysOf(data: unknown): string | undefined {
  const says = typeof data === "object" && data !== null && "agent_says" in data ? data.agent_says : undefined;
  return typeof says === "string" && says.trim() !== "" ? capped(says.trim()) : undefined;
}

/** The bridge's error message of a failed agent, for the log. */
class AgentResultError extends Error {
  override readonly name = "AgentResultError";
}
