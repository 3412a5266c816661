import { adminToken } from "@crosszone/admin-api/testing";
import type { AgentAuditList, Problem } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { startRegistry } from "../testing/start-registry.ts";

const agent = { name: "ModernAgent", url: "http://modern:8001" };

describe("B24: reading or writing the registry requires a token", () => {
  const lines = ["GET /agents", "POST /agents", "GET /agents/a", "PATCH /agents/a", "DELETE /agents/a", "GET /nowhere"];
  const more = ["POST /agents/a/disable", "POST /agents/a/enable", "POST /agents/a/health", "GET /agents/a/audit"];

  test("401 for a missing or wrong token; the response says which, and no token is shown or logged", async () => {
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

  test("without a configured token the API and its document are off, and the response says how to enable them", async () => {
    const { ask } = await startRegistry({ tokens: () => [] });
    for (const line of [...lines, ...more, "GET /openapi.json"]) {
      const { status, body } = await ask(line);
      expect([line, status]).toEqual([line, 404]);
      expect(body).toMatchObject({ detail: expect.stringContaining("Set AGENT_ADMIN_TOKENS") });
    }
  });

  test("tokens are read at each request, several are valid at once, and each is identified by its own name", async () => {
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

describe("requests that HTTP refuses get a problem of RFC 9457 too", () => {
  test("405 names the allowed methods, 404 is for every other path, and a broken encoding is 400", async () => {
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

  test("413 for more than 64 KiB, larger than any agent's settings", async () => {
    const { ask } = await startRegistry();
    expect((await ask("POST /agents", { ...agent, description: "x".repeat(66_000) })).status).toBe(413);
  });

  test("400 names each query parameter that is unknown, repeated or out of range", async () => {
    const { ask } = await startRegistry();
    const { status, body } = await ask("GET /agents?limit=0&offset=-1&enabled=yes&page=2&q=a&q=b");
    expect(status).toBe(400);
    const pointers = (body as unknown as Problem).problems?.map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(["/limit", "/offset", "/enabled", "/page", "/q"]));
    expect((await ask("GET /agents/a/audit?q=x")).status).toBe(400);
  });
});

test("503 while the registry's tables are unreachable", async () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3"), { code: "ECONNREFUSED" });
  const { store } = await startRegistry();
  const { ask, refusals } = await startRegistry({ store: { ...store, all: () => Promise.reject(cause) } });
  const { status, headers } = await ask("GET /agents");
  expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  expect(refusals).toMatchObject([{ kind: "unavailable", cause }]);
});
