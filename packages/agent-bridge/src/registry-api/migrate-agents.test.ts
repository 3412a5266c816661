// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { reportOf, startRegistry } from "../testing/start-registry.ts";
import { fillSettings } from "../registry/agent-settings.ts";

interface Entry {
  readonly name: string;
  readonly verdict: string;
}

onBothEngines("migrating agents", (newDatabase) => {
  /** A registry of three enabled agents, a disabled one and one of a file; the agents in `bad` fail. */
  async function start(...bad: string[]) {
    const failing = new Set(bad);
    let running = 0;
    let most = 0;
    const registry = await startRegistry({
      databaseUrl: await newDatabase(),
      agentsFile: "agents.yaml",
      checkConformance: async ({ url }) => {
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        running -= 1;
        return reportOf(url, failing.has(new URL(url).hostname) ? ["id-echoed"] : []);
      },
    });
    const { ask, store } = registry;
    const protocol = "simple-a2a";
    for (const name of ["a", "b", "c"]) await ask("POST /agents", { name, url: `http://${name}/`, protocol });
    await ask("POST /agents", { name: "off", url: "http://off/", protocol, enabled: false });
    const file = fillSettings({ name: "file", url: "http://file/", protocol });
    await store.create(file, "file", { actor: "file", correlationId: "c" });
    const protocols = async (): Promise<unknown> => {
      const { body } = await ask("GET /agents");
      const { agents } = body as { readonly agents: readonly { readonly protocol: string }[] };
      return agents.map((one) => one.protocol);
    };
    const verdicts = (body: unknown): string[] =>
      (body as { agents: Entry[] }).agents.map(({ name, verdict }) => `${name} ${verdict}`);
    return { ...registry, failing, protocols, verdicts, most: () => most };
  }
  const simple = Array.from({ length: 5 }, () => "simple-a2a");

  test("K2, R10.5: nothing is migrated while one agent fails, and the agent is named with its check", async () => {
    const { ask, protocols, verdicts } = await start("b");
    const { status, body } = await ask("POST /agent-migrations", { to: "jsonrpc-2.0" });
    expect([status, body?.["result"]]).toEqual([200, "refused"]);
    expect(verdicts(body)).toEqual(["a compliant", "b not_compliant", "c compliant", "file declared_in_file"]);
    expect(JSON.stringify(body)).toContain('"id":"id-echoed"');
    expect(await protocols()).toEqual(simple);
    expect(await ask("POST /agent-migrations/rollback")).toMatchObject({ status: 409 });
  });

  test("K2: an agent that fails only accepted checks is migrated, and the audit trail names them", async () => {
    const { ask, protocols } = await start("b");
    const migration = { to: "jsonrpc-2.0", agents: ["a", "b"] };
    expect((await ask("POST /agent-migrations", { ...migration, accept: ["version-patch"] })).body).toMatchObject({
      result: "refused",
    });
    const moved = await ask("POST /agent-migrations", { ...migration, accept: ["id-echoed", "version-patch"] });
    const accepted_checks = ["id-echoed"];
    expect(moved.body).toMatchObject({
      result: "switched",
      agents: [
        { name: "a", verdict: "compliant" },
        { name: "b", verdict: "compliant", accepted_checks },
      ],
    });
    expect(moved.body?.["agents"]).not.toHaveProperty("0.accepted_checks");
    expect(((await protocols()) as string[]).slice(0, 2)).toEqual(["jsonrpc-2.0", "jsonrpc-2.0"]);
    const reason = "Accepted failed checks: id-echoed.";
    expect((await ask("GET /agents/b/audit")).body).toMatchObject({ entries: [{ reason }, { action: "created" }] });
    expect((await ask("GET /agents/a/audit")).body).not.toHaveProperty("entries.0.reason");
  });

  test("K2: complying agents are migrated at once, audited, and rolled back together", async () => {
    const { ask, protocols, verdicts } = await start();
    const moved = await ask("POST /agent-migrations", { to: "jsonrpc-2.0" });
    expect(moved.body).toMatchObject({ result: "switched", to: "jsonrpc-2.0", default_protocol: "auto" });
    expect(await protocols()).toEqual(["jsonrpc-2.0", "jsonrpc-2.0", "jsonrpc-2.0", "simple-a2a", "simple-a2a"]);
    const agent = await ask("GET /agents/a");
    expect(agent.body?.["previous"]).toMatchObject({ protocol: "simple-a2a", migration_id: moved.body?.["id"] });
    const audit = await ask("GET /agents/a/audit");
    expect(audit.body).toMatchObject({ entries: [{ action: "migrated" }, { action: "created" }] });
    await ask("PATCH /agents/b", { url: "http://elsewhere/" });
    await ask("DELETE /agents/c");
    const back = await ask("POST /agent-migrations/rollback");
    expect(back.body).toMatchObject({ id: moved.body?.["id"], result: "rolled_back" });
    expect(verdicts(back.body)).toEqual(["a rolled_back", "b changed_since", "c deleted"]);
    expect(await protocols()).toEqual(["simple-a2a", "jsonrpc-2.0", "simple-a2a", "simple-a2a"]);
    expect(await ask("POST /agent-migrations/rollback")).toMatchObject({ status: 409 });
  });

  test("a dry run changes nothing; named agents are migrated alone; unknown names and protocols are refused", async () => {
    const { ask, protocols, verdicts } = await start("c");
    const to = "jsonrpc-2.0";
    const tried = await ask("POST /agent-migrations", { to, agents: ["a", "off"], dry_run: true });
    expect(tried.body).toMatchObject({ result: "dry_run" });
    expect(verdicts(tried.body)).toEqual(["a compliant", "off disabled"]);
    expect(await protocols()).toEqual(simple);
    await ask("POST /agent-migrations", { to, agents: ["b", "b"] });
    expect(await protocols()).toEqual(["simple-a2a", to, "simple-a2a", "simple-a2a", "simple-a2a"]);
    expect(verdicts((await ask("POST /agent-migrations", { to, agents: ["b"] })).body)).toEqual(["b unchanged"]);
    expect(await ask("POST /agent-migrations", { to, agents: ["x"] })).toMatchObject({ status: 404 });
    expect(await ask("POST /agent-migrations", { to: "grpc" })).toMatchObject({ status: 422 });
    expect(await ask("POST /agent-migrations", { to, agents: ["a"], default: true })).toMatchObject({ status: 422 });
  });

  test("R10.5: the default protocol changes only if every agent complies, including a file's; a rollback restores it", async () => {
    const { ask, failing, verdicts } = await start("file");
    const refused = await ask("POST /agent-migrations", { to: "jsonrpc-2.0", default: true });
    expect(refused.body).toMatchObject({ result: "refused", default_protocol: "auto" });
    expect(verdicts(refused.body)).toContain("file not_compliant");
    failing.clear();
    const moved = await ask("POST /agent-migrations", { to: "jsonrpc-2.0", default: true });
    expect(moved.body).toMatchObject({ result: "switched", default_protocol: "jsonrpc-2.0" });
    const added = async (name: string): Promise<unknown> =>
      (await ask("POST /agents", { name, url: "http://new/" })).body?.["protocol"];
    expect(await added("new1")).toBe("jsonrpc-2.0");
    expect((await ask("POST /agent-migrations/rollback")).body).toMatchObject({ default_protocol: "auto" });
    expect(await added("new2")).toBe("auto");
  });

  test("the number of agents checked in parallel is limited", async () => {
    const { ask, most } = await start();
    for (let index = 0; index < 12; index += 1)
      await ask("POST /agents", { name: `m${index}`, url: "http://m/", protocol: "simple-a2a" });
    await ask("POST /agent-migrations", { to: "jsonrpc-2.0" });
    expect(most()).toBe(4);
  });

  test("of two concurrent migrations of the same agents, one succeeds; a rollback of changed agents does nothing", async () => {
    const { store } = await start();
    const by = { actor: "tester", correlationId: "c" };
    const all = (await store.all()).filter((agent) => "id" in agent);
    const settings = fillSettings({ name: "x", url: "http://x/", protocol: "jsonrpc-2.0" });
    const stale = all.map((from) => ({ from, to: { settings, source: "api" as const } }));
    const migrate = (id: string) =>
      store.migrate({ id, to: "jsonrpc-2.0", agents: all.map(({ name }) => name), movesDefault: true }, stale, by);
    const both = await Promise.all([migrate("one"), migrate("other")]);
    expect(both.filter((done) => done !== undefined)).toHaveLength(1);
    const last = await store.lastMigration();
    expect(last?.id).toBe(both[0] === undefined ? "other" : "one");
    expect(await store.rollBack(last ?? { id: "", to: "", agents: [] }, stale, by)).toBeUndefined();
    expect(await store.lastMigration()).toEqual(last);
  });
});
