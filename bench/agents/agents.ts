import type { AgentProtocol, AgentRecord } from "@crosszone/contracts";

/** Agents that are alike: their protocol, and how long they take to answer. */
interface AgentGroup {
  readonly protocol: AgentProtocol;
  /** Milliseconds. */
  readonly answer: number;
  readonly count: number;
}

/** All agents of the benchmarks, by the name of their group. */
const agentGroups = {
  "at once": { protocol: "jsonrpc-2.0", answer: 0, count: 20 },
  "at once, simple": { protocol: "simple-a2a", answer: 0, count: 20 },
  "in 20 ms": { protocol: "jsonrpc-2.0", answer: 20, count: 20 },
  "in 20 ms, simple": { protocol: "simple-a2a", answer: 20, count: 20 },
  fast: { protocol: "jsonrpc-2.0", answer: 100, count: 45 },
  slow: { protocol: "jsonrpc-2.0", answer: 1_000, count: 5 },
} as const satisfies Record<string, AgentGroup>;

export type AgentGroupName = keyof typeof agentGroups;

/** The names of a group's agents. */
export function namesOf(group: AgentGroupName): readonly string[] {
  return Array.from({ length: agentGroups[group].count }, (_, index) => `${group} ${index}`);
}

/** The registry of the benchmarks: every agent, all in one process that listens there. */
export function agentsAt(origin: string): readonly AgentRecord[] {
  const groups = Object.entries(agentGroups) as [AgentGroupName, AgentGroup][];
  return groups.flatMap(([name, group]) =>
    namesOf(name).map((agent, index) => recordOf(agent, group, `${origin}/${group.protocol}/${group.answer}/${index}`)),
  );
}

function recordOf(name: string, { protocol }: AgentGroup, url: string): AgentRecord {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    id: "5b1f0f5e-8f6a-4a53-9a0c-6f6a1c1c9f10",
    name,
    url,
    description: "",
    protocol,
    protocol_config: {},
    auth: { type: "none" },
    timeout_ms: 600_000,
    max_concurrency: 10,
    retry: { max_retries: 0, base_ms: 100, max_ms: 1_000 },
    breaker: { failures: 5, open_ms: 30_000 },
    enabled: true,
    source: "api",
    revision: 1,
    created_at: at,
    updated_at: at,
  };
}
