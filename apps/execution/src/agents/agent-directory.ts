import type { Agent } from "./agent.ts";

/** The agents of this zone, by name: its own, and those that are registered with it while it runs. */
export interface AgentDirectory {
  /** Name of the agent that answers when none is asked for. */
  readonly defaultName: string;
  /** The agent of that name, the default one without a name, `undefined` when there is none of that name. */
  resolve(name?: string): Promise<Agent | undefined>;
  /** All agents: the zone's own in the order they were given, then the registered ones. */
  list(): Promise<Agent[]>;
}

/** Agents that come and go while the zone runs. May reject with a `ZoneError` when nobody can tell now. */
export interface RegisteredAgents {
  find(name: string): Promise<Agent | undefined>;
  list(): Promise<readonly Agent[]>;
}

const nobody: RegisteredAgents = { find: async () => undefined, list: async () => [] };

/**
 * The zone's own agents win over registered ones of the same name. Throws an `Error` when two of its own share a name, or when none of
 * them has the default's name.
 */
export function createAgentDirectory(
  agents: readonly Agent[],
  defaultName: string,
  registered: RegisteredAgents = nobody,
): AgentDirectory {
  const byName = new Map<string, Agent>();
  for (const agent of agents) {
    if (byName.has(agent.name)) throw new Error(`Two agents have the name "${agent.name}"; names must be unique.`);
    byName.set(agent.name, agent);
  }
  if (!byName.has(defaultName)) {
    const names = [...byName.keys()].map((name) => `"${name}"`).join(", ") || "none";
    throw new Error(`The default agent "${defaultName}" does not exist. Agents: ${names}.`);
  }
  return {
    defaultName,
    resolve: async (name = defaultName) => byName.get(name) ?? registered.find(name),
    list: async () => [...byName.values(), ...(await registered.list()).filter((agent) => !byName.has(agent.name))],
  };
}
