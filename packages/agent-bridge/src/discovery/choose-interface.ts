import { type CardFacts, type CardInterface, spokenInterfaces } from "@crosszone/a2a";
import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";

type RegisteredAt = Pick<AgentRecord, "name" | "url">;

/** The registry's names of the versions of A2A. */
export const protocols = { "1.0": "a2a-1.0", "0.3": "jsonrpc-2.0" } as const;

/** How to call an agent, by its card. */
interface ChosenInterface {
  readonly protocol: (typeof protocols)[keyof typeof protocols];
  readonly url: string;
  readonly tenant?: string | undefined;
}

/**
 * Chooses the interface to call, the first of `spokenInterfaces`. Throws an `AgentFailure` whose message says what to do: `protocol_unsupported`
 * when the card offers none, `address_refused` when its URL cannot be used.
 */
export function chooseInterface(card: CardFacts, agent: RegisteredAt): ChosenInterface {
  const [found] = spokenInterfaces(card);
  if (found === undefined) throw noInterface(agent, card.interfaces);
  return { protocol: protocols[found.version], url: urlOf(found, agent), tenant: found.tenant };
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
export function urlOf({ url }: Pick<CardInterface, "url">, agent: RegisteredAt): string {
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
