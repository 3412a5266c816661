/** The agent protocols without the bridge: cards, calls, and what responses mean. For tools that call an agent directly. */
export { createAdapters } from "../adapters/adapters.ts";
export { createAddressRules } from "../client/address-rules.ts";
export { createAgentCaller } from "./create-agent-caller.ts";
export { cardUrls, isCardLike, parseCard } from "../client/agent-card.ts";
export type { AgentClient } from "../client/agent-client.ts";
export { createAgentClient } from "../client/create-agent-client.ts";
export { protocols, urlOf, createDiscovery } from "./discovery.ts";
export type { BridgeEmit } from "../protocol/agent-events.ts";
export { CircuitBreakers } from "./agent-limits.ts";
export { AgentFailure, type Reading } from "../protocol/protocol-adapter.ts";
export { fillSettings, newRecord } from "../registry/agent-settings.ts";
export { createSecretSource } from "../client/secret-source.ts";
