import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Agent } from "./agent.ts";

/** The agents of this zone, by name: built in, and from sources that change at run time. */
export type AgentDirectory = ReturnType<typeof createAgentDirectory>;

/** Agents that change while the zone runs. May reject with a retryable `ZoneError`. */
export interface RegisteredAgents {
  find(name: string): Promise<Agent | undefined>;
  list(): Promise<readonly Agent[]>;
}

export interface ZoneAgents {
  readonly all: readonly Agent[];
  readonly default: string;
  /** Agents that change while the zone runs, searched in this order. */
  readonly registered?: readonly RegisteredAgents[];
}

/**
 * Creates an agent directory. Of agents with the same name the first wins: the zone's own agents, then those of the
 * sources. The default may come from a source. Throws an `Error` when two own agents share a name, or when there are no
 * sources and no own agent has the default's name.
 */
export function createAgentDirectory(
  { all, default: defaultName, registered = [] }: ZoneAgents,
  emit?: Emit<ExecutionEvent>,
) {
  const own = new Map<string, Agent>();
  for (const agent of all) {
    if (own.has(agent.name)) throw new Error(`Two agents have the name "${agent.name}"; names must be unique.`);
    own.set(agent.name, agent);
  }
  if (!own.has(defaultName) && registered.length === 0) {
    const names = [...own.keys()].map((name) => `"${name}"`).join(", ") || "none";
    throw new Error(`The default agent "${defaultName}" does not exist. Agents: ${names}.`);
  }
  const hidden = new Set<string>();

  async function find(name: string): Promise<Agent | undefined> {
    for (const source of registered) {
      const found = await source.find(name);
      if (found) return found;
    }
    return undefined;
  }

  /** Reports once that an agent can't be called, because another source has an agent of the same name. */
  function hide({ name, kind = "agent" }: Agent): void {
    if (hidden.has(name)) return;
    hidden.add(name);
    emit?.("agent_hidden", { agent_name: name, agent_kind: kind });
  }

  return {
    defaultName,
    /** Returns the agent of that name, or the default agent without a name; `undefined` when no agent has that name. */
    resolve: async (name = defaultName): Promise<Agent | undefined> => own.get(name) ?? find(name),
    /** Returns all agents that can be called: those of each source, then the zone's own in their given order. */
    list: async (): Promise<Agent[]> => {
      const others = new Map<string, Agent>();
      for (const agent of (await Promise.all(registered.map((source) => source.list()))).flat()) {
        if (own.has(agent.name) || others.has(agent.name)) hide(agent);
        else others.set(agent.name, agent);
      }
      return [...others.values(), ...own.values()];
    },
  };
}
