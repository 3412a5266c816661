import { isProblem, type AgentAuditList, type Problem } from "@crosszone/contracts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { adminToken, startRegistry } from "../../testing/start-registry.ts";

const agent = { name: "ModernAgent", url: "http://modern:8001" };

describe("B24: nobody reads or writes the registry without a token", () => {
  const lines = ["GET /agents", "POST /agents", "GET /agents/a", "PATCH /agents/a", "DELETE /agents/a", "GET /nowhere"];
  const more = ["POST /agents/a/disable", "POST /agents/a/enable", "POST /agents/a/health", "GET /agents/a/audit"];

  test("401 without one, or with another; the sender learns which, and no token is shown or told", async () => {
    const { ask, refusals } = await startRegistry();
    for (const line of [...lines, ...more]) {
      for (const authorization of ["", `Basic ${adminToken}`, "Bearer "]) {
        const { status, headers, body } = await ask(line, undefined, { authorization });
        expect([line, status, headers.get("www-authenticate")]).toEqual([line, 401, "Bearer"]);
        expect(body).toMatchObject({ detail: "Send an admin's token as Authorization: Bearer." });
      }
      const { status, headers, body } = await ask(line, undefined, { authorization: `Bearer ${adminToken}x` });
      expect([line, status, headers.get("www-authenticate")]).toEqual([line, 401, 'Bearer error="invalid_token"']);
      expect(JSON.stringify(body)).not.toContain(adminToken);
    }
    expect(JSON.stringify(refusals)).not.toContain(adminToken);
    expect(refusals[0]).toMatchObject({ kind: "unauthorized", method: "GET", correlationId: expect.any(String) });
  });

  test("where no token is configured the API is off, its document too, and says how to switch it on", async () => {
    const { ask } = await startRegistry({ tokens: () => [] });
    for (const line of [...lines, ...more, "GET /openapi.json"]) {
      const { status, body } = await ask(line);
      expect([line, status]).toEqual([line, 404]);
      expect(body).toMatchObject({ detail: expect.stringContaining("Set AGENT_ADMIN_TOKENS") });
    }
  });

  test("tokens are asked for at each request, several are good at once, and each is known by a name of its own", async () => {
    let tokens = [adminToken];
    const { ask } = await startRegistry({ tokens: () => tokens });
    await ask("POST /agents", agent);
    const next = { authorization: "Bearer the-next-token-of-32-characters-and-more" };
    expect((await ask("GET /agents", undefined, next)).status).toBe(401);
    tokens = [adminToken, "the-next-token-of-32-characters-and-more"];
    await ask("POST /agents/ModernAgent/disable", undefined, next);
    const { body } = await ask("GET /agents/ModernAgent/audit");
    const actors = (body as unknown as AgentAuditList).entries.map(({ actor }) => actor);
    expect(new Set(actors).size).toBe(2);
    expect(JSON.stringify(body)).not.toMatch(/admin-token|the-next-token/);
  });
});

test("429 with the time to wait, for each token by itself", async () => {
  const other = "another-token-of-at-least-32-characters";
  const tokens = [adminToken, other];
  const { ask } = await startRegistry({ tokens: () => tokens, limit: { perMinute: 1, burst: 2 } });
  const statuses = [await ask("GET /agents"), await ask("GET /agents")].map(({ status }) => status);
  expect(statuses).toEqual([200, 200]);
  const { status, headers } = await ask("GET /agents");
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask("GET /agents", undefined, { authorization: `Bearer ${other}` })).status).toBe(200);
});

describe("what HTTP refuses is a problem of RFC 9457 too", () => {
  test("405 names what is served, 404 is for every other path, and a broken encoding is 400", async () => {
    const { ask } = await startRegistry();
    for (const [line, allow] of [
      ["PUT /agents", "GET, POST"],
      ["DELETE /agents", "GET, POST"],
      ["PUT /agents/a", "GET, PATCH, DELETE"],
      ["OPTIONS /agents/a", "GET, PATCH, DELETE"],
      ["GET /agents/a/health", "POST"],
      ["DELETE /agents/a/audit", "GET"],
      ["POST /openapi.json", "GET"],
    ]) {
      const { status, headers } = await ask(line as string);
      expect([line, status, headers.get("allow")]).toEqual([line, 405, allow]);
    }
    for (const line of ["GET /", "GET /agents/", "GET /Agents", "GET /agents/a/b", "POST /openapi.json/a"])
      expect([line, (await ask(line)).status]).toEqual([line, 404]);
    const broken = await ask("GET /agents/%ZZ");
    expect(broken).toMatchObject({ status: 400, body: { detail: expect.stringContaining("encodeURIComponent") } });
  });

  test.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["another charset", { "content-type": "application/json; charset=latin1" }],
    ["a compressed body", { "content-encoding": "gzip" }],
  ])("415 for %s", async (_name, headers) => {
    const { ask } = await startRegistry();
    const created = await ask("POST /agents", agent, headers);
    expect([created.status, created.headers.get("accept-post")]).toEqual([415, "application/json"]);
    await ask("POST /agents", agent);
    const patched = await ask("PATCH /agents/ModernAgent", { description: "x" }, headers);
    expect(patched.status).toBe(415);
    expect(patched.headers.get("accept-patch")).toBe("application/merge-patch+json, application/json");
  });

  test("S19: 413 for a body over the limit, told or not; the next request is answered", async () => {
    const { ask, url } = await startRegistry({ maxBytes: 1_000 });
    const big = JSON.stringify({ ...agent, description: "x".repeat(200_000) });
    expect((await ask("POST /agents", big)).status).toBe(413);
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const body = new Blob([big]).stream();
    const response = await fetch(`${url}/agents`, { method: "POST", headers, body, duplex: "half" });
    expect([response.status, response.headers.get("connection")]).toEqual([413, "close"]);
    expect(isProblem(await response.json())).toBe(true);
    expect((await ask("POST /agents", agent)).status).toBe(201);
  });

  test.each(["", "{", "null x", '{"name":', "\u0000"])("400 for what is not JSON: %j", async (body) => {
    const { ask } = await startRegistry();
    expect((await ask("POST /agents", body)).status).toBe(400);
  });

  test("400 for JSON that is not UTF-8: nothing is guessed", async () => {
    const { url, store } = await startRegistry();
    const body = Buffer.from(JSON.stringify({ ...agent, description: "Ä" }), "latin1");
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    expect((await fetch(`${url}/agents`, { method: "POST", headers, body })).status).toBe(400);
    expect(await store.all()).toEqual([]);
  });

  test("400 for a query that is not known, twice there, or out of range, each named", async () => {
    const { ask } = await startRegistry();
    const { status, body } = await ask("GET /agents?limit=0&offset=-1&enabled=yes&page=2&q=a&q=b");
    expect(status).toBe(400);
    const pointers = (body as unknown as Problem).problems?.map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(["/limit", "/offset", "/enabled", "/page", "/q"]));
    expect((await ask("GET /agents/a/audit?q=x")).status).toBe(400);
  });
});

describe("what happens here is not told to the sender", () => {
  test("500 has a fixed text and the correlation id; whoever runs the zone is told the cause", async () => {
    const { ask, database, refusals } = await startRegistry();
    await sql`drop table agent`.execute(database.db);
    const { status, body } = await ask("GET /agents", undefined, { "x-correlation-id": "c-1" });
    expect(status).toBe(500);
    expect(body).toMatchObject({ detail: "Look for the correlation id in the log.", correlation_id: "c-1" });
    expect(JSON.stringify(body)).not.toContain("table");
    expect(refusals).toMatchObject([{ kind: "internal", correlationId: "c-1", cause: expect.any(Error) }]);
  });

  test("503 with the time to wait while the database cannot be reached", async () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3"), { code: "ECONNREFUSED" });
    const { store } = await startRegistry();
    const { ask, refusals } = await startRegistry({ store: { ...store, all: () => Promise.reject(cause) } });
    const { status, headers, body } = await ask("GET /agents");
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(JSON.stringify(body)).not.toContain("10.1.2.3");
    expect(refusals).toMatchObject([{ kind: "unavailable", cause }]);
  });
});
