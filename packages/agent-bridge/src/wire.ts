/** The agent protocols without the bridge: cards, requests, and what responses mean. For tools that call an agent directly. */
export { createA2A10Adapter } from "./adapters/a2a-adapter.ts";
export { createAdapters } from "./adapters/adapters.ts";
export type { AgentReply, NormalizedResult, ProtocolAdapter, Reading } from "./protocol/protocol-adapter.ts";
export { AgentFailure } from "./protocol/agent-failure.ts";
export { chooseInterface, protocols, urlOf } from "./discovery/choose-interface.ts";
export { cardUrls, isCardLike, parseCard } from "./client/agent-card.ts";
