// suite: both
import { createSecretKey, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createVault, SealedTextError, type Vault } from "@crosszone/service-kit";
import { sql } from "kysely";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { type Grant, type Installation, createInstallationStore } from "./installation-store.ts";
import { actsIn, openTestAudit, openTestDatabase } from "../testing/test-inbox.ts";
import { createInstallStates } from "../edge/installer.ts";

const installation = (more: Partial<Installation> = {}): Installation => ({
  id: "T1",
  install: "install-1",
  bot_user_id: "U1",
  bot_id: "B1",
  scopes: ["chat:write", "users:read"],
  installed_by: "UADMIN",
  installed_at: 5_000,
  ...more,
});
const grant: Grant = {
  token: "xoxe.xoxb-1-secret",
  refresh_token: "xoxe-1-secret",
  expires_at: 9_000,
  renew_at: 8_000,
};
const newVault = (): Vault => createVault([{ id: "k1", key: createSecretKey(randomBytes(32)) }]);

onBothEngines("the installation store", (newDatabase) => {
  const start = async () => {
    const url = await newDatabase();
    const vault = newVault();
    const database = await openTestDatabase(url);
    const { append } = await openTestAudit(database);
    const other = createInstallationStore(await openTestDatabase(url), vault, append);
    return { store: createInstallationStore(database, vault, append), other, database, url };
  };

  test("Y4: an installation is found by its id and replaces the previous one; its tokens are found by its install", async () => {
    const { store, other } = await start();
    const ofOrganization = installation({ id: "E1", enterprise_id: "E1", install: "install-2" });
    await store.put(installation(), { token: "xoxb-old" });
    await store.put(installation({ install: "install-3", enterprise_id: "E1" }), grant);
    await store.put(ofOrganization, { token: "xoxb-org" });
    await store.put(ofOrganization, { token: "xoxb-org" });
    expect(await other.find("T1")).toEqual(installation({ install: "install-3", enterprise_id: "E1" }));
    expect(await other.find("E1")).toEqual(ofOrganization);
    expect(await other.find("T2")).toBeUndefined();
    expect(await other.grantOf({ id: "T1", install: "install-3" })).toEqual(grant);
    expect(await other.grantOf({ id: "T1", install: "install-1" })).toBeUndefined();
    expect(await other.grantOf({ id: "E1", install: "install-2" })).toEqual({ token: "xoxb-org" });
  });

  test("V1: each installation, other scopes and removal is an act, in its transaction", async () => {
    const { store, database } = await start();
    await store.put(installation({ install: "i1" }), grant);
    await store.put(installation({ install: "i1" }), grant);
    await store.put(installation({ install: "i2", scopes: ["chat:write"] }), grant);
    await store.remove("T1", 5_000);
    await store.remove("T1", 5_000);
    const of = { target: { type: "workspace", id: "T1" }, surface: "slack" };
    const scopes = "chat:write,users:read";
    expect(await actsIn(database)).toMatchObject([
      { ...of, action: "workspace.install", actor: { id: "UADMIN" }, details: { scopes, replaced_scopes: null } },
      { ...of, action: "workspace.install", details: { scopes: "chat:write", replaced_scopes: scopes } },
      { ...of, action: "workspace.remove", actor: { type: "person", id: "?", team: "T1" } },
    ]);
    const append = Object.assign(() => Promise.reject(new Error("lost")), { queries: () => [] });
    const failing = createInstallationStore(database, newVault(), append);
    await expect(failing.put(installation(), grant)).rejects.toThrow("lost");
    expect(await store.find("T1")).toBeUndefined();
  });

  test("Y3: an installation newer than a removal stays, however late the removal arrives", async () => {
    const { store } = await start();
    await store.put(installation({ installed_at: 5_000 }), grant);
    expect(await store.remove("T1", 4_999)).toBe(false);
    expect(await store.find("T1")).toBeDefined();
    expect(await store.remove("T1", 5_000)).toBe(true);
    expect(await store.remove("T1", 5_000)).toBe(false);
    expect(await store.find("T1")).toBeUndefined();
    expect(await store.grantOf(installation())).toBeUndefined();
  });

  test("Y6: of concurrent attempts to spend a refresh token one succeeds, until its lease expires", async () => {
    const { store, other } = await start();
    await store.put(installation(), grant);
    const stores = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? store : other));
    const leases = await Promise.all(stores.map((one) => one.leaseRefresh(installation(), 60_000)));
    expect(leases.filter(Boolean)).toMatchObject([{ grant }]);
    expect(await other.leaseRefresh(installation({ install: "install-0" }), 60_000)).toBeUndefined();
  });

  test("Y6: the result of a renewal is stored once, by the process with the lease, and storing can be repeated", async () => {
    const { store, other } = await start();
    await store.put(installation(), grant);
    const next = { ...grant, token: "xoxe.xoxb-1-next", refresh_token: "xoxe-1-next" };
    const late = await store.leaseRefresh(installation(), -1);
    const lease = await other.leaseRefresh(installation(), 60_000);
    expect(await store.refreshed(installation(), late?.until ?? 0, { token: "xoxb-late" })).toBe(false);
    expect(await other.refreshed(installation(), lease?.until ?? 0, next)).toBe(true);
    expect(await other.refreshed(installation(), lease?.until ?? 0, next)).toBe(true);
    expect(await store.grantOf(installation())).toEqual(next);
    expect(await store.leaseRefresh(installation(), 1)).toMatchObject({ grant: next });
  });

  test("Y6: a token that was renewed while the app was removed is not stored", async () => {
    const { store } = await start();
    await store.put(installation(), grant);
    const lease = await store.leaseRefresh(installation(), 60_000);
    await store.remove("T1", 5_000);
    expect(await store.refreshed(installation(), lease?.until ?? 0, grant)).toBe(false);
    expect(await store.find("T1")).toBeUndefined();
  });

  test("Y8: no column and no byte of the database's files contains a token in plain text", async () => {
    const { store, database, url } = await start();
    await store.put(installation(), grant);
    const lease = await store.leaseRefresh(installation(), 60_000);
    await store.refreshed(installation(), lease?.until ?? 0, { ...grant, token: "xoxe.xoxb-1-secret-too" });
    const { rows } = await sql<object>`select * from installation`.execute(database.db);
    expect(JSON.stringify(rows)).toContain("v1.k1.");
    expect(JSON.stringify(rows)).not.toMatch(/xox[be][.-]|secret/);
    if (!url.startsWith("sqlite:")) return;
    const file = url.slice("sqlite:".length);
    const folder = dirname(file);
    const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    expect([bytes.includes("UADMIN"), bytes.includes("xoxe"), bytes.includes("secret")]).toEqual([true, false, false]);
  });

  test("Y8: the tokens of one installation can't be opened in the row of another", async () => {
    const { store, database } = await start();
    await store.put(installation(), grant);
    await store.put(installation({ id: "T2" }), { token: "xoxb-of-T2" });
    await sql`update installation set grant_sealed = (select grant_sealed from installation where id = 'T2')`.execute(
      database.db,
    );
    await expect(store.grantOf(installation())).rejects.toBeInstanceOf(SealedTextError);
    expect(await store.grantOf(installation({ id: "T2" }))).toEqual({ token: "xoxb-of-T2" });
  });

  test("Y7: of concurrent attempts to spend a state one succeeds", async () => {
    const { database } = await start();
    const states = createInstallStates(database, { clientSecret: "a-client-secret", now: () => 1_000 });
    const state = states.issue();
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => states.spend(state)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await states.spend(states.issue());
  });
});
