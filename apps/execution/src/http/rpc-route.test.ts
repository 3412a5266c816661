import { gzipSync } from "node:zlib";
import { isJsonRpcResponse } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { echo, startZone, task, token } from "../testing/start-zone.ts";

const request = (members: object): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "execute_task", params: task(), id: "1", ...members });

describe("Z2, Z3: every body gets a JSON-RPC answer", () => {
  const bodies: [name: string, body: string | Uint8Array, code: number][] = [
    ["empty", "", -32700],
    ["not JSON", "{hello", -32700],
    ["HTML", "<html></html>", -32700],
    ["broken UTF-8", Uint8Array.from([0x22, 0xff, 0x22]), -32700],
    ["a number", "1", -32600],
    ["null", "null", -32600],
    ["an empty batch", "[]", -32600],
    ["[null]", "[null]", -32600],
    ["[[]]", "[[]]", -32600],
    ["a batch of one good request", `[${request({})}]`, -32600],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32600],
    ["another version", '{"jsonrpc":"1.0","method":"list_agents","id":1}', -32600],
    ["params as a string", '{"jsonrpc":"2.0","method":"list_agents","params":"x","id":1}', -32600],
    ["id as an object", '{"jsonrpc":"2.0","method":"list_agents","id":{}}', -32600],
    ["nested far too deep", "[".repeat(5_000), -32700],
  ];

  test.each(bodies)("%s", async (_name, body, code) => {
    const zone = await startZone([echo]);
    const response = await zone.post(body);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const answer: unknown = await response.json();
    expect(isJsonRpcResponse(answer)).toBe(true);
    expect(answer).toMatchObject({ error: { code, data: { correlation_id: expect.any(String) } }, id: null });
  });

  test.each([7, "seven", null, 1.5, ""])("the id comes back with type and value: %j", async (id) => {
    const zone = await startZone([echo]);
    expect(await zone.call("list_agents", {}, id)).toMatchObject({ id });
  });

  test.each(["no_such_method", "toString", "__proto__", "constructor", "rpc.discover"])(
    "unknown method %s",
    async (method) => {
      const zone = await startZone([echo]);
      expect(await zone.call(method, {})).toMatchObject({
        error: { code: -32601, data: { kind: "method_not_found" } },
      });
    },
  );
});

test.each(["channel", "text", "bot_token"])(
  "Z4: params without %s, or with a number there, are named by pointer",
  async (member) => {
    const zone = await startZone([echo]);
    for (const value of [undefined, 5])
      expect(await zone.call("execute_task", task({ [member]: value }))).toMatchObject({
        error: { code: -32602, data: { kind: "invalid_params", problems: [{ pointer: `/${member}` }] } },
      });
  },
);

describe("what HTTP refuses carries a JSON-RPC error too", () => {
  test.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["another charset", { "content-type": "application/json; charset=latin1" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
  ])("415 for %s", async (_name, headers) => {
    const zone = await startZone([echo]);
    const response = await zone.post(request({}), headers);
    expect(response.status).toBe(415);
    const problems = [{ message: "send application/json in UTF-8, not compressed" }];
    expect(await response.json()).toMatchObject({ error: { code: -32600, data: { problems } }, id: null });
  });

  test("415 for a compressed body: nothing is unpacked, so nothing can explode", async () => {
    const zone = await startZone([echo]);
    const response = await zone.post(gzipSync("0".repeat(1_000_000)), { "content-encoding": "gzip" });
    expect(response.status).toBe(415);
  });

  test("S19: 413 for a body over the limit, told or not, and the connection is not kept for its rest", async () => {
    const zone = await startZone([echo]);
    const big = "x".repeat(20_000);
    const streamed = new Blob([big]).stream();
    for (const body of [big, streamed]) {
      const response = await fetch(`${zone.url}/rpc`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
        duplex: "half",
      });
      expect(response.status).toBe(413);
      expect(response.headers.get("connection")).toBe("close");
      expect(await response.json()).toMatchObject({ error: { code: -32015, data: { kind: "payload_too_large" } } });
      expect(await zone.call("list_agents", {})).toHaveProperty("result");
    }
  });

  test("405 for another verb, 404 for another path or a broken one; never HTML", async () => {
    const zone = await startZone([echo]);
    for (const [path, status] of [
      ["/rpc", 405],
      ["/nowhere", 404],
      ["/%ZZ", 404],
    ] as const) {
      const response = await fetch(zone.url + path);
      expect([path, response.status]).toEqual([path, status]);
      expect(isJsonRpcResponse(await response.json())).toBe(true);
    }
  });
});

describe("bearer tokens between the zones", () => {
  test("401 without, with a wrong one, or in another scheme", async () => {
    const zone = await startZone([echo], { tokens: [token] });
    for (const authorization of ["", "Bearer wrong", `Basic ${token}`, `Bearer ${token}x`, `Bearer  ${token}`]) {
      const response = await zone.post(request({}), { authorization });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await response.json()).toMatchObject({ error: { data: { kind: "unauthorized" } }, id: null });
    }
    expect(JSON.stringify(zone.log)).not.toContain(token);
  });

  test("while a token is replaced, the old and the new one are good", async () => {
    const zone = await startZone([echo], { tokens: [token, `${token}-next`] });
    for (const good of [token, `${token}-next`])
      expect((await zone.post(request({}), { authorization: `Bearer ${good}` })).status).toBe(200);
  });
});

test("/healthz, /readyz and /metrics answer without a token", async () => {
  const zone = await startZone([echo], { tokens: [token] });
  expect(await (await fetch(`${zone.url}/healthz`)).json()).toEqual({ status: "ok" });
  expect(await (await fetch(`${zone.url}/readyz`)).json()).toMatchObject({ ready: true });
  await zone.call("execute_task", task());
  const metrics = await (await fetch(`${zone.url}/metrics`)).text();
  expect(metrics).toMatch(/rpc_requests_total\{method="execute_task",outcome="success"\} 1/);
  expect(metrics).toMatch(/task_requests_total\{agent="echo",outcome="success"\} 1/);
});
