import { isDeepStrictEqual } from "node:util";
import { type CardKey, isCardKey } from "@crosszone/a2a/signatures";
import type { Author } from "@crosszone/audit";
import { type AgentSettings, type AgentsSection, isAgentsSection, isCardKeysSection } from "@crosszone/contracts";
import { settingsRow } from "@crosszone/service-kit/settings";
import { type AgentChecks, fillSettings, type FullSettings, settingsOf, settingsProblems } from "./agent-settings.ts";
import type { AgentStore } from "./agent-store.ts";
import { isReadableAgent } from "./agent-table.ts";

/** The section of the keys whose signatures of agent cards are trusted. */
export const cardKeysRow = settingsRow({
  schema: isCardKeysSection,
  absent: {},
  check: ({ keys }, { refuse }): readonly CardKey[] => {
    for (const [index, key] of keys.entries())
      if (!isCardKey(key))
        refuse({ pointer: `/keys/${index}`, message: "must be a public key of P-256, RSA or Ed25519" });
    return keys.filter(isCardKey);
  },
});

/** Creates the row of the section of agents. Undefined without the section, which is not an empty one: that removes agents. */
export const agentsRow = (checks: AgentChecks) =>
  settingsRow({
    schema: isAgentsSection,
    check: async (agents: AgentsSection | undefined, { refuse, placeOf }) => {
      if (agents === undefined) return undefined;
      for (const [index, agent] of agents.entries()) {
        const before = agents.findIndex(({ name }) => name === agent.name);
        const { path, line } = placeOf(`/${before}`);
        if (before < index)
          refuse({ pointer: `/${index}/name`, message: `is also the name of the agent in ${path}, line ${line}` });
        for (const { pointer, message } of await settingsProblems(fillSettings(agent), "file", checks))
          refuse({ pointer: `/${index}${pointer}`, message });
      }
      return agents;
    },
  });

/** Names of agents, by what was done to them. The `moved` are the updated ones whose protocol has changed. */
type AppliedAgents = Readonly<Record<"created" | "updated" | "removed" | "kept" | "moved", string[]>>;

/**
 * Makes the registry match a file. It stores the file's agents and takes over agents of the API with the same name. It
 * removes agents of the file that are no longer in it. Several processes can do this at the same
 * time. Agents that already match are not changed.
 */
export async function applyAgents(
  store: AgentStore,
  agents: readonly AgentSettings[],
  by: Author,
): Promise<AppliedAgents> {
  const applied: AppliedAgents = { created: [], updated: [], removed: [], kept: [], moved: [] };
  for (const settings of agents.map((declared) => fillSettings(declared))) {
    let done: Awaited<ReturnType<typeof applyOne>>;
    // Another process may be faster each time, but every round one process succeeds.
    while (done === undefined) done = await applyOne(store, settings, by);
    const { outcome, isMoved } = done;
    applied[outcome].push(settings.name);
    if (isMoved) applied.moved.push(settings.name);
  }
  const declared = new Set(agents.map(({ name }) => name));
  const gone = (await store.all()).filter(
    (agent) => isReadableAgent(agent) && agent.source === "file" && !declared.has(agent.name),
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
  if (!isReadableAgent(known)) {
    await store.remove(known, by);
    return undefined;
  }
  if (known.source === "file" && isDeepStrictEqual(settingsOf(known), settings))
    return { outcome: "kept", isMoved: false };
  const updated = await store.update(known, { settings, source: "file" }, by);
  return updated && { outcome: "updated", isMoved: known.protocol !== settings.protocol };
}
