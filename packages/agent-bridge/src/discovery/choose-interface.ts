import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { CardFacts, CardInterface } from "../protocol/read-card.ts";

/** Where an agent is registered. */
type RegisteredAt = Pick<AgentRecord, "name" | "url">;

/** An interface that Crosszone speaks: JSON-RPC, A2A 1.0 or 0.3. */
interface SpokenInterface extends CardInterface {
  readonly protocol: "a2a-1.0" | "jsonrpc-2.0";
}

/** Returns the first interface of each version that Crosszone speaks, in the order in which it prefers them: A2A 1.0 before 0.3. */
export function spokenInterfaces({ interfaces }: CardFacts): readonly SpokenInterface[] {
  const jsonRpc = interfaces.filter(({ binding }) => binding.toUpperCase() === "JSONRPC");
  return versions.flatMap(({ protocol, pattern }) => {
    const found = jsonRpc.find(({ version }) => pattern.test(version));
    return found === undefined ? [] : [{ ...found, protocol }];
  });
}

const versions = [
  { protocol: "a2a-1.0", pattern: /^1(\.|$)/ },
  { protocol: "jsonrpc-2.0", pattern: /^0\./ },
] as const;

/**
 * Chooses the interface to call, the first of `spokenInterfaces`. Throws an `AgentFailure` whose message says what to do: `protocol_unsupported`
 * when the card offers none, `address_refused` when its URL cannot be used.
 */
export function chooseInterface(
  card: CardFacts,
  agent: RegisteredAt,
): Pick<SpokenInterface, "protocol" | "url" | "tenant"> {
  const [found] = spokenInterfaces(card);
  if (found === undefined) throw noInterface(agent, card.interfaces);
  const { protocol, tenant } = found;
  return { protocol, url: urlOf(found, agent), tenant };
}

function noInterface({ name }: RegisteredAt, interfaces: readonly CardInterface[]): AgentFailure {
  const offered = interfaces.map(({ binding, version }) => `${binding} ${version}`).join(", ");
  return new AgentFailure(
    "protocol_unsupported",
    `The card of the agent ${JSON.stringify(name)} offers ${offered.slice(0, 200)}, but Crosszone needs JSONRPC with A2A 1.0 or 0.3. Add such an interface to the agent.`,
  );
}

/**
 * Returns an interface's URL in callable form. A card that names its own machine (`localhost`, `0.0.0.0`) means the
 * registered host. Any other origin is refused: the registry decides where tasks and credentials go, not the card.
 */
export function urlOf({ url }: CardInterface, agent: RegisteredAt): string {
  const registered = new URL(agent.url);
  const named = URL.parse(url, registered);
  if (named !== null && isOwnMachine(named.hostname)) {
    const isNeighbor = isOwnMachine(registered.hostname) && named.port !== registered.port;
    if (!isNeighbor) [named.protocol, named.host] = [registered.protocol, registered.host];
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
