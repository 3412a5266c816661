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
  type AgentStore,
  type CachedAgentRegistry,
  type SecretSource,
} from "@crosszone/agent-bridge";
import { createRecordCodec, type Emit, type Environment, type Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";
import { openAgentsFile } from "./agents-file.ts";

/** How the zone reaches agents over HTTP. */
export interface AgentAccess {
  readonly client: AgentClient;
  readonly adapters: Adapters;
  readonly checks: AgentChecks;
}

/** The agents that this zone calls over HTTP. */
export interface OpenAgents extends AgentAccess {
  readonly registry: CachedAgentRegistry;
  readonly store: AgentStore;
  /** Whether an agent of this name was found. Only such names may be metric labels. */
  readonly isKnown: (name: string) => boolean;
  /** Stops following AGENTS_FILE and closes the connections to agents. */
  readonly close: () => Promise<void>;
}

export interface AgentRegistryOptions {
  readonly config: ExecutionConfig;
  readonly database: ExecutionDatabase;
  readonly vault?: Vault | undefined;
  readonly emit: Emit<ExecutionEvent>;
  readonly access: AgentAccess;
  /** Receives the names of the agents that are found. */
  readonly names?: Set<string>;
}

/**
 * Opens the registry with the agents of AGENTS_FILE. Rejects with a `FileProblemsError` that names each mistake by
 * line, unless the file is followed.
 */
export async function openAgentRegistry(options: AgentRegistryOptions): Promise<OpenAgents> {
  const { config, database, vault, emit, access, names = new Set() } = options;
  const { client, checks } = access;
  const store = createAgentStore(database, createRecordCodec(vault));
  const cached = createAgentRegistry({
    store,
    onUnreadable: ({ name, reason }) => emit("agent_not_usable", { agent_name: name, because: reason }),
  });
  const { AGENTS_FILE: paths = [] } = config;
  const closeFile = await openAgentsFile(paths, { store, client, checks, emit, onApplied: cached.invalidate });
  const find: CachedAgentRegistry["find"] = async (name) => {
    const agent = await cached.find(name);
    if (agent !== undefined) names.add(agent.name);
    return agent;
  };
  const close = async (): Promise<void> => {
    await closeFile();
    await client.close();
  };
  return { ...access, store, registry: { ...cached, find }, isKnown: (name) => names.has(name), close };
}

/** Creates what the variables configure for calling agents. `environment` contains their secrets. */
export function openAgentAccess(
  config: ExecutionConfig,
  environment: Environment,
): AgentAccess & { readonly secrets: SecretSource } {
  const adapters = createAdapters();
  const rules = createAddressRules({ origins: config.AGENT_ORIGINS });
  const secrets = createSecretSource({ environment, dir: config.AGENT_SECRETS_DIR });
  const secretRules = createSecretRules({ bindings: config.AGENT_SECRETS_ORIGINS });
  const client = createAgentClient({ rules, secrets, secretRules, maxBytes: config.MAX_AGENT_RESPONSE });
  const checks = { protocol: adapters.adapterOf, url: rules.check, secrets: secretRules.check };
  return { client, adapters, secrets, checks };
}
