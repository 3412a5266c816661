import {
  isAgentName,
  isAgentSettings,
  problemsOf,
  type AgentRecord,
  type AgentSettings,
  type ParamProblem,
} from "@crosszone/contracts";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { settingsProblems, type AgentChecks } from "../agent-checks.ts";
import { isReadable } from "../agent-row.ts";
import { completeParts, fillSettings, settingsOf, type FullSettings } from "../agent-settings.ts";
import type { AgentStore, Author } from "../agent-store.ts";
import { checkIfMatch } from "./entity-tag.ts";
import { mergePatch } from "./merge-patch.ts";
import { RegistryProblem } from "./registry-problem.ts";

export interface AgentChangesDeps {
  readonly store: AgentStore;
  readonly checks: AgentChecks;
  /** The file that agents are declared in, as an admin knows it. Without one, agents of a file that was given up can be changed. */
  readonly agentsFile?: string | undefined;
  /** Told of each change that was stored: who did it, and what the agent is now; nothing when it was deleted. */
  readonly onChanged?: (change: AgentChange) => void;
}

/** A change of an agent that is durable, for who tells of it. */
export interface AgentChange extends Author {
  readonly name: string;
  readonly agent: AgentRecord | undefined;
}

/** A change of one agent that somebody asks for. */
export interface AskedChange {
  readonly name: string;
  readonly ifMatch: string | undefined;
  readonly by: Author;
}

/** What an admin may do to agents. Each throws a `RegistryProblem` that says what to do. */
export interface AgentChanges {
  readonly find: (name: string) => Promise<AgentRecord>;
  /** Returns the agent as it would be stored: checked, and with every default. */
  readonly draft: (body: unknown) => Promise<AgentRecord>;
  readonly create: (body: unknown, by: Author) => Promise<AgentRecord>;
  readonly patch: (asked: AskedChange, patch: unknown) => Promise<AgentRecord>;
  readonly remove: (asked: AskedChange) => Promise<void>;
}

/** Two admins may change the same agent at the same moment; more in a row than this do not. */
const mostAttempts = 5;

export function createAgentChanges({ store, checks, agentsFile, onChanged }: AgentChangesDeps): AgentChanges {
  const stored = async (name: string): Promise<Awaited<ReturnType<AgentStore["get"]>>> =>
    isAgentName(name) && name.isWellFormed() ? store.get(name) : undefined;

  async function find(name: string): Promise<AgentRecord> {
    const agent = await stored(name);
    if (agent === undefined) throw new RegistryProblem("agent_not_found", "List the agents to see their names.");
    if (isReadable(agent)) return agent;
    const message = `It was not written by this API: ${agent.reason}. Delete it and create it anew, or mend the row.`;
    throw new RegistryProblem("agent_unreadable", message);
  }

  function settingsIn(written: unknown): FullSettings {
    const body = completeParts(written);
    const problems = problemsOf(isAgentSettings, body);
    if (problems.length > 0) throw invalid(problems);
    return fillSettings(body as AgentSettings);
  }

  async function check(settings: FullSettings): Promise<void> {
    const problems = await settingsProblems(settings, "api", checks);
    if (problems.length > 0) throw invalid(problems);
  }

  function checkSource({ source }: AgentRecord): void {
    if (source === "file" && agentsFile !== undefined)
      throw new RegistryProblem("declared_in_file", `Change it in ${agentsFile} and restart.`);
  }

  /** Reads, decides and writes, again when somebody else was quicker; a condition that was asked for is then judged again too. */
  async function untilStored<Outcome>(
    { name, ifMatch }: AskedChange,
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

  return {
    find,

    draft: async (body) => {
      const settings = settingsIn(body);
      await check(settings);
      const now = new Date().toISOString();
      const [source, revision] = ["api" as const, 1];
      return { ...settings, id: randomUUID(), source, revision, created_at: now, updated_at: now };
    },

    create: async (body, by) => {
      const settings = settingsIn(body);
      await check(settings);
      const agent = await store.create(settings, "api", by);
      if (agent === undefined)
        throw new RegistryProblem("name_taken", "Change that agent with PATCH, or choose another name.");
      onChanged?.({ ...by, name: agent.name, agent });
      return agent;
    },

    patch: (asked, patch) =>
      untilStored(asked, async (known) => {
        const before = settingsOf(known);
        const settings = settingsIn(mergePatch(before, patch));
        if (isDeepStrictEqual(settings, before)) return known;
        // What is only switched off may be at an address that is not allowed any more.
        if (!isDeepStrictEqual(settings, { ...before, enabled: false })) await check(settings);
        if (settings.name !== before.name)
          throw invalid([{ pointer: "/name", message: "cannot be changed: create an agent of the new name" }]);
        const agent = await store.update(known, { settings, source: "api" }, asked.by);
        if (agent !== undefined) onChanged?.({ ...asked.by, name: agent.name, agent });
        return agent;
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

export function invalid(problems: readonly ParamProblem[]): RegistryProblem {
  return new RegistryProblem("invalid_agent", "Correct what `problems` names.", { problems });
}
