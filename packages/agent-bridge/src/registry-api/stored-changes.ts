import { isAgentName, type AgentRecord } from "@crosszone/contracts";
import { isReadable } from "../registry/agent-row.ts";
import type { AgentStore } from "../registry/agent-store.ts";
import type { AgentUpdate, Author } from "../registry/write-agent.ts";
import { checkIfMatch, RegistryProblem } from "./registry-problem.ts";

/** A durable change of an agent. */
export interface AgentChange extends Author {
  readonly name: string;
  readonly agent: AgentRecord | undefined;
}

/** A requested change of one agent. */
export interface RequestedChange {
  readonly name: string;
  readonly ifMatch: string | undefined;
  readonly by: Author;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

export interface StoredChangesDeps {
  readonly store: Pick<AgentStore, "get" | "update" | "remove">;
  /** The agents file, as the admin knows it. Without one, agents of a former file can be changed. */
  readonly agentsFile?: string;
  /** Receives each stored change: its author and the agent; undefined when it was deleted. */
  readonly onChanged?: (change: AgentChange) => void;
}

/** Changes of stored agents under the request's condition. Each throws a `RegistryProblem` that says what to do. */
export interface StoredChanges {
  readonly find: (name: string) => Promise<AgentRecord>;
  /** Stores what `decide` returns; undefined changes nothing. Calls it again after a conflict. */
  readonly change: (
    request: RequestedChange,
    decide: (agent: AgentRecord) => Promise<AgentUpdate | undefined>,
  ) => Promise<AgentRecord>;
  readonly remove: (request: RequestedChange) => Promise<void>;
}

/** Attempts of a change. Two admins may conflict, but not this often in a row. */
const mostAttempts = 5;

export function createStoredChanges({ store, agentsFile, onChanged }: StoredChangesDeps): StoredChanges {
  const stored = async (name: string): Promise<Awaited<ReturnType<AgentStore["get"]>>> =>
    isAgentName(name) && name.isWellFormed() ? store.get(name) : undefined;

  async function find(name: string): Promise<AgentRecord> {
    const agent = await stored(name);
    if (agent === undefined) throw new RegistryProblem("agent_not_found", "List the agents to see their names.");
    if (isReadable(agent)) return agent;
    const message = `It was not written by this API: ${agent.reason}. Delete it and create it again, or fix the row.`;
    throw new RegistryProblem("agent_unreadable", message);
  }

  function checkSource({ source }: AgentRecord): void {
    if (source === "file" && agentsFile !== undefined)
      throw new RegistryProblem("declared_in_file", `Change it in ${agentsFile} and restart.`);
  }

  /** Reads, decides and writes. Does all three again after a conflict, including the check of the condition. */
  async function untilStored<Outcome>(
    { name, ifMatch }: RequestedChange,
    attempt: (agent: AgentRecord) => Promise<Outcome | undefined>,
  ): Promise<Outcome> {
    for (let count = 0; count < mostAttempts; count += 1) {
      const agent = await find(name);
      checkIfMatch(ifMatch, agent);
      checkSource(agent);
      const outcome = await attempt(agent);
      if (outcome !== undefined) return outcome;
    }
    throw changedMeanwhile();
  }

  return {
    find,
    change: (request, decide) =>
      untilStored(request, async (known) => {
        const update = await decide(known);
        if (update === undefined) return known;
        const agent = await store.update(known, update, request.by);
        if (agent !== undefined) onChanged?.({ ...request.by, name: agent.name, agent });
        return agent;
      }),
    remove: async (request) => {
      const { name, by } = request;
      const agent = await stored(name);
      if (agent !== undefined && !isReadable(agent)) await store.remove(agent, by);
      else await untilStored(request, async (known) => (await store.remove(known, by)) || undefined);
      onChanged?.({ ...by, name, agent: undefined });
    },
  };
}

/** Other changes came first, in every attempt. */
export const changedMeanwhile = (): RegistryProblem =>
  new RegistryProblem("changed_meanwhile", "Try again.", { headers: { "retry-after": "1" } });
