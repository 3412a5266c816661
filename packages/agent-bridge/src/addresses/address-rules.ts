import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { addressKind, type AddressKind } from "./address-kind.ts";

/** Why a URL is allowed, which decides the addresses its host may resolve to. */
export type AddressScope = "internet" | "listed_host" | "listed_domain";

/** Decides where agents may be: checks a URL before use, and each address that its host resolves to. */
export interface AddressRules {
  /**
   * Checks a URL without resolving its host. Checks an IP address in it here, because connecting to it needs no lookup.
   * Throws an `AgentFailure` `address_refused` whose message says what to do.
   */
  readonly check: (url: string) => { readonly url: URL; readonly scope: AddressScope };
  /**
   * Returns the addresses of a host that may be connected to. Throws an `AgentFailure` `address_refused` when none may.
   */
  readonly pick: (scope: AddressScope, hostname: string, addresses: readonly LookupAddress[]) => LookupAddress[];
}

const kindsOf: Readonly<Record<AddressScope, readonly AddressKind[]>> = {
  internet: ["public"],
  listed_host: ["public", "private", "loopback"],
  listed_domain: ["public", "private"],
};

/**
 * Decides which agents may be called, so that registering an agent can't reach what only this machine can (server-side
 * request forgery). With a list of origins: only those, including private networks. Without one: HTTPS to public
 * addresses. Link-local addresses and metadata services are refused under any name; only an entry with that exact IP
 * address allows them. Throws a `TypeError` for an invalid entry.
 * https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createAddressRules({ origins }: { readonly origins: readonly string[] }): AddressRules {
  const patterns = origins.map(parseOriginPattern);

  const scopeOf = (url: URL): AddressScope => {
    if (patterns.length === 0) {
      if (url.protocol === "https:") return "internet";
      throw refused(`${url.origin} is not HTTPS. Add this origin to AGENT_ORIGINS to allow it`);
    }
    const matching = patterns.filter((pattern) => matchesOrigin(pattern, url));
    if (matching.length === 0) throw refused(`${url.origin} is not in AGENT_ORIGINS. Add it to allow it`);
    if (matching.every(({ isInternet }) => isInternet)) return "internet";
    return matching.every(({ anyHost }) => anyHost) ? "listed_domain" : "listed_host";
  };

  const allows = (scope: AddressScope, address: string): boolean => kindsOf[scope].includes(addressKind(address));

  return {
    check: (text) => {
      const url = URL.parse(text);
      if (url === null) throw refused("it is not a URL. Write it as https://host/path");
      if (!/^https?:$/.test(url.protocol)) throw refused(`${url.protocol} is not supported. Use https:`);
      if (url.username !== "" || url.password !== "")
        throw refused("it contains a user or password. Configure `auth` instead");
      const scope = scopeOf(url);
      const host = url.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && scope !== "listed_host" && !allows(scope, host))
        throw refused(`${host} is not a public address. Add ${url.origin} to AGENT_ORIGINS to allow it`);
      return { url, scope };
    },
    pick: (scope, hostname, addresses) => {
      const picked = addresses.filter(({ address }) => allows(scope, address));
      if (picked.length > 0) return picked;
      const kind = addressKind(addresses[0]?.address ?? "");
      throw refused(`${hostname} resolves to a ${kind} address. ${advice(scope, kind)}`);
    },
  };
}

function advice(scope: AddressScope, kind: AddressKind): string {
  if (kind === "special") return "Agents at such an address are never called";
  const entry = scope === "internet" ? "its origin" : "this host itself, not only its domain,";
  return `Add ${entry} to AGENT_ORIGINS to allow it`;
}

const refused = (why: string): AgentFailure =>
  new AgentFailure("address_refused", `The agent's address is not allowed: ${why}.`);

/** Addresses of agents that the operator allows. */
export interface OriginPattern {
  readonly protocol: string;
  readonly hostname: string;
  /** True: every host below `hostname`, but not `hostname` itself. */
  readonly anyHost: boolean;
  /** Empty for the protocol's default port, `*` for any port. */
  readonly port: string;
  /** Any host at a public address is allowed, over HTTPS; `hostname` is empty. */
  readonly isInternet: boolean;
}

const form = /^(?:(https?):\/\/)?(\*\.)?([^/?#@*\s]+?)(:\*)?$/i;

const internet: OriginPattern = { protocol: "https:", hostname: "", anyHost: true, port: "*", isInternet: true };

/**
 * Parses one entry of the list of allowed origins: `https://agents.example.com`, `http://127.0.0.1:8090`, `http://localhost:*` for any port,
 * `*.example.com` or `http://*.agents.svc.cluster.local:8080` for all hosts below a domain, `https://*` for any public address. The scheme
 * defaults to HTTPS. Throws a `TypeError` that says what is wrong with the entry.
 */
export function parseOriginPattern(entry: string): OriginPattern {
  if (entry === "https://*") return internet;
  const [, scheme = "https", star, rest, anyPort] = form.exec(entry.replace(/\/$/, "")) ?? [];
  const url = rest === undefined ? null : URL.parse(`${scheme}://${rest}`);
  if (url === null || url.hostname === "")
    throw new TypeError(
      `"${entry}" is not an origin such as https://agents.example.com, nor a domain such as *.example.com`,
    );
  const anyHost = star !== undefined;
  if (anyHost && !/^[^.:\]]+\..*[a-z]/i.test(url.hostname))
    throw new TypeError(`"${entry}" allows too much: use a domain of at least two parts after the *`);
  if (anyPort !== undefined && /:\d+$/.test(rest ?? ""))
    throw new TypeError(`"${entry}" is not an origin such as http://localhost:*: it has two ports`);
  return { protocol: url.protocol, hostname: url.hostname, anyHost, port: anyPort ? "*" : url.port, isInternet: false };
}

export function matchesOrigin({ protocol, hostname, anyHost, port, isInternet }: OriginPattern, url: URL): boolean {
  if (url.protocol !== protocol || (port !== "*" && url.port !== port)) return false;
  if (isInternet) return true;
  return anyHost ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname;
}
