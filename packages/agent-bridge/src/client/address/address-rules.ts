import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { AgentFailure } from "../../agent-failure.ts";
import { addressKind, type AddressKind } from "./address-kind.ts";
import { matchesOrigin, parseOriginPattern } from "./origin-pattern.ts";

/** How a URL came to be allowed, which decides the addresses its name may stand for. */
export type Reach = "internet" | "listed_host" | "listed_domain";

/** Says where agents may be: of a URL before it is used, and of each address that a name stands for. */
export interface AddressRules {
  /**
   * Checks a URL by what it says; names are not looked up. Throws an `AgentFailure` `address_refused` whose message says what to do.
   * An IP address that stands in it is checked here, since a connection to it looks up nothing.
   */
  readonly check: (url: string) => { readonly url: URL; readonly reach: Reach };
  /** Those of a name's addresses that may be connected to. Throws an `AgentFailure` `address_refused` when there is none. */
  readonly pick: (reach: Reach, hostname: string, addresses: readonly LookupAddress[]) => LookupAddress[];
}

const kindsOf: Readonly<Record<Reach, readonly AddressKind[]>> = {
  internet: ["public"],
  listed_host: ["public", "private", "loopback"],
  listed_domain: ["public", "private"],
};

/**
 * Which agents may be called, so that nobody who can register one reaches what only this machine can (server-side request forgery).
 * With a list of origins: those, in private networks too. Without one: HTTPS to public addresses. Never, by whatever name, link-local
 * addresses and metadata services; the one way to those is an entry that is the very IP address. Throws a `TypeError` for an entry that
 * cannot be read. https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createAddressRules({ origins }: { readonly origins: readonly string[] }): AddressRules {
  const patterns = origins.map(parseOriginPattern);

  const reachOf = (url: URL): Reach => {
    if (patterns.length === 0) {
      if (url.protocol === "https:") return "internet";
      throw refused(`${url.origin} is not HTTPS. Add this origin to AGENT_ORIGINS if it is meant`);
    }
    const matching = patterns.filter((pattern) => matchesOrigin(pattern, url));
    if (matching.length === 0) throw refused(`${url.origin} is not in AGENT_ORIGINS. Add it there if it is meant`);
    if (matching.every(({ isInternet }) => isInternet)) return "internet";
    return matching.every(({ anyHost }) => anyHost) ? "listed_domain" : "listed_host";
  };

  const allows = (reach: Reach, address: string): boolean => kindsOf[reach].includes(addressKind(address));

  return {
    check: (text) => {
      const url = URL.parse(text);
      if (url === null) throw refused("it is no URL. Write it as https://host/path");
      if (!/^https?:$/.test(url.protocol)) throw refused(`${url.protocol} is not spoken. Use https:`);
      if (url.username !== "" || url.password !== "")
        throw refused("a user or a password stands in it. Configure `auth` instead");
      const reach = reachOf(url);
      const host = url.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && reach !== "listed_host" && !allows(reach, host))
        throw refused(`${host} is not a public address. Add ${url.origin} to AGENT_ORIGINS if it is meant`);
      return { url, reach };
    },
    pick: (reach, hostname, addresses) => {
      const picked = addresses.filter(({ address }) => allows(reach, address));
      if (picked.length > 0) return picked;
      const kind = addressKind(addresses[0]?.address ?? "");
      throw refused(`${hostname} stands for a ${kind} address. ${advice(reach, kind)}`);
    },
  };
}

function advice(reach: Reach, kind: AddressKind): string {
  if (kind === "special") return "No agent is called there";
  const entry = reach === "internet" ? "its origin" : "this very host, and not only its domain,";
  return `Add ${entry} to AGENT_ORIGINS if it is meant`;
}

const refused = (why: string): AgentFailure =>
  new AgentFailure("address_refused", `The agent's address is not allowed: ${why}.`);
