import {
  type AgentErrorKind,
  type AgentResult,
  type ErrorKind,
  isTaskUsage,
  type ReportedUsage,
  type TaskAwaits,
  type TaskUsage,
  ZoneError,
} from "@crosszone/contracts";
import { isObject, ownList, ownMember } from "@crosszone/service-kit/json";
import { processesEnded } from "../store/open-execution-database.ts";
import type { AgentAnswer, AgentQuestion } from "./agent.ts";
import { askedPartsOf, joinTexts } from "./answer-parts.ts";
import { answerOfParts, answerWith, fileName, shortened } from "./answer-with.ts";

const kinds = {
  invalid_task: "internal",
  unknown_agent: "unknown_agent",
  agent_disabled: "unknown_agent",
  protocol_unsupported: "agent_misconfigured",
  address_refused: "agent_misconfigured",
  card_refused: "agent_misconfigured",
  redirect_refused: "agent_unavailable",
  secret_unavailable: "agent_misconfigured",
  unreachable: "agent_unavailable",
  call_timeout: "timeout",
  deadline_exceeded: "timeout",
  http_error: "agent_failed",
  http_unavailable: "agent_unavailable",
  rate_limited: "agent_unavailable",
  unauthorized: "agent_misconfigured",
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
  const question = error === undefined ? undefined : awaiting[error.kind];
  if (question !== undefined) {
    const { text, shown, files } = askedPartsOf(error?.data);
    const words = joinTexts([shown, text === "" ? question.silent : ""]);
    return { ...answerOfParts({ text: shortened(words), files }), awaits: question.awaits };
  }
  const says = saysOf(error?.data);
  const kind = error === undefined ? "agent_failed" : zoneKindOf(error.kind);
  const detail = error?.message ?? error_message ?? "The agent failed and did not say why.";
  const agent_says = kind === "agent_failed" ? withMade(error?.data, says) : undefined;
  const data = { agent, agent_says, owner_detail: showDetail ? capped(detail) : undefined };
  const ended = ownMember(error?.data, "processes_ended");
  if (error?.kind === "internal" && typeof ended === "number") throw processesEnded(ended);
  throw new ZoneError(kind, data, { cause: new AgentResultError(detail) });
}

/** The most that people are shown of an agent's failure, and the least that is worth a look, UTF-16 units. */
const [mostShown, leastShown] = [990, 40];

/** Returns the words of a failure below what the agent had made before it, shortened so that the words are whole. */
function withMade(data: unknown, says: string | undefined): string | undefined {
  // Without a message, the words are those of the artifacts.
  const isSaid = ownMember(data, "response") !== undefined || ownMember(data, "message") !== undefined;
  const { shown, files } = askedPartsOf({ artifacts: isSaid ? ownList(data, "artifacts") : [] });
  const names = files.map(({ name }) => fileName(name, "a file")).join(", ");
  const made = joinTexts([shown, names && `(Made before it failed, and not passed on: ${names}.)`]);
  const room = mostShown - (says ?? "").length;
  if (made === "" || room < leastShown) return says;
  return joinTexts([made.length > room ? `${made.slice(0, room).toWellFormed()}…` : made, says ?? ""]);
}

/** The most words and data of a question: UTF-16 units, and those of its JSON. */
const [mostWords, mostData] = [10_000, 50_000];

/** Returns what an agent asks in words, with what stands beside it; undefined for a result that asks nothing. */
export function questionOf({ error }: AgentResult): AgentQuestion | undefined {
  const question = error === undefined ? undefined : awaiting[error.kind];
  if (question === undefined) return undefined;
  const { text, data, files } = askedPartsOf(error?.data);
  const fits = JSON.stringify(data).length <= mostData;
  const left = files.map(({ name }) => fileName(name, "a file"));
  if (!fits) left.push("data that is too large");
  const note = left.length === 0 ? "" : `\n\n(Not passed on: ${left.join(", ")}.)`;
  return { awaits: question.awaits, text: endOf(text || question.silent) + note, data: fits ? data : [] };
}

/** The question is the end. */
const endOf = (text: string): string => (text.length > mostWords ? `…${text.slice(-mostWords)}`.toWellFormed() : text);

/** Returns what stands beside an approval or a form, and its words; undefined without any. */
export const shownOf = (data: unknown): string | undefined => endOf(askedPartsOf(data).shown) || undefined;

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

/** The most that an agent can report for one task: tokens of each kind, and US dollars. Larger reports are ignored. */
const mostTokens = 1_000_000_000_000;
const mostDollars = 1_000_000;

/** The most entries (`task-usage.schema.json`). Further agents share the last one. */
const mostAgents = 50;
const otherAgents = "(other agents)";

/** The names under which agents report tokens, including those of Anthropic, OpenAI and the AI SDK. */
const names = {
  input: ["input_tokens", "inputTokens", "prompt_tokens", "promptTokens"],
  output: ["output_tokens", "outputTokens", "completion_tokens", "completionTokens"],
  cached: ["cached_input_tokens", "cachedInputTokens", "cache_read_input_tokens"],
  cost: ["cost", "cost_usd", "costUsd"],
} as const;

/**
 * Parses an agent's report of its usage: `metadata.usage` of an A2A task or message, or `usage` of another output.
 * Undefined when it has none, or anything but token counts. Reports are not verified.
 */
export function reportedBy(agent: string, output: unknown): ReportedUsage | undefined {
  if (!isObject(output)) return undefined;
  const { metadata, usage } = output;
  const said = isObject(metadata) && isObject(metadata["usage"]) ? metadata["usage"] : usage;
  if (!isObject(said)) return undefined;
  const find = (member: keyof typeof names): unknown =>
    names[member].map((name) => said[name]).find((value) => value !== undefined && value !== null);
  const [input = 0, output_tokens = 0, cached = 0] = [find("input"), find("output"), find("cached")];
  if (find("input") === undefined && find("output") === undefined) return undefined;
  if (!isCount(input) || !isCount(output_tokens)) return undefined;
  const cost = find("cost");
  return {
    agent,
    input_tokens: input,
    output_tokens,
    cached_input_tokens: isCount(cached) ? Math.min(cached, input) : 0,
    cost: typeof cost === "number" && cost >= 0 && cost <= mostDollars ? cost : null,
  };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens;

/** Returns the usage of an agent of this zone for an answer, and the reports of the agents that it called. */
export function usedFor({ usage }: AgentAnswer, agent: string): ReportedUsage[] {
  if (!isTaskUsage(usage)) return [];
  const { input_tokens, output_tokens, cached_input_tokens, cost, reported = [] } = usage;
  const own = { agent, input_tokens, output_tokens, cached_input_tokens, cost };
  return input_tokens + output_tokens > 0 ? [own, ...reported] : reported;
}

/** Adds reports up, one entry per agent. */
export function addReported(all: readonly ReportedUsage[]): ReportedUsage[] {
  const byAgent = new Map<string, ReportedUsage>();
  for (const one of all) {
    const isRoom = byAgent.has(one.agent) || byAgent.size < mostAgents - 1;
    const agent = isRoom ? one.agent : otherAgents;
    const before = byAgent.get(agent);
    byAgent.set(agent, before === undefined ? { ...one, agent } : sumOf(before, one));
  }
  return [...byAgent.values()];
}

function sumOf(a: ReportedUsage, b: ReportedUsage): ReportedUsage {
  return {
    agent: a.agent,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    // An unknown part makes the sum unknown.
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  };
}

/** Adds reports to the usage of this zone itself. */
export function withReported<Usage extends object>(
  usage: Usage,
  all: readonly ReportedUsage[],
): Usage & { readonly reported?: ReportedUsage[] } {
  return all.length === 0 ? usage : { ...usage, reported: addReported(all) };
}

/** Returns the member `usage` of an answer for which this zone called no model; empty without a report. */
export function onlyReported(all: readonly (ReportedUsage | undefined)[]): { readonly usage?: TaskUsage } {
  const reported = all.filter((one) => one !== undefined);
  const nothing = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost: 0 };
  return reported.length === 0 ? {} : { usage: withReported(nothing, reported) };
}
