import { request as httpRequest } from "node:http";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { close, createHttpServer, listen } from "./http-server.ts";
import { proxyAddress, type Sender, senderOf } from "./read-request.ts";

/** Sends a request with raw headers to a server that trusts the proxies. Returns who it says sent it. */
async function sentBy(proxies: readonly string[], headers: readonly string[], host = "127.0.0.1"): Promise<Sender> {
  const seen: Sender[] = [];
  const server = createHttpServer(
    (request, response) => {
      seen.push(senderOf(request));
      response.end();
    },
    { trustedProxies: proxies },
  );
  const { port } = await listen(server, { host: host === "::1" ? "::1" : "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  const sent = httpRequest({ host, port, headers: ["host", "zone", ...headers] }).end();
  const [response] = await once(sent, "response");
  response.resume();
  const [sender] = seen;
  if (sender === undefined) throw new Error("the request did not arrive");
  return sender;
}

const forwarded = (...hops: readonly string[]) => hops.flatMap((hop) => ["x-forwarded-for", hop]);

test.each([
  ["nobody is trusted", [], forwarded("203.0.113.7"), "127.0.0.1"],
  ["the peer is not trusted", ["10.0.0.0/8"], forwarded("203.0.113.7"), "127.0.0.1"],
  ["another header is forged", ["loopback"], ["forwarded", "for=203.0.113.7", "x-real-ip", "203.0.113.7"], "127.0.0.1"],
  ["the proxy names nobody", ["127.0.0.1"], [], "127.0.0.1"],
  ["the proxy names the sender", ["127.0.0.1"], forwarded("203.0.113.7"), "203.0.113.7"],
  ["the sender forges a hop", ["127.0.0.1"], forwarded("10.9.9.9, 203.0.113.7"), "203.0.113.7"],
  ["the sender forges a header", ["127.0.0.1"], forwarded("10.9.9.9", "203.0.113.7"), "203.0.113.7"],
  ["two proxies", ["127.0.0.0/8", "10.0.0.0/8"], forwarded("1.1.1.1, 203.0.113.7, 10.0.0.3"), "203.0.113.7"],
  ["only proxies", ["127.0.0.0/8", "10.0.0.0/8"], forwarded("10.0.0.9, 10.0.0.3"), "10.0.0.9"],
  ["no address", ["127.0.0.1"], forwarded("203.0.113.7, unknown"), "127.0.0.1"],
  ["markup", ["127.0.0.1"], forwarded("<b>1.2.3.4</b>"), "127.0.0.1"],
  ["a port", ["127.0.0.1"], forwarded("203.0.113.7:4711"), "203.0.113.7"],
  ["IPv6", ["127.0.0.1"], forwarded("2001:DB8:0::0001"), "2001:db8::1"],
  ["IPv6 with a port", ["127.0.0.1"], forwarded("[2001:db8::1]:443"), "2001:db8::1"],
  ["IPv4 in IPv6", ["127.0.0.1"], forwarded("::ffff:203.0.113.7"), "203.0.113.7"],
  ["IPv4 in IPv6 in hex", ["127.0.0.1"], forwarded("::FFFF:cb00:7107"), "203.0.113.7"],
] as const)("O3: the address of a sender, %s", async (...[, proxies, headers, address]) => {
  expect(await sentBy(proxies, headers)).toEqual({ address, client: "none" });
});

test("O3: the user agent is bounded, and shows what can't be seen", async () => {
  const clientOf = async (agent: string) => (await sentBy([], ["user-agent", agent])).client;
  expect(await clientOf("curl/8.7.1")).toBe("curl/8.7.1");
  expect(await clientOf(" \t ")).toBe("none");
  expect(await clientOf("a\tb\\x\u{ad}\u{e9}")).toBe("a\\x09b\\x5cx\\xad\\xe9");
  expect((await clientOf("x".repeat(9_000))).length).toBe(200);
});

test.each(["10.0.0.0/33", "example.com", "10.0.0.0/", "*", "0.0.0.0/0"])("O3: %s is no proxy", (text) => {
  expect(proxyAddress().safeParse(text).success).toBe(false);
});
