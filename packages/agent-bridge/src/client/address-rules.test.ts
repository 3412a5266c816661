import { expect, test } from "vitest";
import { addressKind, createAddressRules } from "./address-rules.ts";
import type { AgentFailure } from "../protocol/protocol-adapter.ts";

/** The message of the `address_refused` that a URL causes, if any. */
function refusal(origins: readonly string[], url: string): string | undefined {
  try {
    createAddressRules({ origins }).check(url);
    return undefined;
  } catch (error) {
    const { kind, retryable, message } = error as AgentFailure;
    return kind === "address_refused" && !retryable ? message : `unexpected: ${message}`;
  }
}

test("without a list, only HTTPS to public addresses is allowed", () => {
  expect(refusal([], "https://agents.example.com/a2a")).toBeUndefined();
  expect(refusal([], "https://8.8.8.8/")).toBeUndefined();
  expect(refusal([], "http://agents.example.com/")).toBe(
    "The agent's address is not allowed: http://agents.example.com is not HTTPS. Add this origin to AGENT_ORIGINS to allow it.",
  );
});

test.each([
  "https://127.0.0.1/",
  "https://[::1]:8443/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://017700000001/",
  "https://10.0.0.8/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[::ffff:169.254.169.254]/",
  "https://[fd00:ec2::254]/",
  "https://0.0.0.0/",
  "https://[64:ff9b::7f00:1]/",
  "https://100.64.1.1/",
])("without a list, %s is refused in every notation", (url) => {
  expect(refusal([], url)).toMatch(/is not a public address\. Add https:\/\/\S+ to AGENT_ORIGINS to allow it\.$/);
});

test.each(["file:///etc/passwd", "ftp://h/", "gopher://h/", "data:,x", "javascript:1", "unix:/x", "ws://h/"])(
  "%s cannot lead to an agent",
  (url) => {
    expect(refusal(["https://h"], url)).toMatch(/is not supported\. Use https:\.$/);
  },
);

test("a URL with a user is refused, and the error repeats neither user nor password", () => {
  const message = refusal([], "https://admin:hunter2@agents.example.com/");
  expect(message).toMatch(/Configure `auth` instead/);
  expect(message).not.toMatch(/admin|hunter2/);
});

test("with a list, only exactly the listed scheme, host and port are allowed", () => {
  const origins = ["https://a.example.com", "http://127.0.0.1:8090", "http://[::1]:8090", "https://B.example.com:443/"];
  for (const url of [
    "https://a.example.com/x?y=1",
    "http://127.0.0.1:8090/",
    "http://[::1]:8090/",
    "https://b.example.com/",
  ])
    expect(refusal(origins, url)).toBeUndefined();
  for (const url of [
    "http://a.example.com/",
    "https://a.example.com:8443/",
    "https://a.example.com.evil.com/",
    "https://x.a.example.com/",

    "http://127.0.0.1/",
    "http://localhost:8090/",
    "https://127.0.0.1:8090/",
    "https://evil.com/?https://a.example.com",
  ])
    expect(refusal(origins, url)).toMatch(/is not in AGENT_ORIGINS\. Add it to allow it\.$/);
});

test("a wildcard allows the hosts below a domain, but not the domain itself or its look-alikes", () => {
  const origins = ["*.example.com", "http://*.agents.svc.cluster.local:8080"];
  for (const url of ["https://a.example.com/", "https://a.b.example.com/", "http://x.agents.svc.cluster.local:8080/"])
    expect(refusal(origins, url)).toBeUndefined();
  for (const url of [
    "https://example.com/",
    "https://evilexample.com/",
    "https://a.example.com.evil.com/",
    "http://a.example.com/",
    "https://a.example.com:8443/",
    "https://x.agents.svc.cluster.local:8080/",
  ])
    expect(refusal(origins, url)).toBeDefined();
});

test.each([
  "",
  "*",
  "*.com",
  "http://*",
  "http://localhost:80:*",
  "ftp://a.example.com",
  "https://a.example.com/path",
  "https://u@h",
  "*.127.0.0.1",
  "https://*.*.x.com",
  "a b",
])("the list entry %j is refused with an explanation", (entry) => {
  expect(() => createAddressRules({ origins: [entry] })).toThrow(/^"[^"]*" (is not an origin such as|allows too much)/);
});

test("a host can be listed with any port, and no other host is allowed with it", () => {
  const origins = ["http://127.0.0.1:*", "http://localhost:*"];
  for (const url of ["http://127.0.0.1/", "http://127.0.0.1:8090/a", "http://localhost:1/"])
    expect(refusal(origins, url)).toBeUndefined();
  for (const url of ["https://127.0.0.1:8090/", "http://127.0.0.2:8090/", "http://localhost.evil.com:8090/"])
    expect(refusal(origins, url)).toBeDefined();
});

test("https://* allows the default addresses in addition to other entries", () => {
  const origins = ["https://*", "http://127.0.0.1:*", "*.example.com"];
  const { check } = createAddressRules({ origins });
  expect(check("https://agents.example.net:8443/").scope).toBe("internet");
  expect(check("https://a.example.com/").scope).toBe("listed_domain");
  for (const url of ["http://agents.example.net/", "https://10.0.0.8/", "https://169.254.169.254/"])
    expect(refusal(origins, url)).toBeDefined();
});

test("a name may resolve to the addresses that its entry allows", () => {
  const { pick } = createAddressRules({ origins: [] });
  const of = (...addresses: string[]) =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const all = of("8.8.8.8", "10.0.0.1", "127.0.0.1", "169.254.169.254");
  const picked = (scope: Parameters<typeof pick>[0]) => pick(scope, "h", all).map(({ address }) => address);
  expect(picked("internet")).toEqual(["8.8.8.8"]);
  expect(picked("listed_domain")).toEqual(["8.8.8.8", "10.0.0.1"]);
  expect(picked("listed_host")).toEqual(["8.8.8.8", "10.0.0.1", "127.0.0.1"]);
  expect(() => pick("internet", "h", of("10.0.0.1"))).toThrow(
    "The agent's address is not allowed: h resolves to a private address. Add its origin to AGENT_ORIGINS to allow it.",
  );
  expect(() => pick("listed_domain", "h", of("::1"))).toThrow(/loopback address\. Add this host itself/);
  expect(() => pick("listed_host", "h", of("169.254.169.254"))).toThrow(
    /special address\. Agents at such an address are never called\.$/,
  );
  expect(() => pick("internet", "h", [])).toThrow(/special address/);
});

test("a host that is listed itself, as well as by its domain, follows its own entry", () => {
  const { check } = createAddressRules({ origins: ["*.example.com", "https://a.example.com"] });
  expect(check("https://a.example.com/").scope).toBe("listed_host");
  expect(check("https://b.example.com/").scope).toBe("listed_domain");
  expect(createAddressRules({ origins: [] }).check("https://a.example.com/").scope).toBe("internet");
});

test.each([
  ["public", ["1.1.1.1", "8.8.8.8", "52.94.236.248", "192.0.1.1", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"]],
  ["private", ["10.0.0.1", "100.64.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"]],
  ["special", ["0.0.0.0", "169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "224.0.0.1"]],
  [
    "special",
    ["255.255.255.255", "240.0.0.1", "198.18.0.1", "203.0.113.9", "::", "fe80::1", "fe80::1%eth0", "ff02::1"],
  ],
  ["special", ["fd00:ec2::254", "fd20:ce::254", "2001::1", "2001:db8::1", "2002:7f00:1::", "fec0::1", "100::1"]],
  ["special", ["", "localhost", "1.1.1", "::ffff:1.2.3.4%1", "64:ff9b:1::1", "::127.0.0.1"]],
])("an address of a %s range is recognized by its number: %j", (kind, addresses) => {
  expect(addresses.map((address) => `${address} ${addressKind(address)}`)).toEqual(
    addresses.map((address) => `${address} ${kind}`),
  );
});

test("an IPv4 address within an IPv6 address is the IPv4 address", () => {
  expect(addressKind("::ffff:127.0.0.1")).toBe("loopback");
  expect(addressKind("::ffff:a9fe:a9fe")).toBe("special");
  expect(addressKind("0:0:0:0:0:ffff:10.1.2.3")).toBe("private");
  expect(addressKind("::FFFF:0:1")).toBe("special");
  expect(addressKind("64:ff9b::169.254.169.254")).toBe("special");
  expect(addressKind("64:ff9b::7f00:1")).toBe("loopback");
  expect(addressKind("64:ff9b::8.8.8.8")).toBe("public");
});
