import type { LookupAddress } from "node:dns";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { AgentFailure } from "../protocol/protocol-adapter.ts";

/**
 * Where an IP address leads: to the internet, to a private network, to this machine, or to a `special` destination
 * where no agent can be: link-local addresses, cloud metadata services, multicast, and reserved ranges.
 */
type AddressKind = "public" | "private" | "loopback" | "special";

type Ranges = Readonly<Record<Exclude<AddressKind, "public">, readonly string[]>>;

/** https://www.iana.org/assignments/iana-ipv4-special-registry. The first kind that contains an address applies. */
const ipv4: Ranges = {
  special: [
    "0.0.0.0/8",
    // Metadata: Alibaba Cloud, AWS and most others, Azure, Oracle Cloud.
    "100.100.100.200/32",
    "169.254.0.0/16",
    "168.63.129.16/32",
    "192.0.0.0/24",
    // Documentation, 6to4 relays, measurements.
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    // Multicast, reserved, broadcast.
    "224.0.0.0/4",
    "240.0.0.0/4",
  ],
  loopback: ["127.0.0.0/8"],
  private: ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16"],
};

/** https://www.iana.org/assignments/iana-ipv6-special-registry. Addresses neither here nor in 2000::/3 are special. */
const ipv6: Ranges = {
  special: [
    // Metadata: AWS, Google Cloud.
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
    // Teredo and neighboring ranges, documentation, 6to4: each may contain an IPv4 address.
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
  ],
  loopback: ["::1/128"],
  private: ["fc00::/7"],
};

const kinds = ["special", "loopback", "private"] as const;

function listsOf(ranges: Ranges, family: "ipv4" | "ipv6"): (readonly [AddressKind, BlockList])[] {
  return kinds.map((kind) => {
    const list = new BlockList();
    for (const range of ranges[kind]) {
      const [net = "", bits] = range.split("/");
      list.addSubnet(net, Number(bits), family);
    }
    return [kind, list] as const;
  });
}

const ipv4Lists = listsOf(ipv4, "ipv4");
const ipv6Lists = listsOf(ipv6, "ipv6");
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");

/** Returns the kind of an address in DNS notation, without brackets; `special` for other text. */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) return ipv4Lists.find(([, list]) => list.check(address, "ipv4"))?.[0] ?? "public";
  if (!isIPv6(address) || address.includes("%")) return "special";
  const embedded = embeddedIpv4(address);
  if (embedded !== undefined) return addressKind(embedded);
  const listed = ipv6Lists.find(([, list]) => list.check(address, "ipv6"))?.[0];
  return listed ?? (global.check(address, "ipv6") ? "public" : "special");
}

/**
 * Returns the IPv4 address inside a mapped (::ffff:0:0/96) or translated (64:ff9b::/96) IPv6 address.
 * https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2 https://www.rfc-editor.org/rfc/rfc6052#section-2.1
 */
function embeddedIpv4(address: string): string | undefined {
  // A URL normalizes the address. https://url.spec.whatwg.org/#concept-ipv6-serializer
  const { hostname } = new URL(`http://[${address}]`);
  const [, high = "", low] = /^\[(?:::ffff|64:ff9b:):(?:([\da-f]{1,4}):)?([\da-f]{1,4})\]$/.exec(hostname) ?? [];
  if (low === undefined) return undefined;
  const bits = Number.parseInt(high || "0", 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join(".");
}

/** Why a URL is allowed, which decides the addresses its host may resolve to. */
export type AddressScope = "internet" | "listed_host" | "listed_domain";

/** Decides where agents may be: checks a URL before use, and each address that its host resolves to. */
export type AddressRules = ReturnType<typeof createAddressRules>;

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
export function createAddressRules({ origins }: { readonly origins: readonly string[] }) {
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
    /**
     * Checks a URL without resolving its host. Checks an IP address in it here, because connecting to it needs no lookup.
     * Throws an `AgentFailure` `address_refused` whose message says what to do.
     */
    check: (text: string): { readonly url: URL; readonly scope: AddressScope } => {
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
    /** Returns the addresses of a host that may be connected to. Throws an `AgentFailure` `address_refused` when none may. */
    pick: (scope: AddressScope, hostname: string, addresses: readonly LookupAddress[]): LookupAddress[] => {
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
