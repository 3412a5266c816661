import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * Where an IP address leads: to the internet, to a private network, to this machine, or to a `special` destination
 * where no agent can be: link-local addresses, cloud metadata services, multicast, and reserved ranges.
 */
export type AddressKind = "public" | "private" | "loopback" | "special";

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
