/** What an agent's card and its protocols mean, without the bridge. For tools that call an agent directly. */
export { cardUrls, isCardLike, parseCard } from "../client/agent-card.ts";
export { protocols, urlOf } from "./discovery.ts";
export { AgentFailure } from "../protocol/protocol-adapter.ts";
