// suite: both
import { apiOperations } from "@crosszone/admin-api/testing";
import { openApi } from "@crosszone/contracts/openapi";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { agentDefaults } from "../registry/agent-settings.ts";
import { startRegistry } from "../testing/start-registry.ts";

const agent = { name: "ModernAgent", url: "http://modern:8001" };

onBothEngines("the registry's API", (newDatabase) => {
  const start = async (...[deps]: Parameters<typeof startRegistry>) =>
    startRegistry({ databaseUrl: await newDatabase(), ...deps });

  test("D3: an agent is created with every default, found, changed, and deleted", async () => {
    const { ask } = await start();
    const created = await ask("POST /agents", agent);
    expect(created).toMatchObject({ status: 201, body: { ...agentDefaults, ...agent, source: "api", revision: 1 } });
    expect(created.body).toHaveProperty("protocol", "auto");
    expect(created.headers.get("location")).toBe("/api/v1/agents/ModernAgent");
    const found = await ask("GET /agents/ModernAgent");
    expect(found.body).toEqual(created.body);
    expect(found.headers.get("etag")).toBe(created.headers.get("etag"));
    const changed = await ask("PATCH /agents/ModernAgent", { timeout_ms: 5_000, description: "New" });
    expect(changed.body).toMatchObject({ timeout_ms: 5_000, description: "New", revision: 2, url: agent.url });
    const reset = await ask("PATCH /agents/ModernAgent", { timeout_ms: null });
    expect(reset.body).toMatchObject({ timeout_ms: agentDefaults.timeout_ms, description: "New" });
    expect((await ask("DELETE /agents/ModernAgent")).status).toBe(204);
    expect((await ask("GET /agents/ModernAgent")).status).toBe(404);
    expect((await ask("DELETE /agents/ModernAgent")).status).toBe(404);
  });

  test("B25: a page has the total across pages; agents are found by protocol, state and text", async () => {
    const { ask } = await start();
    const names = ["alpha", "Beta", "gamma", "delta"];
    for (const [index, name] of names.entries())
      await ask("POST /agents", {
        ...agent,
        name,
        description: `Speaks ${index % 2 ? "Ärger" : "peace"}`,
        protocol: index === 0 ? "simple-a2a" : "jsonrpc-2.0",
        enabled: index !== 3,
      });
    const list = async (query: string): Promise<unknown> => {
      const { body } = await ask(`GET /agents${query}`);
      const agents = body?.["agents"] as { name: string }[];
      return [agents.map(({ name }) => name), body?.["total"]];
    };
    expect(await list("")).toEqual([["Beta", "alpha", "delta", "gamma"], 4]);
    const { body: first } = await ask("GET /agents?limit=2");
    expect(await list(`?limit=2&cursor=${first?.["next_cursor"] as string}`)).toEqual([["delta", "gamma"], 4]);
    expect(await list("?protocol=simple-a2a")).toEqual([["alpha"], 1]);
    expect(await list("?enabled=false")).toEqual([["delta"], 1]);
    expect(await list("?q=%C3%A4rger&enabled=true")).toEqual([["Beta"], 1]);
    expect(await list("?q=%25")).toEqual([[], 0]);
  });

  test("a partial retry or breaker gets the other defaults, on creation and on change", async () => {
    const { ask } = await start();
    const created = await ask("POST /agents", { ...agent, retry: { max_retries: 1 }, breaker: { failures: 9 } });
    expect(created).toMatchObject({
      status: 201,
      body: { retry: { max_retries: 1, base_ms: 500, max_ms: 30_000 }, breaker: { failures: 9, open_ms: 30_000 } },
    });
    expect((await ask("POST /agents", { ...agent, name: "b", retry: { tries: 1 } })).status).toBe(422);
  });

  test("with If-Match no change is overwritten; without it concurrent changes are both kept", async () => {
    const { ask } = await start();
    const etag = (await ask("POST /agents", agent)).headers.get("etag") as string;
    const first = await ask("PATCH /agents/ModernAgent", { description: "a" }, { "if-match": `"x", ${etag}` });
    expect(first.status).toBe(200);
    for (const line of [
      "PATCH /agents/ModernAgent",
      "DELETE /agents/ModernAgent",
      "POST /agents/ModernAgent/disable",
    ]) {
      const late = await ask(line, line.startsWith("PATCH") ? { description: "b" } : undefined, { "if-match": etag });
      expect([line, late.status]).toEqual([line, 412]);
      expect(late.headers.get("etag")).toBe(first.headers.get("etag"));
    }
    const changes = [{ timeout_ms: 1_000 }, { max_concurrency: 3 }, { description: "c" }];
    const all = await Promise.all(changes.map((change) => ask("PATCH /agents/ModernAgent", change)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await ask("GET /agents/ModernAgent");
    expect(body).toMatchObject({ timeout_ms: 1_000, max_concurrency: 3, description: "c", revision: 5 });
    expect((await ask("DELETE /agents/ModernAgent", undefined, { "if-match": "*" })).status).toBe(204);
  });

  test("an agent changes its protocol and is disabled and enabled without a restart; no change means no revision", async () => {
    const { ask, registry } = await start();
    await ask("POST /agents", agent);
    const protocol = async () => (await registry.find("ModernAgent"))?.protocol;
    expect(await protocol()).toBe("auto");
    await ask("PATCH /agents/ModernAgent", { protocol: "simple-a2a" });
    expect(await protocol()).toBe("simple-a2a");
    expect((await ask("POST /agents/ModernAgent/disable")).body).toMatchObject({ enabled: false, revision: 3 });
    expect(await registry.listEnabled()).toEqual([]);
    expect((await ask("POST /agents/ModernAgent/disable")).body).toMatchObject({ enabled: false, revision: 3 });
    expect((await ask("POST /agents/ModernAgent/enable")).body).toMatchObject({ enabled: true, revision: 4 });
    expect(await registry.listEnabled()).toHaveLength(1);
  });

  test("the audit trail shows who changed what and when, even for a deleted agent", async () => {
    const { ask } = await start();
    await ask("POST /agents", agent, { "x-correlation-id": "c-1" });
    await ask("PATCH /agents/ModernAgent", { description: "x" }, { "x-correlation-id": "c-2" });
    await ask("DELETE /agents/ModernAgent", undefined, { "x-correlation-id": "c-3" });
    const { body } = await ask("GET /agents/ModernAgent/audit?limit=2");
    const actor = "bootstrap";
    expect(body).toMatchObject({
      total: 3,
      entries: [
        { action: "deleted", correlation_id: "c-3", actor, revision: 2, after: null },
        { action: "updated", correlation_id: "c-2", actor, before: { description: "" }, after: { description: "x" } },
      ],
    });
    const { entries } = body as { readonly entries: readonly object[] };
    const members = ["action", "revision", "at", "actor", "correlation_id", "before", "after"];
    expect(Object.keys(entries[1] ?? {})).toEqual(members);
    expect((await ask("GET /agents/nobody/audit")).status).toBe(404);
  });

  test("B17: names with any characters are found by their encoded form", async () => {
    const { ask } = await start();
    const names = [
      "a&b?c=d",
      "a/b",
      "100%",
      "名前 🤖",
      "a#b",
      "a+b c",
      "..x",
      "health",
      "A",
      "a",
      "'; drop table agent",
    ];
    for (const name of names) {
      const { status, headers } = await ask("POST /agents", { ...agent, name });
      expect([name, status]).toEqual([name, 201]);
      const path = headers.get("location")?.replace("/api/v1", "") as string;
      expect((await ask(`GET ${path}`)).body).toMatchObject({ name });
      expect((await ask(`POST ${path}/disable`)).body).toMatchObject({ name, enabled: false });
    }
    expect((await ask("GET /agents?limit=200")).body).toMatchObject({ total: names.length });
    for (const none of ["%00", "%C3%A4%00", "a%0Ab", "x".repeat(256)])
      for (const line of [`GET /agents/${none}`, `GET /agents/${none}/audit`, `DELETE /agents/${none}`])
        expect([line, (await ask(line)).status]).toEqual([line, 404]);
  });
});

test("every operation of the document is served, and its responses match", async () => {
  const { ask, answered } = await startRegistry();
  const added = { name: "a", url: "http://a/" };
  const bodies: Readonly<Record<string, unknown>> = {
    "post /agents": added,
    "post /agent-tests": { agent: "a", text: "Hello" },
    "patch /agents/{name}": { enabled: true },
    "post /agent-migrations": { to: "simple-a2a" },
  };
  const before: Readonly<Record<string, readonly [line: string, body: unknown]>> = {
    "post /agent-migrations/rollback": ["POST /agent-migrations", { to: "jsonrpc-2.0" }],
    "post /agents/{name}/rollback": ["PATCH /agents/a", { url: "http://b/" }],
  };
  const operations = apiOperations(openApi("registry"));
  expect(operations).toHaveLength(15);
  for (const { path, method, statuses } of operations) {
    const line = `${method} ${path}`;
    await ask(
      line === "post /agents" ? "DELETE /agents/a" : "POST /agents",
      line === "post /agents" ? undefined : added,
    );
    const [made, body] = before[line] ?? [];
    if (made !== undefined) await ask(made, body);
    const { status } = await ask(`${method.toUpperCase()} ${path.replace("{name}", "a")}`, bodies[line]);
    const expected = statuses.find((one) => one.startsWith("2"));
    expect([line, String(status)]).toEqual([line, expected]);
    expect(answered).toContain(`${line} ${expected}`);
  }
});
