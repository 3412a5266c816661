import { isDeepStrictEqual } from "node:util";
import { ApiProblem, invalidBody } from "@crosszone/admin-api";
import type { Author } from "@crosszone/audit";
import {
  type AgentMigration,
  type AgentMigrationEntry,
  type AgentPrevious,
  type AgentRecord,
  isAgentName,
  isAgentSettings,
  problemsOf,
} from "@crosszone/contracts";
import { isObject } from "@crosszone/service-kit/json";
import {
  type AgentChecks,
  fillSettings,
  type FullSettings,
  isSameWay,
  newRecord,
  settingsOf,
  settingsProblems,
  wayOf,
} from "../registry/agent-settings.ts";
import type { AgentStore, AgentUpdate } from "../registry/agent-store.ts";
import { isReadableAgent, type UnreadableAgent } from "../registry/agent-table.ts";
import { type AgentGate, changedMeanwhile, checkIfMatch, passGate } from "./agent-gate.ts";

/** A durable change of an agent. */
export interface AgentChange extends Author {
  readonly name: string;
  /** Undefined when it was deleted. */
  readonly agent: AgentRecord | undefined;
}

export interface RequestedChange {
  readonly name: string;
  readonly ifMatch: string | undefined;
  readonly by: Author;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

export interface StoredAgentsDeps {
  readonly store: AgentStore;
  readonly checks: AgentChecks;
  /** The agents file, as the admin knows it. Without one, agents of a former file can be changed. */
  readonly agentsFile?: string;
  readonly onChanged?: (change: AgentChange) => void;
}

export interface AgentChangesDeps extends StoredAgentsDeps {
  readonly gate: AgentGate;
}

/** Attempts of a change. Two admins may conflict, but not this often in a row. */
const mostAttempts = 5;

/** The changes that an admin can make. Each throws a `ApiProblem` that says what to do. */
export class AgentChanges {
  readonly #deps: AgentChangesDeps;

  constructor(deps: AgentChangesDeps) {
    this.#deps = deps;
  }

  async find(name: string): Promise<AgentRecord> {
    const agent = await this.#stored(name);
    if (agent === undefined) throw new ApiProblem("agent_not_found");
    if (isReadableAgent(agent)) return agent;
    const message = `It was not written by this API: ${agent.reason}. Delete it and create it again, or fix the row.`;
    throw new ApiProblem("agent_unreadable", message);
  }

  /** Returns the agent as it would be stored: checked, and with every default. */
  async draft(body: unknown): Promise<AgentRecord> {
    const settings = await this.#read(body);
    await this.#check(settings);
    return newRecord(settings);
  }

  async create(body: unknown, by: Author): Promise<AgentRecord> {
    const drafted = await this.draft(body);
    await this.#deps.gate.checkCard(drafted);
    const agent = await this.#deps.store.create(settingsOf(drafted), "api", by);
    if (agent === undefined) throw new ApiProblem("name_taken");
    this.#deps.onChanged?.({ ...by, name: agent.name, agent });
    return agent;
  }

  patch(request: RequestedChange, patch: unknown): Promise<AgentRecord> {
    return this.#change(request, async (known) => {
      const before = settingsOf(known);
      const settings = await this.#read(mergePatch(before, patch));
      if (isDeepStrictEqual(settings, before)) return undefined;
      // Disabling an agent works even if its address is no longer allowed.
      if (!isDeepStrictEqual(settings, { ...before, enabled: false })) await this.#check(settings);
      if (settings.name !== before.name)
        throw invalidBody([{ pointer: "/name", message: "can't be changed: create an agent with the new name" }]);
      if (!isSameWay(settings, before)) await this.#deps.gate.checkCard({ ...known, ...settings });
      await passGate(this.#deps.gate, { from: known, to: settings, signal: request.signal });
      return { settings, source: "api" };
    });
  }

  /** Restores the protocol and URL before. */
  rollBack(request: RequestedChange): Promise<AgentRecord> {
    return this.#change(request, async (agent) => {
      if (agent.previous !== undefined) return restored(agent, agent.previous);
      throw new ApiProblem("nothing_to_restore");
    });
  }

  async remove(request: RequestedChange): Promise<void> {
    const { store, onChanged } = this.#deps;
    const { name, by } = request;
    const agent = await this.#stored(name);
    if (agent !== undefined && !isReadableAgent(agent)) await store.remove(agent, by);
    else await this.#untilStored(request, async (known) => (await store.remove(known, by)) || undefined);
    onChanged?.({ ...by, name, agent: undefined });
  }

  async #stored(name: string): Promise<AgentRecord | UnreadableAgent | undefined> {
    return isAgentName(name) && name.isWellFormed() ? this.#deps.store.get(name) : undefined;
  }

  /** Returns the settings of a body with every default. */
  async #read(written: unknown): Promise<FullSettings> {
    const problems = problemsOf(isAgentSettings, written);
    if (problems.length > 0) throw invalidBody(problems);
    return fillSettings(isAgentSettings.filled(written), await this.#deps.store.defaultProtocol());
  }

  /** Checks what a schema cannot express. */
  async #check(settings: FullSettings): Promise<void> {
    const problems = await settingsProblems(settings, "api", this.#deps.checks);
    if (problems.length > 0) throw invalidBody(problems);
  }

  /** Stores what `decide` returns; undefined changes nothing. */
  #change(
    request: RequestedChange,
    decide: (agent: AgentRecord) => Promise<AgentUpdate | undefined>,
  ): Promise<AgentRecord> {
    const { store, onChanged } = this.#deps;
    return this.#untilStored(request, async (known) => {
      const update = await decide(known);
      if (update === undefined) return known;
      const agent = await store.update(known, update, request.by);
      if (agent !== undefined) onChanged?.({ ...request.by, name: agent.name, agent });
      return agent;
    });
  }

  /** Reads, decides and writes. Does all three again after a conflict, including the check of the condition. */
  async #untilStored<Outcome>(
    { name, ifMatch }: RequestedChange,
    attempt: (agent: AgentRecord) => Promise<Outcome | undefined>,
  ): Promise<Outcome> {
    const { agentsFile } = this.#deps;
    for (let count = 0; count < mostAttempts; count += 1) {
      const agent = await this.find(name);
      checkIfMatch(ifMatch, agent);
      if (agent.source === "file" && agentsFile !== undefined)
        throw new ApiProblem("declared_in_file", `Change it in ${agentsFile} and restart.`);
      const outcome = await attempt(agent);
      if (outcome !== undefined) return outcome;
    }
    throw changedMeanwhile();
  }
}

/** Returns an agent with its former protocol and URL. */
function restored(agent: AgentRecord, previous: AgentPrevious): AgentUpdate {
  const settings = { ...settingsOf(agent), ...wayOf(previous) };
  return { settings, source: agent.source, action: "rolled_back", previous: null };
}

/** Undoes the last migration: restores its agents that were not changed since. Throws a `ApiProblem` when there is none. */
export async function rollBackMigration(
  { store, agentsFile, onChanged }: AgentChangesDeps,
  by: Author,
): Promise<AgentMigration> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const last = await store.lastMigration();
    if (last === undefined)
      throw new ApiProblem("nothing_to_restore", "No migration was made, or all of them were rolled back.");
    const all = new Map((await store.all()).filter(isReadableAgent).map((agent) => [agent.name, agent]));
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

/** Settings are three levels deep; a patch with thousands would overflow the stack. */
const mostLevels = 16;

/**
 * Returns the result of a JSON merge patch. Does not change its target.
 * https://www.rfc-editor.org/rfc/rfc7396#section-2
 */
function mergePatch(target: unknown, patch: unknown, level = 0): unknown {
  if (!isObject(patch)) return patch;
  if (level > mostLevels) throw new ApiProblem("malformed_request", "The body is nested too deeply.");
  // A map, because assigning `__proto__` would not create a member. It is rejected later as unknown.
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value, level + 1));
  }
  return Object.fromEntries(merged);
}
