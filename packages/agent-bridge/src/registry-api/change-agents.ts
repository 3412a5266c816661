import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  type AgentPrevious,
  type AgentRecord,
  type AgentSettings,
  isAgentName,
  isAgentSettings,
  type ParamProblem,
  problemsOf,
} from "@crosszone/contracts";
import { type AgentChecks, settingsProblems } from "../registry/agent-checks.ts";
import { isReadable } from "../registry/agent-row.ts";
import {
  canaryWay,
  completeParts,
  fillSettings,
  type FullSettings,
  settingsOf,
  wayOf,
} from "../registry/agent-settings.ts";
import type { AgentStore } from "../registry/agent-store.ts";
import { type AgentGate, passGate, requireCompliance } from "./agent-gate.ts";
import type { AgentUpdate, Author } from "../registry/write-agent.ts";
import { mergePatch } from "./merge-patch.ts";
import { checkIfMatch, RegistryProblem } from "./registry-problem.ts";

export interface AgentChangesDeps {
  readonly store: AgentStore;
  readonly checks: AgentChecks;
  readonly gate: AgentGate;
  /** The agents file, as the admin knows it. Without one, agents of a former file can be changed. */
  readonly agentsFile?: string | undefined;
  /** Receives each stored change: its author and the agent; undefined when it was deleted. */
  readonly onChanged?: (change: AgentChange) => void;
}

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

/** The changes that an admin can make. Each throws a `RegistryProblem` that says what to do. */
export interface AgentChanges {
  readonly find: (name: string) => Promise<AgentRecord>;
  /** Returns the agent as it would be stored: checked, and with every default. */
  readonly draft: (body: unknown) => Promise<AgentRecord>;
  readonly create: (body: unknown, by: Author) => Promise<AgentRecord>;
  readonly patch: (asked: RequestedChange, patch: unknown) => Promise<AgentRecord>;
  /** Restores the protocol and URL before. Ends the canary. */
  readonly rollBack: (asked: RequestedChange) => Promise<AgentRecord>;
  /** Makes the canary's protocol and URL those of the agent, if it complies. */
  readonly promote: (asked: RequestedChange) => Promise<AgentRecord>;
  readonly remove: (asked: RequestedChange) => Promise<void>;
}

/** Attempts of a change. Two admins may conflict, but not this often in a row. */
const mostAttempts = 5;

export function createAgentChanges({ store, checks, gate, agentsFile, onChanged }: AgentChangesDeps): AgentChanges {
  const stored = async (name: string): Promise<Awaited<ReturnType<AgentStore["get"]>>> =>
    isAgentName(name) && name.isWellFormed() ? store.get(name) : undefined;

  async function find(name: string): Promise<AgentRecord> {
    const agent = await stored(name);
    if (agent === undefined) throw new RegistryProblem("agent_not_found", "List the agents to see their names.");
    if (isReadable(agent)) return agent;
    const message = `It was not written by this API: ${agent.reason}. Delete it and create it again, or fix the row.`;
    throw new RegistryProblem("agent_unreadable", message);
  }

  async function settingsIn(written: unknown): Promise<FullSettings> {
    const body = completeParts(written);
    const problems = problemsOf(isAgentSettings, body);
    if (problems.length > 0) throw invalid(problems);
    return fillSettings(body as AgentSettings, await store.defaultProtocol());
  }

  async function check(settings: FullSettings): Promise<void> {
    const problems = await settingsProblems(settings, "api", checks);
    if (problems.length > 0) throw invalid(problems);
  }

  function checkSource({ source }: AgentRecord): void {
    if (source === "file" && agentsFile !== undefined)
      throw new RegistryProblem("declared_in_file", `Change it in ${agentsFile} and restart.`);
  }

  /** Reads, decides and writes. Repeats all three after a conflict, including the check of the condition. */
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
    throw new RegistryProblem("changed_meanwhile", "Try again.", { headers: { "retry-after": "1" } });
  }

  /** Stores what `decide` returns; undefined changes nothing. */
  const change = (
    asked: RequestedChange,
    decide: (agent: AgentRecord) => Promise<AgentUpdate | undefined>,
  ): Promise<AgentRecord> =>
    untilStored(asked, async (known) => {
      const update = await decide(known);
      if (update === undefined) return known;
      const agent = await store.update(known, update, asked.by);
      if (agent !== undefined) onChanged?.({ ...asked.by, name: agent.name, agent });
      return agent;
    });

  return {
    find,

    draft: async (body) => {
      const settings = await settingsIn(body);
      await check(settings);
      const now = new Date().toISOString();
      const [source, revision] = ["api" as const, 1];
      return { ...settings, id: randomUUID(), source, revision, created_at: now, updated_at: now };
    },

    create: async (body, by) => {
      const settings = await settingsIn(body);
      await check(settings);
      const agent = await store.create(settings, "api", by);
      if (agent === undefined)
        throw new RegistryProblem("name_taken", "Change that agent with PATCH, or choose another name.");
      onChanged?.({ ...by, name: agent.name, agent });
      return agent;
    },

    patch: (asked, patch) =>
      change(asked, async (known) => {
        const before = settingsOf(known);
        const settings = await settingsIn(mergePatch(before, patch));
        if (isDeepStrictEqual(settings, before)) return undefined;
        // Disabling an agent, or ending its canary, works even if its address is no longer allowed.
        const { canary: _canary, ...stable } = before;
        const less = [{ ...before, enabled: false }, stable, { ...stable, enabled: false }];
        if (!less.some((kept) => isDeepStrictEqual(settings, kept))) await check(settings);
        if (settings.name !== before.name)
          throw invalid([{ pointer: "/name", message: "can't be changed: create an agent with the new name" }]);
        await passGate(gate, { from: known, to: settings, signal: asked.signal });
        return { settings, source: "api" };
      }),

    rollBack: (asked) => change(asked, async (known) => rollBackOf(known)),

    promote: (asked) =>
      change(asked, async (known) => {
        const way = canaryWay(known);
        if (way === undefined) throw new RegistryProblem("no_canary", "Start one with PATCH and the member `canary`.");
        const { canary: _canary, ...settings } = { ...settingsOf(known), ...way };
        await check(settings);
        await requireCompliance(gate, { from: known, way, pointer: "/canary/protocol", signal: asked.signal });
        return { settings, source: known.source, action: "canary_promoted" };
      }),

    remove: async (asked) => {
      const { name, by } = asked;
      const agent = await stored(name);
      if (agent !== undefined && !isReadable(agent)) await store.remove(agent, by);
      else await untilStored(asked, async (known) => (await store.remove(known, by)) || undefined);
      onChanged?.({ ...by, name, agent: undefined });
    },
  };
}

/** Returns an agent as it was before its last move. Throws a `RegistryProblem` when nothing is kept. */
function rollBackOf(agent: AgentRecord): AgentUpdate {
  const { previous } = agent;
  if (previous === undefined)
    throw new RegistryProblem("nothing_to_restore", "The agent has not been moved since it was added or rolled back.");
  return restored(agent, previous);
}

/** Returns an agent with its former protocol and URL, and without a canary. */
export function restored(agent: AgentRecord, previous: AgentPrevious): AgentUpdate {
  const { canary: _canary, ...settings } = { ...settingsOf(agent), ...wayOf(previous) };
  return { settings, source: agent.source, action: "rolled_back", previous: null };
}

export function invalid(problems: readonly ParamProblem[]): RegistryProblem {
  return new RegistryProblem("invalid_agent", "Correct what `problems` names.", { problems });
}
