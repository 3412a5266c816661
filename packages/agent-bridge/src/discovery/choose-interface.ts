import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { CardFacts, CardInterface } from "./read-card.ts";

/** How to call an agent, chosen from its card. */
export interface ChosenInterface {
  readonly protocol: "a2a-1.0" | "jsonrpc-2.0";
  readonly url: string;
  readonly tenant?: string;
}

/**
 * Chooses the interface to call: JSON-RPC, A2A 1.0 before 0.3. Throws an `AgentFailure` whose message says what to do: `protocol_unsupported`
 * when the card offers no JSON-RPC in a version that Crosszone speaks, `address_refused` when its URL cannot be used.
 */
export function chooseInterface({ interfaces }: CardFacts, agent: Pick<AgentRecord, "name" | "url">): ChosenInterface {
  const spoken = interfaces.filter(({ binding }) => binding.toUpperCase() === "JSONRPC");
  const found = spoken.find(isVersion(/^1(\.|$)/)) ?? spoken.find(isVersion(/^0\./));
  if (found === undefined) throw noInterface(agent, interfaces);
  const { version, tenant } = found;
  return {
    protocol: version.startsWith("1") ? "a2a-1.0" : "jsonrpc-2.0",
    url: urlOf(found, agent),
    ...(tenant !== undefined && { tenant }),
  };
}

const isVersion =
  (pattern: RegExp) =>
  ({ version }: CardInterface): boolean =>
    pattern.test(version);

function noInterface({ name }: Pick<AgentRecord, "name" | "url">, interfaces: readonly CardInterface[]): AgentFailure {
  const offered = interfaces.map(({ binding, version }) => `${binding} ${version}`).join(", ");
  return new AgentFailure(
    "protocol_unsupported",
    `The card of the agent ${JSON.stringify(name)} offers ${offered.slice(0, 200)}, but Crosszone needs JSONRPC with A2A 1.0 or 0.3. Add such an interface to the agent.`,
  );
}

/**
 * Returns the card's URL in callable form. A card that names its own machine (`localhost`, `0.0.0.0`) means the
 * registered host. Any other origin is refused: the registry decides where tasks and credentials go, not the card.
 */
function urlOf({ url }: CardInterface, agent: Pick<AgentRecord, "name" | "url">): string {
  const registered = new URL(agent.url);
  const named = URL.parse(url, registered);
  if (named !== null && isOwnMachine(named.hostname)) {
    const isNeighbour = isOwnMachine(registered.hostname) && named.port !== registered.port;
    if (!isNeighbour) [named.protocol, named.host] = [registered.protocol, registered.host];
  }
  if (named?.origin === registered.origin) return named.href;
  const shown = JSON.stringify(url.slice(0, 200));
  throw new AgentFailure(
    "address_refused",
    `The card of the agent ${JSON.stringify(agent.name)} names the URL ${shown}, which is not on the registered ${registered.origin}. Correct the card's URL, or register the agent with that URL.`,
  );
}

const isOwnMachine = (hostname: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
