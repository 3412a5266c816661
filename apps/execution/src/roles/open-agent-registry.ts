import {
  createAdapters,
  createAddressRules,
  createAgentClient,
  createAgentRegistry,
  createAgentStore,
  createSecretRules,
  createSecretSource,
  type AgentChecks,
  type AgentClient,
  type Adapters,
  type AgentRegistry,
  type AgentStore,
  type CachedAgentRegistry,
} from "@crosszone/agent-bridge";
import type { ExecutionConfig } from "../config/config.ts";
import { openAgentsFile } from "./agents-file.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The agents that this zone calls over HTTP, and how it reaches them. */
export interface OpenAgents {
  readonly registry: CachedAgentRegistry;
  readonly store: AgentStore;
  readonly checks: AgentChecks;
  readonly adapters: Adapters;
  readonly client: AgentClient;
  /** Whether an agent of this name was found. Only such names may be metric labels. */
  readonly isKnown: (name: string) => boolean;
  /** Stops following AGENTS_FILE and closes the connections to agents. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the registry with the agents of AGENTS_FILE. Rejects with a `FileProblemsError` that names each mistake by
 * line, unless the file is followed.
 */
export async function openAgentRegistry(
  { config, database, logger, agentClient }: Pick<ZoneBasis, "config" | "database" | "logger" | "agentClient">,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenAgents> {
  const { checks, adapters, ...way } = await openAgentAccess(config, environment);
  const client = agentClient ?? way.client;
  const store = createAgentStore(database);
  const registry = createAgentRegistry({
    store,
    onUnreadable: ({ name, reason }) => logger.error("agent_not_usable", { agent_name: name, because: reason }),
  });
  const closeFile = await openAgentsFile(config, { store, client, checks, logger, onApplied: registry.invalidate });
  const close = async (): Promise<void> => {
    await closeFile();
    await client.close();
  };
  return { store, checks, adapters, client, close, ...rememberNames(registry) };
}

/** Creates what the variables configure for calling agents: client, checks and adapters. */
export async function openAgentAccess(
  config: ExecutionConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<
  Pick<OpenAgents, "client" | "checks" | "adapters"> & { readonly secrets: ReturnType<typeof createSecretSource> }
> {
  const adapters = createAdapters();
  const rules = createAddressRules({ origins: config.AGENT_ORIGINS });
  const secrets = createSecretSource({ environment, dir: config.AGENT_SECRETS_DIR });
  const secretRules = createSecretRules({ bindings: config.AGENT_SECRETS_ORIGINS });
  const { MAX_AGENT_RESPONSE: maxBytes } = config;
  const client = createAgentClient({ rules, secrets, secretRules, maxBytes });
  const checks = { protocol: adapters.adapterOf, url: rules.check, secrets: secretRules.check };
  return { client, adapters, secrets, checks };
}

function rememberNames(registry: CachedAgentRegistry): Pick<OpenAgents, "registry" | "isKnown"> {
  const names = new Set<string>();
  const find: AgentRegistry["find"] = async (name) => {
    const agent = await registry.find(name);
    if (agent !== undefined) names.add(agent.name);
    return agent;
  };
  return { registry: { ...registry, find }, isKnown: (name) => names.has(name) };
}
