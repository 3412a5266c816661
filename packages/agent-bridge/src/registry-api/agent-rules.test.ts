// suite: both
import type { AgentRecord } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { entityTag } from "./agent-gate.ts";
import { fillSettings } from "../registry/agent-settings.ts";
import { startRegistry } from "../testing/start-registry.ts";

const by = { actor: "test", correlationId: "c" };
const agent = { name: "ModernAgent", url: "http://modern:8001" };
const oauth = {
  type: "oauth2_client_credentials",
  token_url: "https://169.254.169.254/token",
  client_id: "c",
  client_secret: "env:AGENT_SECRET_A",
};

describe("an invalid agent is refused, and each problem is named", () => {
  const pattern = /^must (match pattern|be a URL)/;
  const named = /^must name a secret, not contain it/;
  const secret = /^looks as if it contains a secret/;
  const unstorable = /^must not contain U\+0000 or half a surrogate pair/;
  const cases: [name: string, members: object, wrong: [pointer: string, message: RegExp]][] = [
    ["an unknown member", { timeout: 5 }, ["/timeout", /^is not a known member$/]],
    ["a member of another type", { enabled: "yes" }, ["/enabled", /^must be boolean$/]],
    ["D2: an unknown protocol", { protocol: "soap" }, ["/protocol", /^Unsupported protocol: soap\.$/]],
    ["an address that is refused", { url: "http://169.254.169.254/" }, ["/url", /^is refused\.$/]],
    ["a token endpoint that is refused", { auth: oauth }, ["/auth/token_url", /^is refused\.$/]],
    ["credentials in the address", { url: "http://user:pass@host/" }, ["/url", pattern]],
    ["B23: a secret in the address", { url: "http://host/?api_key=hunter2" }, ["/url", secret]],
    ["B23: a secret in the description", { description: "Use token=hunter2 to ask." }, ["/description", secret]],
    ["B23: a secret where its name belongs", { auth: { type: "bearer", token: "hunter2" } }, ["/auth/token", named]],
    [
      "a key in a header that the request sets itself",
      { auth: { type: "api_key", header: "Content-Length", value: "env:AGENT_SECRET_A" } },
      ["/auth/header", /^is a header that every request uses for something else$/],
    ],
    [
      "I7: a secret that is bound to no origin",
      { auth: { type: "bearer", token: "env:AGENT_SECRET_A" } },
      ["/auth", /^The secret env:AGENT_SECRET_A must not be sent to .* AGENT_SECRETS_ORIGINS, or declare/],
    ],
    ["U+0000", { description: "a\0b" }, ["/description", unstorable]],
    ["half a surrogate pair", { description: "a\ud800b" }, ["/description", unstorable]],
    ["a name that no URL can contain", { name: ".." }, ["/name", /^can't be part of a URL$/]],
  ];

  test.each(cases)("%s", async (_name, members, [pointer, message]) => {
    const { ask, store } = await startRegistry();
    const created = await ask("POST /agents", { ...agent, ...members });
    await store.create(fillSettings(agent), "api", by);
    const patched = await ask("PATCH /agents/ModernAgent", members);
    for (const { status, body } of [created, patched]) {
      expect(status).toBe(422);
      expect(body?.["problems"]).toContainEqual({ pointer, message: expect.stringMatching(message) });
      expect(JSON.stringify(body)).not.toContain("hunter2");
    }
    expect(await store.get("ModernAgent")).toMatchObject({ ...agent, revision: 1 });
  });

  test("an agent whose address is no longer allowed can be disabled, but neither enabled nor changed", async () => {
    const address = vi.fn<() => void>();
    const { ask, store } = await startRegistry({
      checks: { protocol: () => undefined, url: address, secrets: () => undefined },
    });
    await ask("POST /agents", agent);
    address.mockImplementation(() => {
      throw new AgentFailure("address_refused", "is refused.");
    });
    expect((await ask("PATCH /agents/ModernAgent", { description: "x" })).status).toBe(422);
    expect((await ask("PATCH /agents/ModernAgent", { description: "x", enabled: false })).status).toBe(422);
    expect((await ask("POST /agents/ModernAgent/disable")).status).toBe(200);
    expect((await ask("POST /agents/ModernAgent/enable")).status).toBe(422);
    expect(await store.get("ModernAgent")).toMatchObject({ ...agent, enabled: false, revision: 2 });
  });

  test("a patch cannot rename, pollute a prototype, or overflow the stack", async () => {
    const { ask, store } = await startRegistry();
    await ask("POST /agents", agent);
    const renamed = await ask("PATCH /agents/ModernAgent", { name: "Other" });
    expect(renamed.body).toMatchObject({ problems: [{ pointer: "/name" }] });
    const prototype = await ask("PATCH /agents/ModernAgent", '{"__proto__":{"enabled":false}}');
    expect(prototype.body).toMatchObject({ problems: [{ pointer: "/__proto__", message: "is not a known member" }] });
    const deep = `${'{"auth":'.repeat(7_000)}1${"}".repeat(7_000)}`;
    expect((await ask("PATCH /agents/ModernAgent", deep)).status).toBe(400);
    for (const body of ["[]", "1", "null", '"x"'])
      expect((await ask("PATCH /agents/ModernAgent", body)).status).toBe(422);
    expect(await store.get("ModernAgent")).toMatchObject({ ...agent, revision: 1 });
  });
});

onBothEngines("the registry's API", (newDatabase) => {
  test("D4: an agent from a file is shown and cannot be changed: the response names the file", async () => {
    const databaseUrl = await newDatabase();
    const { ask, store } = await startRegistry({ databaseUrl, agentsFile: "/etc/agents.yaml" });
    await store.create(fillSettings(agent), "file", { actor: "file:agents.yaml", correlationId: "start" });
    expect((await ask("GET /agents/ModernAgent")).body).toMatchObject({ source: "file" });
    for (const [line, body] of [
      ["PATCH /agents/ModernAgent", { description: "x" }],
      ["DELETE /agents/ModernAgent", undefined],
      ["POST /agents/ModernAgent/disable", undefined],
    ] as const) {
      const refused = await ask(line, body);
      expect(refused).toMatchObject({ status: 409, body: { detail: "Change it in /etc/agents.yaml and restart." } });
    }
    expect((await ask("POST /agents", agent)).status).toBe(409);
    const withoutFile = await startRegistry({ databaseUrl });
    const patched = await withoutFile.ask("PATCH /agents/ModernAgent", { description: "x" });
    expect(patched.body).toMatchObject({ source: "api", description: "x" });
  });

  test("a manually inserted row that is no valid agent is reported, does not block the list, and can be deleted", async () => {
    const { ask, database } = await startRegistry({ databaseUrl: await newDatabase() });
    await ask("POST /agents", agent);
    const settings = JSON.stringify({ auth: { type: "bearer", token: "hunter2" } });
    const id = crypto.randomUUID();
    await sql`insert into agent (id, name, url, settings) values (${id}, 'bad', 'http://a/', ${settings})`.execute(
      database.db,
    );
    expect((await ask("GET /agents")).body).toMatchObject({ total: 1, agents: [agent] });
    for (const line of ["GET /agents/bad", "POST /agents/bad/health", "POST /agents/bad/enable"]) {
      const { status, body } = await ask(line);
      expect(status).toBe(409);
      expect(body).toMatchObject({ detail: expect.stringContaining("/auth/token must name a secret") });
      expect(JSON.stringify(body)).not.toContain("hunter2");
    }
    expect((await ask("DELETE /agents/bad")).status).toBe(204);
    expect(JSON.stringify((await ask("GET /agents/bad/audit")).body)).not.toContain("hunter2");
    expect((await ask("POST /agents", { ...agent, name: "bad" })).status).toBe(201);
  });
});

describe("an agent that changes while a request is processed", () => {
  const start = async (changes: number) => {
    const { store, ask } = await startRegistry();
    await store.create(fillSettings(agent), "api", by);
    let left = changes;
    const get = store.get.bind(store);
    vi.spyOn(store, "get").mockImplementation(async (name) => {
      const known = await get(name);
      if (known === undefined || !("id" in known) || left === 0) return known;
      left -= 1;
      const settings = fillSettings({ ...agent, timeout_ms: 1_000 + left });
      await store.update(known, { settings, source: "api" }, by);
      return known;
    });
    return { ask, get };
  };

  test("is read again, and both changes are kept", async () => {
    const { ask, get } = await start(4);
    expect((await ask("PATCH /agents/ModernAgent", { description: "x" })).status).toBe(200);
    expect(await get("ModernAgent")).toMatchObject({ description: "x", timeout_ms: 1_000, revision: 6 });
  });

  test("repeatedly returns 409, and the request changes nothing", async () => {
    const { ask, get } = await start(5);
    const { status, headers } = await ask("PATCH /agents/ModernAgent", { description: "x" });
    expect([status, headers.get("retry-after")]).toEqual([409, "1"]);
    expect(await get("ModernAgent")).toMatchObject({ description: "", revision: 6 });
  });

  test("is compared with If-Match in its current state", async () => {
    const { ask, get } = await start(1);
    const known = (await get("ModernAgent")) as AgentRecord;
    const headers = { "if-match": entityTag(known) };
    expect((await ask("DELETE /agents/ModernAgent", undefined, headers)).status).toBe(412);
    expect(await get("ModernAgent")).toMatchObject({ revision: 2 });
  });
});
