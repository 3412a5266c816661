import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import {
  type AgentGate,
  type AgentStore,
  applyAgents,
  type CachedAgentRegistry,
  createAdapters,
  createAddressRules,
  createAgentClient,
  createAgentGate,
  createAgentRegistry,
  createAgentStore,
  createCardRules,
  createSecretRules,
  createSecretSource,
  keepingCards,
} from "@crosszone/agent-bridge";
import type { AgentRecord, AgentSettings, ConformanceReport } from "@crosszone/contracts";
import type { ConformanceOptions } from "@crosszone/conformance";
import { createRecordCodec, type Emit, type Environment } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ExecutionConfig } from "./config/variables.ts";
import { agentChecks } from "./config/sections.ts";
import type { RoleParts } from "./open-store.ts";

/** Loaded with the first check, which most processes never make. */
export const checkOnFirstUse = async (options: ConformanceOptions): Promise<ConformanceReport> =>
  (await import("@crosszone/conformance")).checkConformance(options);

/** Checks agents that a file has moved to another protocol. The file decides, so a failed check is only logged. Never rejects. */
export async function reportMovedAgents(
  names: readonly string[],
  deps: {
    readonly find: AgentStore["get"];
    readonly failedChecks: AgentGate["failedChecks"];
    readonly emit: Emit<ExecutionEvent>;
    /** Ends the checks. */
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { find, failedChecks, emit, signal } = deps;
  for (const name of names) {
    try {
      const agent = await find(name);
      if (agent === undefined || !("id" in agent) || agent.protocol === "auto") continue;
      const failed = await failedChecks(agent, signal);
      const ids = failed.map(({ id }) => id);
      const because = `fails checks of ${agent.protocol}: ${ids.join(", ")}`;
      if (ids.length > 0) emit("agent_not_compliant", { agent_name: name, because });
    } catch (cause) {
      if (signal.aborted) return;
      emit("agent_not_compliant", { agent_name: name, because: "it could not be checked", cause });
    }
  }
}

/** How long the start and a registration wait for a card, milliseconds. */
const cardMs = 5_000;

/** The agents that this zone calls over HTTP. */
export type OpenAgents = Awaited<ReturnType<typeof openAgentRegistry>>;

/** Opens the registry, and applies the sections `card_keys` and `agents` of the settings to it, again after each edit. */
export async function openAgentRegistry(parts: RoleParts) {
  const { config, environment, database, vault, emit, settings, agentNames: names = new Set() } = parts;
  const access = openAgentAccess(config, environment);
  const { agentClient = access.client } = parts;
  const store = createAgentStore(database, createRecordCodec(vault));
  const registry = createAgentRegistry({
    store,
    onUnreadable: ({ name, reason }) => emit("agent_not_usable", { agent_name: name, because: reason }),
  });
  const client = keepingCards(agentClient, async (agent, words) => {
    await store
      .keepCard(agent, words)
      .catch((cause: unknown) => emit("agent_store_failed", { operation: "card", cause }));
    registry.invalidate();
  });
  const { failedChecks } = createAgentGate(client, checkOnFirstUse);
  const closing = new AbortController();
  const { signal } = closing;
  const readCards = async (agents?: readonly AgentRecord[]): Promise<void> => {
    for (const agent of agents ?? (await registry.listEnabled().catch(() => [])))
      if (agent.enabled && agent.card === undefined && !signal.aborted)
        await client.fetchCard({ agent, timeoutMs: cardMs, signal }).catch(() => undefined);
  };
  const actor = `file:${config.EXECUTION_FILE?.map((path) => basename(path)).join(",")}`;
  let isDeclared = false;
  const apply = async (agents: readonly AgentSettings[] | undefined) => {
    // Without the section, the agents of other processes' settings stay.
    if (agents === undefined && !isDeclared) return undefined;
    const applied = await applyAgents(store, agents ?? [], { actor, correlationId: randomUUID() });
    registry.invalidate();
    void reportMovedAgents(applied.moved, { find: (name) => store.get(name), failedChecks, emit, signal });
    if (isDeclared) void readCards();
    isDeclared = true;
    return { ...applied, kept: applied.kept.length };
  };
  await settings.follow("card_keys", access.cardRules.trust);
  await settings.follow("agents", apply);
  const find: CachedAgentRegistry["find"] = async (name) => {
    const agent = await registry.find(name);
    if (agent !== undefined) names.add(agent.name);
    return agent;
  };
  return {
    ...access,
    client,
    store,
    registry: { ...registry, find },
    /** Reads the cards of agents, by default all, that were not read yet, so that people see what they do before they ask. Never rejects. */
    readCards,
    /** Whether an agent of this name was found. Only such names may be metric labels. */
    isKnown: (name: string) => names.has(name),
    /** Closes the connections to agents. */
    close: async () => {
      closing.abort();
      await client.close();
    },
  };
}

/** Creates what the variables configure for calling agents over HTTP. */
export function openAgentAccess(config: ExecutionConfig, environment: Environment) {
  const rules = createAddressRules({ origins: config.AGENT_ORIGINS });
  const secrets = createSecretSource({ environment, dir: config.AGENT_SECRETS_DIR });
  const secretRules = createSecretRules({ bindings: config.AGENT_SECRETS_ORIGINS });
  const cardRules = createCardRules(config.AGENT_CARD_SIGNATURES);
  const client = createAgentClient({ rules, secrets, secretRules, cardRules, maxBytes: config.MAX_AGENT_RESPONSE });
  return { client, adapters: createAdapters(), secrets, checks: agentChecks(config), cardRules };
}
