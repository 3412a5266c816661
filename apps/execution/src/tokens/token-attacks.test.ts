import { once } from "node:events";
import { digestOf, newTokenText } from "@crosszone/admin-api";
import { adminToken, startAdminApi, watchEvents } from "@crosszone/admin-api/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { createTokenRoutes } from "../http/api/create-token-routes.ts";
import { attacks, inputId, startTokens } from "../testing/token-attacks.ts";
import { createCheckToken } from "./check-token.ts";

onBothEngines("API tokens", (newDatabase) => {
  test("each attack on tokens and scopes is rejected and reported", async () => {
    const zone = await startTokens(await newDatabase());
    const scopes = ["ask", "runs:read", "runs:act", "content:read", "tokens:write"] as const;
    const root = await zone.create("root", scopes, { expires_in: 86_400 });
    for (const [name, [actor, status, attack]] of Object.entries(attacks)) {
      expect([name, await attack({ ...zone, root })]).toEqual([name, status]);
      expect([name, zone.refusals.at(-1)?.act]).toMatchObject([name, { actor, status }]);
      const logged = (await zone.audited()).findLast(({ outcome }) => outcome === "rejected");
      expect([name, JSON.parse(logged?.event ?? "")]).toMatchObject([
        name,
        { action: "api.request", details: { status } },
      ]);
      expect([name, logged?.actor]).toEqual([
        name,
        { unknown: "token:?", bootstrap: "bootstrap:bootstrap" }[actor] ?? actor.replace(/ \(.*/, ""),
      ]);
    }
    expect((await zone.audited()).filter(({ outcome }) => outcome === "rejected")).toHaveLength(
      Object.keys(attacks).length,
    );
    expect(JSON.stringify([zone.refusals, zone.events, await zone.audited()])).not.toContain(root);
  });

  test("O3: a token is stored as a digest, names its holder, and shows when and from where it was used", async () => {
    const { ask, create, as, audited, events, database, uses } = await startTokens(await newDatabase());
    const root = await create("root", ["tokens:write", "runs:read", "runs:read"]);
    expect(root).toMatch(/^xz_[\w-]{38}$/);
    const list = () => ask("GET /tokens", undefined, as(root));
    const token = { name: "root", scopes: ["tokens:write", "runs:read"], created_by: "bootstrap" };
    expect((await list()).body).toMatchObject({ tokens: [token] });
    await uses.close();
    const from = { address: "127.0.0.1", client: expect.any(String) };
    expect((await list()).body?.["tokens"]).toMatchObject([{ last_used_at: expect.any(String), last_used_from: from }]);
    const rows = await database.db.selectFrom("api_token").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(root);
    await list();
    expect(await database.db.selectFrom("api_token").selectAll().execute()).toEqual(rows);
    expect((await ask("DELETE /tokens/root", undefined, as(root))).status).toBe(204);
    expect((await audited()).map(({ action, actor, target }) => [action, actor, target])).toEqual([
      ["token.create", "bootstrap:bootstrap", "token:root"],
      ["token.use", "bootstrap:bootstrap", "bootstrap:bootstrap"],
      ["token.use", "token:root", "token:root"],
      ["token.revoke", "token:root", "token:root"],
    ]);
    expect(events.map(([event, fields]) => [event, fields["by"]])).toContainEqual(["token_revoked", "token:root"]);
  });

  test("ADMIN_TOKENS work again when the last token with tokens:write is revoked or expires", async () => {
    const zone = await startTokens(await newDatabase());
    const { ask, as, create, database } = zone;
    const root = await create("root", ["tokens:write"]);
    const refused = await ask("GET /tokens");
    expect(refused.body?.["detail"]).toBe(
      "ADMIN_TOKENS only work until a live token has the scope tokens:write. Use that token.",
    );
    await ask("DELETE /tokens/root", undefined, as(root));
    expect((await ask("GET /tokens")).body).toEqual({ tokens: [] });
    await create("second", ["tokens:write"]);
    expect((await ask("GET /tokens")).status).toBe(403);
    await database.db.updateTable("api_token").set({ expires_at: Date.now() }).execute();
    await create("third", ["ask"]);
  });

  test("a mistyped token is told apart without the database", async () => {
    const { url, create, as, database } = await startTokens(await newDatabase());
    const token = await create("ci", ["runs:read"]);
    await database.close();
    const mistyped = await fetch(`${url}/tokens`, { headers: as(token.replace(/.$/, "!")) });
    expect(await mistyped.json()).toMatchObject({ status: 401, detail: expect.stringContaining("checksum") });
    expect((await fetch(`${url}/tokens`, { headers: as(token) })).status).not.toBe(401);
  });

  test("content is left out without content:read, and the zone link checks tokens by their digest", async () => {
    const { ask, as, create, stored } = await startTokens(await newDatabase());
    const [reader, all] = [await create("reader", ["runs:read"]), await create("all", ["runs:read", "content:read"])];
    const shown = async (token: string, path: string) => JSON.stringify((await ask(path, undefined, as(token))).body);
    for (const path of ["GET /input-requests", `GET /input-requests/${inputId}`]) {
      expect(await shown(all, path)).toMatch(/planted.*euros/);
      expect(await shown(reader, path)).not.toMatch(/planted|euros/);
    }
    const check = createCheckToken({ tokens: () => [adminToken], stored });
    expect(await check({ digest: digestOf(reader), scope: "runs:read" })).toEqual({ name: "reader" });
    expect(await check({ digest: digestOf(adminToken), scope: "runs:read" })).toEqual({ name: "bootstrap" });
    for (const [token, scope] of [
      [reader, "content:read"],
      [newTokenText(), "runs:read"],
    ] as const)
      await expect(check({ digest: digestOf(token), scope })).rejects.toMatchObject({ kind: "unauthorized" });
    // At once, because concurrent requests share a read.
    const found = await Promise.all([reader, newTokenText(), all, reader].map((token) => stored.find(digestOf(token))));
    expect(found.map((holder) => holder?.actor)).toEqual(["token:reader", undefined, "token:all", "token:reader"]);
  });
});

test("an event stream is cut when its token is revoked", async () => {
  const { stored, uses, create, database } = await startTokens("sqlite::memory:");
  const token = await create("watcher", ["runs:read"]);
  const watch = () => ({
    events: async function* (signal: AbortSignal) {
      yield [{ event: "note", data: {} }];
      await once(signal, "abort");
    },
  });
  const path = { get: { security: [{ adminToken: ["runs:read"] }], responses: {} } };
  const part = {
    document: {
      ...createTokenRoutes({ store: stored, uses, emit: () => undefined }).document,
      paths: { "/watch": path },
    },
    paths: { "/watch": { get: watch } },
  };
  const { url } = await startAdminApi({ parts: [part], stored, heartbeatMs: 20 });
  const { blocks } = await watchEvents(`${url}/watch`, { authorization: `Bearer ${token}` });
  await blocks.next();
  await database.db.updateTable("api_token").set({ revoked_at: 1 }).execute();
  expect((await Array.fromAsync(blocks)).length).toBeGreaterThan(0);
});
