import type { AgentMigration, AgentMigrationEntry } from "@crosszone/contracts";
import { isReadable } from "../agent-row.ts";
import { restored, type AgentChangesDeps } from "../api/change-agents.ts";
import { RegistryProblem } from "../api/registry-problem.ts";
import { changedMeanwhile, type MigrationAsked } from "./migrate-agents.ts";

const mostAttempts = 5;

/** Undoes the last migration: restores its agents that were not changed since. Throws a `RegistryProblem` when there is none. */
export async function rollBackMigration(
  { store, agentsFile, onChanged }: Pick<AgentChangesDeps, "store" | "agentsFile" | "onChanged">,
  { by }: Pick<MigrationAsked, "by">,
): Promise<AgentMigration> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const last = await store.lastMigration();
    if (last === undefined)
      throw new RegistryProblem("nothing_to_restore", "No migration was made, or all of them were rolled back.");
    const all = new Map((await store.all()).filter(isReadable).map((agent) => [agent.name, agent]));
    const steps = last.agents.flatMap((name) => {
      const from = all.get(name);
      const isFile = from?.source === "file" && agentsFile !== undefined;
      const { previous } = from ?? {};
      if (from === undefined || isFile || previous?.migration_id !== last.id) return [];
      return [{ from, to: restored(from, previous) }];
    });
    const changed = await store.rollBack(last, steps, by);
    if (changed === undefined) continue;
    for (const agent of changed) onChanged?.({ ...by, name: agent.name, agent });
    const agents = last.agents.map((name): AgentMigrationEntry => {
      const agent = all.get(name);
      if (agent === undefined) return { name, from: last.to, verdict: "deleted" };
      const isRestored = steps.some(({ from }) => from === agent);
      return { name, from: agent.protocol, verdict: isRestored ? "rolled_back" : "changed_since" };
    });
    const { id, to } = last;
    return { id, result: "rolled_back", to, default_protocol: await store.defaultProtocol(), agents };
  }
  throw changedMeanwhile();
}
