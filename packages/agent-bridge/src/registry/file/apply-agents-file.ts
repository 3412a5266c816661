import { isDeepStrictEqual } from "node:util";
import type { Author } from "@crosszone/audit";
import type { AgentSettings } from "@crosszone/contracts";
import { isReadable } from "../agent-row.ts";
import { fillSettings, settingsOf, type FullSettings } from "../agent-settings.ts";
import type { AgentStore } from "../agent-store.ts";

/** Names of agents, by what was done to them. The `moved` are the updated ones whose protocol has changed. */
export type AppliedAgents = Readonly<Record<"created" | "updated" | "removed" | "kept" | "moved", string[]>>;

/**
 * Makes the registry match a file. It stores the file's agents and takes over agents of the API with the same name. It
 * removes agents of the file that are no longer in it. Several processes can do this at the same
 * time. Agents that already match are not changed.
 */
export async function applyAgentsFile(
  store: AgentStore,
  agents: readonly AgentSettings[],
  by: Author,
): Promise<AppliedAgents> {
  const applied: AppliedAgents = { created: [], updated: [], removed: [], kept: [], moved: [] };
  for (const settings of agents.map((declared) => fillSettings(declared))) {
    const { outcome, isMoved } = await untilDone(() => applyOne(store, settings, by));
    applied[outcome].push(settings.name);
    if (isMoved) applied.moved.push(settings.name);
  }
  const declared = new Set(agents.map(({ name }) => name));
  const gone = (await store.all()).filter(
    (agent) => isReadable(agent) && agent.source === "file" && !declared.has(agent.name),
  );
  // When an agent has changed meanwhile, the other change wins.
  for (const agent of gone) if (await store.remove(agent, by)) applied.removed.push(agent.name);
  return applied;
}

async function applyOne(
  store: AgentStore,
  settings: FullSettings,
  by: Author,
): Promise<{ readonly outcome: "created" | "updated" | "kept"; readonly isMoved: boolean } | undefined> {
  const known = await store.get(settings.name);
  if (known === undefined) return (await store.create(settings, "file", by)) && { outcome: "created", isMoved: false };
  if (!isReadable(known)) {
    await store.remove(known, by);
    return undefined;
  }
  if (known.source === "file" && isDeepStrictEqual(settingsOf(known), settings))
    return { outcome: "kept", isMoved: false };
  const updated = await store.update(known, { settings, source: "file" }, by);
  return updated && { outcome: "updated", isMoved: known.protocol !== settings.protocol };
}

/** Another process may be faster each time, but every round one process succeeds. */
async function untilDone<Outcome>(attempt: () => Promise<Outcome | undefined>): Promise<Outcome> {
  for (;;) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
  }
}
