// suite: both
import { adminToken } from "@crosszone/admin-api/testing";
import type { AuditEventList, TokenUse } from "@crosszone/contracts";
import { tokenDigest } from "@crosszone/admin-api";
import { close, createHttpServer, createLogger, createRecordCodec, httpLimits, listen } from "@crosszone/service-kit";
import { createAppendAudit } from "@crosszone/audit";
import { executionEvents } from "@crosszone/telemetry";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { loadExecutionConfig } from "../zone/config/config.ts";
import { openZone } from "../zone/open-zone.ts";
import { openExecutionDatabase } from "../store/open-execution-database.ts";
import { TokenUses } from "./token-uses.ts";

const linkToken = "zone-link-token-of-at-least-32-characters";
const dayMs = 86_400_000;

/** Starts the execution zone with all its surfaces, behind a proxy on this machine. */
async function startTraced() {
  const loaded = loadExecutionConfig({
    DATA_DIR: tempFolder(),
    ADMIN_TOKENS: adminToken,
    EXECUTION_TOKEN: linkToken,
    ASK_PORT: "0",
    EXECUTION_FILE: tempFile("execution.yaml", "programs:\n  askers:\n  - {token: ci, agents: [builtin]}\n"),
    TRUSTED_PROXIES: "loopback",
  });
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  const build = { zone: "execution", version: "1.0.0" };
  const zone = await openZone(loaded, { build, environment: {}, logger, onFileFailure: () => undefined });
  const limits = httpLimits(loaded.values);
  const servers = [
    createHttpServer(zone.app.listener, limits),
    createHttpServer(zone.ask ?? (() => undefined), limits),
  ];
  const [zoneUrl = "", askUrl = ""] = await Promise.all(
    servers.map(async (server) => (await listen(server, { host: "127.0.0.1", port: 0 })).url),
  );
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => close(server, { deadlineMs: 0 })));
    await zone.roles.close();
    await zone.stopLease();
    await zone.closeDatabase();
  });

  /** Sends a request as a program behind the proxy. */
  const send = async (url: string, token: string, { from, body }: { from: string; body?: object }) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "x-forwarded-for": from,
      "user-agent": "probe/1.0",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(url, { headers, ...init });
    return { status: response.status, text: await response.text() };
  };
  const rpc = (method: string, params: object) => ({
    jsonrpc: "2.0",
    id: "9b2f0c1e-5a47-4d83-8f61-3c7e2a90b514",
    method,
    params,
  });
  const surfaces = {
    api: ["token:ci", (token: string, from: string) => send(`${zoneUrl}/api/v1/runs`, token, { from })],
    a2a: [
      "token:ci",
      (token: string, from: string) => send(`${askUrl}/a2a/builtin/`, token, { from, body: rpc("ListTasks", {}) }),
    ],
    mcp: ["token:ci", (token: string, from: string) => send(`${askUrl}/mcp`, token, { from, body: rpc("ping", {}) })],
    "an agent card": [
      "token:ci",
      (token: string, from: string) => send(`${askUrl}/a2a/builtin/.well-known/agent-card.json`, token, { from }),
    ],
    "the view API": [
      "token:ci",
      (token: string, address: string) => {
        const params = { digest: tokenDigest(token), scope: "runs:read", from: { address, client: "probe/1.0" } };
        return send(`${zoneUrl}/rpc`, linkToken, { from: "198.51.100.1", body: rpc("check_token", params) });
      },
    ],
    "the zone link": [
      "zone:verification",
      (_token: string, from: string) => send(`${zoneUrl}/rpc`, linkToken, { from, body: rpc("list_agents", {}) }),
    ],
    bootstrap: ["bootstrap", (_token: string, from: string) => send(`${zoneUrl}/api/v1/runs`, adminToken, { from })],
  } as const;
  const read = async <Body>(path: string): Promise<Body> =>
    JSON.parse((await send(`${zoneUrl}/api/v1${path}`, adminToken, { from: "198.51.100.2" })).text) as Body;
  const uses = async () => (await read<{ readonly uses: readonly TokenUse[] }>("/token-uses?limit=100")).uses;
  const events = async (query: string) => (await read<AuditEventList>(`/audit/events?limit=100&${query}`)).events;
  const logged = (event: string) =>
    lines
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter((line) => line["event"] === event);
  const create = async (name: string, scopes: readonly string[]) => {
    const body = { name, scopes, expires_in: 3_600 };
    const { text } = await send(`${zoneUrl}/api/v1/tokens`, adminToken, { from: "198.51.100.2", body });
    return String((JSON.parse(text) as { readonly token: unknown }).token);
  };
  const revoke = (name: string) =>
    fetch(`${zoneUrl}/api/v1/tokens/${name}`, { method: "DELETE", headers: { authorization: `Bearer ${adminToken}` } });
  return { surfaces, uses, events, logged, create, revoke, read };
}

test("O3: on each surface, a use of credentials leaves its address and client", async () => {
  const { surfaces, uses, events, logged, create, read } = await startTraced();
  const token = await create("ci", ["ask", "runs:read"]);
  const places = Object.entries(surfaces).map(
    ([name, [actor, use]], at) => ({ name, actor, use, from: `203.0.113.${at + 1}` }) as const,
  );
  for (const { name, use, from } of places)
    for (let time = 0; time < 3; time += 1) expect([name, (await use(token, from)).status]).toEqual([name, 200]);
  const usesOfPlaces = async () => {
    const all = await uses();
    return places.map(({ from }) => all.filter(({ address }) => address === from));
  };
  await expect
    .poll(usesOfPlaces, { interval: 400 })
    .toMatchObject(places.map(({ actor }) => [{ actor, client: "probe/1.0", uses: 3 }]));
  const ofUses = await events("action=token.use");
  for (const { name, actor, from } of places) {
    const audited = ofUses.filter(({ content }) => content?.members["address"] === from);
    expect([name, audited.map(({ event }) => `${event.actor.type}:${event.actor.id}`)]).toEqual([
      name,
      [actor === "bootstrap" ? "bootstrap:bootstrap" : actor],
    ]);
    expect(logged("token_used").filter(({ address }) => address === from)).toMatchObject([
      { by: actor, client: "probe/1.0" },
    ]);
  }
  expect((await uses()).filter(({ actor }) => actor === "token:ci")).toHaveLength(5);
  const { tokens } = await read<{ readonly tokens: readonly object[] }>("/tokens");
  const [created] = await events("action=token.create");
  expect(created?.content?.members).toEqual({ address: "198.51.100.2", client: "probe/1.0" });
  expect(tokens).toMatchObject([{ name: "ci", last_used_from: { address: "203.0.113.5", client: "probe/1.0" } }]);
});

test("O3: a revoked token that tries again is named, with its address, on each surface", async () => {
  const { surfaces, events, logged, create, revoke } = await startTraced();
  const token = await create("ci", ["ask", "runs:read"]);
  await revoke("ci");
  // Verification writes what the zone link answers to its own log and audit log.
  const { "the view API": viewApi, "the zone link": _link, bootstrap: _bootstrap, ...ofTokens } = surfaces;
  expect(JSON.parse((await viewApi[1](token, "203.0.113.9")).text)).toMatchObject({
    error: { data: { kind: "unauthorized", actor: "token:ci (revoked)" } },
  });
  for (const [at, [name, [, use]]] of Object.entries(ofTokens).entries()) {
    const from = `203.0.113.${at + 1}`;
    await use(token, from);
    const refused = [...logged("api_refused"), ...logged("http_refused")].filter(({ address }) => address === from);
    expect([name, refused]).toMatchObject([name, [{ by: "token:ci (revoked)", client: "probe/1.0" }]]);
    const [audited] = (await events("actor=token:ci")).filter(({ content }) => content?.members["address"] === from);
    expect([name, audited]).toMatchObject([
      name,
      { event: { outcome: "rejected", details: { token: "revoked" } }, content: { members: { client: "probe/1.0" } } },
    ]);
  }
  expect((await events("actor=token:%3F")).map(({ event }) => event)).toEqual([]);
});

onBothEngines("uses of tokens", (newDatabase) => {
  const open = async () => {
    const database = await openExecutionDatabase({ url: await newDatabase() });
    onTestFinished(database.close);
    const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
    const newUses = () => new TokenUses(database, { append, emit: () => undefined, retentionMs: 400 * dayMs });
    const use = (address: string, actor = "token:ci") =>
      ({ actor, from: { address, client: "probe" }, surface: "api" }) as const;
    return { database, newUses, use };
  };

  test("O3: two processes count together, and each new place has one audit event", async () => {
    const { database, newUses, use } = await open();
    const [one, other] = [newUses(), newUses()];
    for (const uses of [one, other, one]) uses.count(use("203.0.113.7"));
    other.count(use("203.0.113.7", "subject:https://login.example.com robot"));
    await one.close();
    await other.close();
    one.count(use("203.0.113.7"));
    await one.close();
    expect(await one.list({ actor: "token:ci", limit: 10 })).toMatchObject([{ address: "203.0.113.7", uses: 4 }]);
    expect(await one.list({ limit: 10 })).toHaveLength(2);
    const events = await database.db.selectFrom("audit_event").select(["actor", "event"]).orderBy("actor").execute();
    expect(events.map(({ actor }) => actor)).toEqual(["subject:https://login.example.com robot", "token:ci"]);
    // The address can be erased, so only its salted hash is in the tree.
    expect(JSON.stringify(events)).not.toContain("203.0.113.7");
  });

  test("O3: a token that a thousand addresses use fills fifty rows a day and one more", async () => {
    const { newUses, use } = await open();
    const uses = newUses();
    for (let at = 0; at < 1_000; at += 1) {
      uses.count(use(`203.0.${at >> 8}.${at & 255}`));
      if (at % 300 === 0) await uses.close();
    }
    uses.count(use("203.0.0.0"));
    await uses.close();
    const rows = await uses.list({ limit: 100 });
    expect(rows).toHaveLength(51);
    expect(rows.find(({ address }) => address === "other")).toMatchObject({ client: "other", uses: 950 });
    expect(rows.find(({ address }) => address === "203.0.0.0")).toMatchObject({ uses: 2 });
  });

  test("O3: uses that could not be stored are stored later, and old ones are deleted", async () => {
    const { database, newUses, use } = await open();
    const uses = newUses();
    const { transaction } = database;
    Object.assign(database, { transaction: () => Promise.reject(new Error("the disk is full")) });
    uses.count(use("203.0.113.7"));
    await uses.close();
    Object.assign(database, { transaction });
    uses.count(use("203.0.113.7"));
    await uses.close();
    expect(await uses.list({ limit: 10 })).toMatchObject([{ uses: 2 }]);
    expect(await uses.purge.purge(100)).toBe(0);
    await database.db.updateTable("token_use").set({ day: "2020-01-01" }).execute();
    expect(await uses.purge.purge(100)).toBe(1);
  });
});
