import { randomUUID } from "node:crypto";
import { ApiProblem, invalidBody } from "@crosszone/admin-api";
import {
  type AgentMigration,
  type AgentMigrationEntry,
  type AgentMigrationRequest,
  type AgentRecord,
} from "@crosszone/contracts";
import pLimit from "p-limit";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { settingsOf, wayOf } from "../registry/agent-settings.ts";
import type { AgentUpdate } from "../registry/agent-store.ts";
import { isReadableAgent } from "../registry/agent-table.ts";
import { changedMeanwhile, hasChecks } from "./agent-gate.ts";
import type { AgentChangesDeps, RequestedChange } from "./change-agents.ts";

const checkedAtOnce = 4;

/**
 * Checks agents, and moves all of them to another protocol in one transaction unless one fails. Throws a `ApiProblem` for a request
 * that can't be fulfilled.
 */
export async function migrateAgents(
  deps: AgentChangesDeps,
  request: AgentMigrationRequest,
  { by, signal }: Pick<RequestedChange, "by" | "signal">,
): Promise<AgentMigration> {
  check(deps, request);
  const { to, default: movesDefault = false, dry_run = false } = request;
  const { store, onChanged } = deps;
  const all = (await store.all()).filter(isReadableAgent);
  const chosen = request.agents === undefined ? all.filter(({ enabled }) => enabled) : named(all, request.agents);
  const judge = (agent: AgentRecord): Promise<AgentMigrationEntry> => judgeAgent(deps, request, { agent, signal });
  const agents = await pLimit(checkedAtOnce).map(chosen, judge);
  const migration = async (result: AgentMigration["result"], id?: string): Promise<AgentMigration> => {
    return { id, result, to, default_protocol: await store.defaultProtocol(), agents };
  };
  if (agents.some(({ verdict }) => verdict === "not_compliant")) return migration("refused");
  if (dry_run) return migration("dry_run");
  const moved = chosen.filter((_, index) => agents[index]?.verdict === "compliant");
  if (moved.length === 0 && !movesDefault) return migration("switched");
  const id = randomUUID();
  const steps = moved.map((from) => {
    const { accepted_checks } = agents.find(({ name }) => name === from.name) ?? {};
    const reason = accepted_checks && `Accepted failed checks: ${accepted_checks.join(", ")}.`;
    return { from, to: { ...movedTo(from, to, id), reason } };
  });
  const changed = await store.migrate({ id, to, movesDefault, agents: moved.map(({ name }) => name) }, steps, by);
  if (changed === undefined) throw changedMeanwhile();
  for (const agent of changed) onChanged?.({ ...by, name: agent.name, agent });
  return migration("switched", id);
}

function check({ checks }: AgentChangesDeps, request: AgentMigrationRequest): void {
  if (request.default === true && request.agents !== undefined)
    throw invalidBody([
      { pointer: "/agents", message: "can't be combined with default: every enabled agent must comply" },
    ]);
  try {
    checks.protocol({ protocol: request.to, protocol_config: {} });
  } catch (error) {
    if (error instanceof AgentFailure) throw invalidBody([{ pointer: "/to", message: error.message }]);
    throw error;
  }
}

function named(all: readonly AgentRecord[], names: readonly string[]): AgentRecord[] {
  return [...new Set(names)].map((name) => {
    const agent = all.find((one) => one.name === name);
    if (agent !== undefined) return agent;
    throw new ApiProblem(
      "agent_not_found",
      `No agent is called ${JSON.stringify(name)}. List the agents to see their names.`,
    );
  });
}

/** Only a move of the default protocol checks agents that stay as they are: it requires that every agent complies. */
async function judgeAgent(
  { gate, agentsFile }: AgentChangesDeps,
  { to, accept = [], default: movesDefault }: AgentMigrationRequest,
  { agent, signal }: { readonly agent: AgentRecord; readonly signal: AbortSignal },
): Promise<AgentMigrationEntry> {
  const { name, protocol: from, source, enabled, previous } = agent;
  const isFile = source === "file" && agentsFile !== undefined;
  const stays = from === to ? "unchanged" : isFile ? "declared_in_file" : undefined;
  if (!enabled) return { name, from, verdict: "disabled" };
  if (stays !== undefined && movesDefault !== true) return { name, from, verdict: stays };
  const isBack = previous?.protocol === to && previous.url === agent.url;
  const isFree = !hasChecks(to) || (isBack && stays === undefined);
  const asked = { ...agent, protocol: to, protocol_config: from === to ? agent.protocol_config : {} };
  const failed = isFree ? [] : await gate.failedChecks(asked, signal);
  const failed_checks = failed.filter(({ id }) => !accept.includes(id));
  if (failed_checks.length > 0) return { name, from, verdict: "not_compliant", failed_checks };
  const accepted_checks = failed.length > 0 ? failed.map(({ id }) => id) : undefined;
  return { name, from, verdict: stays ?? "compliant", accepted_checks };
}

function movedTo(agent: AgentRecord, protocol: string, migration_id: string): AgentUpdate {
  const settings = { ...settingsOf(agent), protocol, protocol_config: {} };
  const previous = { ...wayOf(agent), at: new Date().toISOString(), migration_id };
  return { settings, source: agent.source, action: "migrated", previous };
}
