import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { SharedProblem } from "@crosszone/admin-api";
import {
  type AgentPrevious,
  type AgentRecord,
  type AgentSettings,
  isAgentSettings,
  type ParamProblem,
  problemsOf,
} from "@crosszone/contracts";
import { isObject } from "@crosszone/service-kit/json";
import { type AgentChecks, settingsProblems } from "../registry/agent-checks.ts";
import { completeParts, fillSettings, type FullSettings, settingsOf, wayOf } from "../registry/agent-settings.ts";
import type { AgentStore } from "../registry/agent-store.ts";
import type { AgentUpdate, Author } from "../registry/write-agent.ts";
import { type AgentGate, passGate } from "./agent-gate.ts";
import { RegistryProblem } from "./registry-problem.ts";
import { createStoredChanges, type RequestedChange, type StoredChangesDeps } from "./stored-changes.ts";

export interface AgentChangesDeps extends StoredChangesDeps {
  readonly store: AgentStore;
  readonly checks: AgentChecks;
  readonly gate: AgentGate;
}

/** The changes that an admin can make. Each throws a `RegistryProblem` that says what to do. */
export interface AgentChanges {
  readonly find: (name: string) => Promise<AgentRecord>;
  /** Returns the agent as it would be stored: checked, and with every default. */
  readonly draft: (body: unknown) => Promise<AgentRecord>;
  readonly create: (body: unknown, by: Author) => Promise<AgentRecord>;
  readonly patch: (request: RequestedChange, patch: unknown) => Promise<AgentRecord>;
  /** Restores the protocol and URL before. */
  readonly rollBack: (request: RequestedChange) => Promise<AgentRecord>;
  readonly remove: (request: RequestedChange) => Promise<void>;
}

/** Creates the changes of stored agents. */
export function createAgentChanges(deps: AgentChangesDeps): AgentChanges {
  const { store, gate, onChanged } = deps;
  const checked = createSettingsReader(deps);
  const { find, change, remove } = createStoredChanges(deps);

  return {
    find,

    draft: async (body) => {
      const settings = await checked.read(body);
      await checked.check(settings);
      const now = new Date().toISOString();
      const [source, revision] = ["api" as const, 1];
      return { ...settings, id: randomUUID(), source, revision, created_at: now, updated_at: now };
    },

    create: async (body, by) => {
      const settings = await checked.read(body);
      await checked.check(settings);
      const agent = await store.create(settings, "api", by);
      if (agent === undefined)
        throw new RegistryProblem("name_taken", "Change that agent with PATCH, or choose another name.");
      onChanged?.({ ...by, name: agent.name, agent });
      return agent;
    },

    patch: (request, patch) =>
      change(request, async (known) => {
        const before = settingsOf(known);
        const settings = await checked.read(mergePatch(before, patch));
        if (isDeepStrictEqual(settings, before)) return undefined;
        // Disabling an agent works even if its address is no longer allowed.
        if (!isDeepStrictEqual(settings, { ...before, enabled: false })) await checked.check(settings);
        if (settings.name !== before.name)
          throw invalid([{ pointer: "/name", message: "can't be changed: create an agent with the new name" }]);
        await passGate(gate, { from: known, to: settings, signal: request.signal });
        return { settings, source: "api" };
      }),

    rollBack: (request) => change(request, async (known) => rollBackOf(known)),

    remove,
  };
}

interface SettingsReader {
  /** Returns the settings of a body with every default. Throws a `RegistryProblem` when the body is not valid. */
  readonly read: (written: unknown) => Promise<FullSettings>;
  /** Throws a `RegistryProblem` when the settings have problems that a schema cannot express. */
  readonly check: (settings: FullSettings) => Promise<void>;
}

function createSettingsReader({ store, checks }: Pick<AgentChangesDeps, "store" | "checks">): SettingsReader {
  return {
    read: async (written) => {
      const body = completeParts(written);
      const problems = problemsOf(isAgentSettings, body);
      if (problems.length > 0) throw invalid(problems);
      return fillSettings(body as AgentSettings, await store.defaultProtocol());
    },
    check: async (settings) => {
      const problems = await settingsProblems(settings, "api", checks);
      if (problems.length > 0) throw invalid(problems);
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

/** Returns an agent with its former protocol and URL. */
export function restored(agent: AgentRecord, previous: AgentPrevious): AgentUpdate {
  const settings = { ...settingsOf(agent), ...wayOf(previous) };
  return { settings, source: agent.source, action: "rolled_back", previous: null };
}

export function invalid(problems: readonly ParamProblem[]): RegistryProblem {
  return new RegistryProblem("invalid_agent", "Correct what `problems` names.", { problems });
}

/** Settings are three levels deep; a patch with thousands would overflow the stack. */
const mostLevels = 16;

/**
 * Returns the result of a JSON merge patch. Does not change its target.
 * https://www.rfc-editor.org/rfc/rfc7396#section-2
 */
function mergePatch(target: unknown, patch: unknown, level = 0): unknown {
  if (!isObject(patch)) return patch;
  if (level > mostLevels) throw new SharedProblem("malformed_request", "The body is nested too deeply.");
  // A map, because assigning `__proto__` would not create a member. It is rejected later as unknown.
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value, level + 1));
  }
  return Object.fromEntries(merged);
}
