import { isDeepStrictEqual } from "node:util";
import type { AgentSettings } from "@crosszone/contracts";
import { isReadable } from "../agent-row.ts";
import { fillSettings, settingsOf, type FullSettings } from "../agent-settings.ts";
import type { AgentStore, Author } from "../agent-store.ts";

/** Names of agents, by what became of them. */
export interface AppliedAgents {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Makes the registry what a file declares: its agents are stored, an agent of the API by the same name becomes the file's, and agents of the
 * file that it does not name any more are removed, unless `keepOthers`. Several processes may do it at the same time; nothing is changed that is as declared.
 */
export async function applyAgentsFile(
  store: AgentStore,
  agents: readonly AgentSettings[],
  { keepOthers = false, ...by }: Author & { readonly keepOthers?: boolean },
): Promise<AppliedAgents> {
  const applied = { created: [] as string[], updated: [] as string[], removed: [] as string[], kept: [] as string[] };
  for (const settings of agents.map(fillSettings)) {
    const outcome = await untilDone(() => applyOne(store, settings, by));
    applied[outcome].push(settings.name);
  }
  if (keepOthers) return applied;
  const declared = new Set(agents.map(({ name }) => name));
  const gone = (await store.all()).filter(
    (agent) => isReadable(agent) && agent.source === "file" && !declared.has(agent.name),
  );
  // Of one that is another by now, whoever changed it decides.
  for (const agent of gone) if (await store.remove(agent, by)) applied.removed.push(agent.name);
  return applied;
}

async function applyOne(
  store: AgentStore,
  settings: FullSettings,
  by: Author,
): Promise<"created" | "updated" | "kept" | undefined> {
  const known = await store.get(settings.name);
  if (known === undefined) return (await store.create(settings, "file", by)) && "created";
  if (!isReadable(known)) {
    await store.remove(known, by);
    return undefined;
  }
  if (known.source === "file" && isDeepStrictEqual(settingsOf(known), settings)) return "kept";
  return (await store.update(known, { settings, source: "file" }, by)) && "updated";
}

/** Another process may be quicker, each time: with every try one of them is done. */
async function untilDone<Outcome>(attempt: () => Promise<Outcome | undefined>): Promise<Outcome> {
  for (;;) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
  }
}
