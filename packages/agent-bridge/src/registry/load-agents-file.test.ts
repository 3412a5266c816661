// suite: both
import type { AgentRecord, AgentSettings } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { mistakesIn, sectionIn } from "@crosszone/service-kit/testing";
import { expect, test } from "vitest";
import { type AgentChecks, fillSettings } from "./agent-settings.ts";
import { createAgentStore } from "./agent-store.ts";
import { agentsRow, applyAgents, cardKeysRow } from "./agents-section.ts";
import { createSecretRules } from "../client/secret-source.ts";
import { openAgents } from "../testing/start-registry.ts";

const anything: AgentChecks = { protocol: () => undefined, url: () => undefined, secrets: () => undefined };
const problemsOf = (text: string, checks = anything) => mistakesIn("agents", agentsRow(checks), text);
const read = (text: string, checks = anything) => sectionIn("agents", agentsRow(checks), text);

test("D4: the file of the design can be read: two agents, one of each protocol", async () => {
  const text = `# Agent configuration example
agents:
  - name: "LegacyAgent"
    url: "http://legacy:8080"
    protocol: "simple-a2a"

  - name: "ModernAgent"
    url: "http://modern:8001"
    protocol: "jsonrpc-2.0"
    protocol_config:
      method: "message/send"
      version: "2.0"
`;
  expect(await read(text)).toEqual([
    { name: "LegacyAgent", url: "http://legacy:8080", protocol: "simple-a2a" },
    {
      name: "ModernAgent",
      url: "http://modern:8001",
      protocol: "jsonrpc-2.0",
      protocol_config: { method: "message/send", version: "2.0" },
    },
  ]);
});

test("the keys that sign agent cards are read, and anything but a public key is a problem of its line", async () => {
  const key = "{ kty: OKP, crv: Ed25519, x: AA, kid: k }";
  const cardKeys = [{ kty: "OKP", crv: "Ed25519", x: "AA", kid: "k" }];
  expect(await sectionIn("card_keys", cardKeysRow, `card_keys: { keys: [${key}] }`)).toEqual(cardKeys);
  const bad = `card_keys:
  keys:
    - { kty: OKP, crv: Ed25519, x: AA, kid: k, d: AA }
    - { kty: oct, k: AA, kid: k }
    - { kty: OKP, crv: Ed25519, x: AA, kid: k, alg: HS256 }
`;
  expect(await mistakesIn("card_keys", cardKeysRow, bad)).toEqual(
    [0, 1, 2].map((index) => `${index + 3}:7: /card_keys/keys/${index} must be a public key of P-256, RSA or Ed25519`),
  );
});

test("D4: all problems are reported at once, by line, column and member", async () => {
  const text = `agents:
  - name: ""
    url: ftp://a/
    timeout: 5
  - url: http://b/
    retry:
      max_retries: 99
      base_ms: 1
      max_ms: 1
  - { name: c, url: http://c/, enabled: perhaps }
`;
  expect(await problemsOf(text)).toEqual([
    "2:5: /agents/0/name must be 1 to 255 characters without control characters",
    "3:5: /agents/0/url must be a URL that starts with http:// or https://, without spaces, user, password and #fragment",
    "4:5: /agents/0/timeout is not a known member. Did you mean timeout_ms?",
    "5:5: /agents/1/name is missing",
    "7:7: /agents/1/retry/max_retries must be <= 10",
    "10:32: /agents/2/enabled must be true or false",
  ]);
});

test("D4: a repeated name is reported with the line of the first", async () => {
  const text = "agents:\n  - name: a\n    url: http://a/\n  - url: http://b/\n    name: a\n";
  expect(await problemsOf(text)).toEqual([
    expect.stringMatching(/^5:5: \/agents\/1\/name is also the name of the agent in .*settings.yaml, line 2$/),
  ]);
});

test("a secret that is bound to other origins is reported with its line; the file can use an unbound secret", async () => {
  const text = "agents:\n  - name: a\n    url: https://a/\n    auth: { type: bearer, token: env:AGENT_SECRET_A }\n";
  const bound = createSecretRules({ bindings: ["env:AGENT_SECRET_A=https://b"] });
  expect(await problemsOf(text, { ...anything, secrets: bound.check })).toEqual([
    expect.stringMatching(/^4:5: \/agents\/0\/auth The secret env:AGENT_SECRET_A must not be sent to https:\/\/a\./),
  ]);
  const unbound = createSecretRules({ bindings: [] });
  expect(await problemsOf(text, { ...anything, secrets: unbound.check })).toEqual([]);
});

test("B23: a secret in place of a reference is reported by location and never shown", async () => {
  const inClear = "agents:\n  - name: a\n    url: http://a/\n    auth: { type: bearer, token: hunter2-in-clear }\n";
  const [told = ""] = await problemsOf(inClear);
  expect(told).toMatch(/^4:27: \/agents\/0\/auth\/token must name a secret, not contain it/);
  const broken = await problemsOf("agents:\n  - name: a\n    token: hunter2: *hunter2\n  hunter2 }");
  expect([told, ...broken].join("\n")).not.toContain("hunter2");
});

const by = { actor: "file:agents.yaml", correlationId: "start" };
const agent = (name: string, more: Partial<AgentSettings> = {}): AgentSettings => ({
  name,
  url: "http://127.0.0.1:1/",
  ...more,
});

onBothEngines("an agents file", (newDatabase) => {
  const open = async () => {
    const database = await openAgents(await newDatabase());
    return { database, store: createAgentStore(database) };
  };

  test("D4: its agents are stored, changed and removed with the file; the API's agents stay", async () => {
    const { store } = await open();
    await store.create(fillSettings(agent("api")), "api", by);
    expect(await applyAgents(store, [agent("a"), agent("b"), agent("c")], by)).toMatchObject({
      created: ["a", "b", "c"],
    });
    const next = [agent("a"), agent("b", { timeout_ms: 5_000 })];
    expect(await applyAgents(store, next, by)).toEqual({
      created: [],
      updated: ["b"],
      removed: ["c"],
      kept: ["a"],
      moved: [],
    });
    const other = [agent("a", { protocol: "simple-a2a" }), next[1] as AgentSettings];
    expect(await applyAgents(store, other, by)).toMatchObject({ updated: ["a"], moved: ["a"] });
    await applyAgents(store, next, by);
    expect(await store.all()).toMatchObject([
      { name: "a", source: "file", revision: 3 },
      { name: "api", source: "api" },
      { name: "b", source: "file", revision: 2, timeout_ms: 5_000 },
    ]);
    const page = { limit: 9 };
    expect((await store.history("a", page)).total).toBe(3);
    expect((await store.history("c", page)).events).toMatchObject([
      { event: { action: "agent.deleted", actor: { type: "zone", id: "file:agents.yaml" } } },
      { event: { action: "agent.created" } },
    ]);
  });

  test("an agent of the API becomes the file's, and an unreadable row is replaced", async () => {
    const { store, database } = await open();
    const before = (await store.create(fillSettings(agent("a")), "api", by)) as AgentRecord;
    await sql`insert into agent (id, name, url) values ('not a uuid', 'b', 'ftp://x')`.execute(database.db);
    const applied = await applyAgents(store, [agent("a"), agent("b")], by);
    expect(applied).toMatchObject({ updated: ["a"], created: ["b"] });
    expect(await store.get("a")).toMatchObject({ id: before.id, source: "file", revision: 2 });
    expect(await store.get("b")).toMatchObject({ url: "http://127.0.0.1:1/", source: "file" });
  });

  test("several processes that start at the same time store each agent once", async () => {
    const { store } = await open();
    const agents = Array.from({ length: 10 }, (_, index) => agent(`agent ${index}`));
    const all = await Promise.all(Array.from({ length: 4 }, () => applyAgents(store, agents, by)));
    expect(all.flatMap(({ created }) => created).toSorted()).toEqual(agents.map(({ name }) => name));
    expect(all.flatMap(({ updated, removed }) => [...updated, ...removed])).toEqual([]);
    expect((await store.all()).map(({ name }) => name)).toEqual(agents.map(({ name }) => name));
  });
});
