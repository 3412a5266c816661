import { isTaskUsage, type ReportedUsage, type TaskUsage } from "@crosszone/contracts";
import type { AgentAnswer } from "../agent.ts";
import { isObject } from "@crosszone/service-kit/json";

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
  return [...(input_tokens + output_tokens > 0 ? [own] : []), ...reported];
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
