/** The agent protocols without the bridge: cards, requests, and what responses mean. For tools that call an agent directly. */
export { createA2A10Adapter } from "./adapters/a2a-1.0/a2a-1.0-adapter.ts";
export { createAdapters } from "./adapters/adapters.ts";
export type { NormalisedResult, ProtocolAdapter, Reading } from "./adapters/protocol-adapter.ts";
export { AgentFailure } from "./agent-failure.ts";
export type { AgentReply } from "./client/agent-client.ts";
export { cardUrls } from "./client/card-urls.ts";
export { chooseInterface } from "./discovery/choose-interface.ts";
export { parseCard, readCard, type CardFacts } from "./discovery/read-card.ts";
