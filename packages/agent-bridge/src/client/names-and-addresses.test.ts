import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { clientOf, requestTo } from "../testing/client-of.ts";
import { startServer } from "../testing/http-agents.ts";
import type { Resolve } from "./connections.ts";

/** Answers lookups with each list of addresses in turn, then with the last one forever; counts them. */
function dns(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _, found) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    const addresses: LookupAddress[] = answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(() => found(null, addresses));
  };
  return { asked, resolve };
}

test.each([
  [["127.0.0.1"]],
  [["::1", "10.0.0.1"]],
  [["169.254.169.254"]],
  [["::ffff:7f00:1"]],
  [["100.100.100.200", "192.168.0.1"]],
])("a public name that resolves to %j is not connected to", async (addresses) => {
  const reached: unknown[] = [];
  const port = await startServer((request) => reached.push(request));
  const { resolve, asked } = dns(addresses);
  const client = clientOf({ origins: [], resolve });
  const url = `https://rebind.example.com:${port}/`;
  await expect(client.post(requestTo(url))).rejects.toMatchObject({ kind: "address_refused", retryable: false });
  expect(asked).toEqual(["rebind.example.com"]);
  expect(reached).toEqual([]);
});

test("DNS rebinding fails: each connection checks its own DNS answer", async () => {
  let reached = 0;
  const port = await startServer((_, response) => {
    reached += 1;
    response.writeHead(200, { connection: "close" }).end("{}");
  });
  const { resolve, asked } = dns(["127.0.0.1"], ["169.254.169.254"]);
  const origin = `http://agent.example.com:${port}`;
  const client = clientOf({ origins: [origin], resolve });
  expect((await client.post(requestTo(origin))).status).toBe(200);
  await expect(client.post(requestTo(origin))).rejects.toMatchObject({
    kind: "address_refused",
    message:
      "The agent's address is not allowed: agent.example.com resolves to a special address. Agents at such an address are never called.",
  });
  expect([reached, asked.length]).toEqual([1, 2]);
});

test("of several addresses, only the allowed ones are used", async () => {
  const port = await startServer((request, response) => response.end(request.socket.remoteAddress));
  const { resolve } = dns(["169.254.169.254", "fe80::1", "127.0.0.1"]);
  const origin = `http://agent.example.com:${port}`;
  expect((await clientOf({ origins: [origin], resolve }).post(requestTo(origin))).status).toBe(200);
});

test("concurrent connections share one DNS lookup", async () => {
  const port = await startServer((_, response) => response.end("{}"));
  const { resolve, asked } = dns(["127.0.0.1"]);
  const origin = `http://agent.example.com:${port}`;
  const client = clientOf({ origins: [origin], resolve });
  await Promise.all(Array.from({ length: 20 }, () => client.post(requestTo(origin))));
  expect(asked).toHaveLength(1);
});

test("a name that DNS does not know, or finds too slowly, makes the agent unreachable", async () => {
  const unknown: Resolve = (hostname, _, found) =>
    found(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" }), []);
  const url = "https://nowhere.example.com/?key=hunter2";
  await expect(clientOf({ origins: [], resolve: unknown }).post(requestTo(url))).rejects.toMatchObject({
    kind: "unreachable",
    retryable: true,
    message: 'The agent "scout" at nowhere.example.com has no address in DNS (ENOTFOUND).',
  });
  const silent: Resolve = () => undefined;
  const slow = clientOf({ origins: [], resolve: silent, connectTimeoutMs: 100 });
  await expect(slow.post(requestTo(url))).rejects.toMatchObject({
    kind: "unreachable",
    message: `The agent "scout" at nowhere.example.com doesn't accept a connection in time (UND_ERR_CONNECT_TIMEOUT).`,
  });
});

test.each(["http://127.0.0.1:1/", "https://[::ffff:169.254.169.254]/", "file:///etc/passwd", "no url"])(
  "%s is refused before any request or DNS lookup",
  async (url) => {
    const { resolve, asked } = dns(["127.0.0.1"]);
    const client = clientOf({ origins: ["https://agents.example.com"], resolve });
    await expect(client.post(requestTo(url))).rejects.toMatchObject({ kind: "address_refused" });
    expect(asked).toEqual([]);
  },
);
