/** The agent protocols without the bridge: cards, requests, and what responses mean. For tools that call an agent directly. */
export { createA2A10Adapter } from "./adapters/a2a-1.0-adapter.ts";
export { createAdapters } from "./adapters/adapters.ts";
export type { AgentReply, NormalizedResult, ProtocolAdapter, Reading } from "./protocol/protocol-adapter.ts";
export { AgentFailure } from "./protocol/agent-failure.ts";
export { chooseInterface, spokenInterfaces, urlOf } from "./discovery/choose-interface.ts";
export { readCard, type CardFacts } from "./protocol/read-card.ts";
export { cardUrls, isCardLike } from "./client/agent-card.ts";
export { parseCard } from "./client/agent-card.ts";
