import {
  createAdapters,
  createAddressRules,
  createAgentClient,
  createAgentRegistry,
  createAgentStore,
  createCardRules,
  createSecretRules,
  createSecretSource,
  type AgentChecks,
  type AgentClient,
  type Adapters,
  type AgentStore,
  type CachedAgentRegistry,
  type CardRules,
  type SecretSource,
} from "@crosszone/agent-bridge";
import { createRecordCodec } from "@crosszone/service-kit";
import { openAgentsFile } from "./agents-file.ts";
import type { FileLoaded } from "./file-loaded.ts";
import type { RoleParts } from "./role-parts.ts";

/** How the zone reaches agents over HTTP. */
export interface AgentAccess {
  readonly client: AgentClient;
  readonly adapters: Adapters;
  readonly checks: AgentChecks;
  readonly cardRules: CardRules;
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

interface AgentRegistryOptions extends Pick<RoleParts, "config" | "database" | "vault" | "emit"> {
  readonly access: AgentAccess;
  readonly loaded: FileLoaded;
  /** Receives the names of the agents that are found. */
  readonly names?: Set<string>;
}

/**
 * Opens the registry with the agents of AGENTS_FILE. Rejects with a `FileProblemsError` that names each mistake by
 * line, unless the file is followed.
 */
export async function openAgentRegistry(options: AgentRegistryOptions): Promise<OpenAgents> {
  const { config, database, vault, emit, access, loaded, names = new Set() } = options;
  const { client, checks, cardRules } = access;
  const store = createAgentStore(database, createRecordCodec(vault));
  const cached = createAgentRegistry({
    store,
    onUnreadable: ({ name, reason }) => emit("agent_not_usable", { agent_name: name, because: reason }),
  });
  const { AGENTS_FILE: paths = [] } = config;
  const closeFile = await openAgentsFile(paths, {
    store,
    client,
    checks,
    cardRules,
    emit,
    loaded,
    onApplied: cached.invalidate,
  });
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

/** Creates what the variables configure for calling agents. */
export function openAgentAccess(
  config: RoleParts["config"],
  environment: RoleParts["environment"],
): AgentAccess & { readonly secrets: SecretSource } {
  const adapters = createAdapters();
  const rules = createAddressRules({ origins: config.AGENT_ORIGINS });
  const secrets = createSecretSource({ environment, dir: config.AGENT_SECRETS_DIR });
  const secretRules = createSecretRules({ bindings: config.AGENT_SECRETS_ORIGINS });
  const cardRules = createCardRules(config.AGENT_CARD_SIGNATURES);
  const client = createAgentClient({ rules, secrets, secretRules, cardRules, maxBytes: config.MAX_AGENT_RESPONSE });
  const checks = { protocol: adapters.adapterOf, url: rules.check, secrets: secretRules.check };
  return { client, adapters, secrets, checks, cardRules };
}
