import type { Agent } from "./agent.ts";

/** The agents of this zone, by name: its own, and those of sources that change while it runs. */
export interface AgentDirectory {
  /** Name of the agent that answers when none is asked for. */
  readonly defaultName: string;
  /** The agent of that name, the default one without a name, `undefined` when there is none of that name. */
  resolve(name?: string): Promise<Agent | undefined>;
  /** All agents that can be asked: those of each source, then the zone's own in the order they were given. */
  list(): Promise<Agent[]>;
}

/** Agents that come and go while the zone runs. May reject with a `ZoneError` when nobody can tell now. */
export interface RegisteredAgents {
  find(name: string): Promise<Agent | undefined>;
  list(): Promise<readonly Agent[]>;
}

export interface AgentDirectoryOptions {
  /** Asked in this order for what is no agent of the zone's own. */
  readonly registered?: readonly RegisteredAgents[];
  /** Told once of each name that is taken: whoever has it in a later source cannot be asked. */
  readonly onHidden?: (agent: Agent) => void;
}

/**
 * The first of a name wins: the zone's own agents, then those of the sources. The default may be an agent of a source. Throws an `Error` when
 * two of its own agents share a name, or when there are no sources and none of its own has the default's name.
 */
export function createAgentDirectory(
  agents: readonly Agent[],
  defaultName: string,
  { registered = [], onHidden }: AgentDirectoryOptions = {},
): AgentDirectory {
  const own = new Map<string, Agent>();
  for (const agent of agents) {
    if (own.has(agent.name)) throw new Error(`Two agents have the name "${agent.name}"; names must be unique.`);
    own.set(agent.name, agent);
  }
  if (!own.has(defaultName) && registered.length === 0) {
    const names = [...own.keys()].map((name) => `"${name}"`).join(", ") || "none";
    throw new Error(`The default agent "${defaultName}" does not exist. Agents: ${names}.`);
  }
  const told = new Set<string>();

  async function find(name: string): Promise<Agent | undefined> {
    for (const source of registered) {
      const found = await source.find(name);
      if (found) return found;
    }
    return undefined;
  }

  function hide(agent: Agent): void {
    if (told.has(agent.name)) return;
    told.add(agent.name);
    onHidden?.(agent);
  }

  return {
    defaultName,
    resolve: async (name = defaultName) => own.get(name) ?? find(name),
    list: async () => {
      const others = new Map<string, Agent>();
      for (const agent of (await Promise.all(registered.map((source) => source.list()))).flat()) {
        if (own.has(agent.name) || others.has(agent.name)) hide(agent);
        else others.set(agent.name, agent);
      }
      return [...others.values(), ...own.values()];
    },
  };
}
