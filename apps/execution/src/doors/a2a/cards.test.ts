import { expect, test } from "vitest";
import { type Json, programOf, startAskedZone } from "../../testing/start-asked-zone.ts";
import { agentThat, echo } from "../../testing/start-zone.ts";

test("A1: anyone reads the public card, the same for every name (CARD-DISC-001 CARD-STRUCT-001 CARD-PROTO-001 CARD-PROTO-002 BIND-FIELD-001 CARD-CACHE-001 CARD-CACHE-002)", async () => {
  const { a2a: url, zone } = await startAskedZone([echo]);
  const cardOf = async (name: string, headers = {}) => fetch(`${url}${name}/.well-known/agent-card.json`, { headers });
  const response = await cardOf("echo");
  const card: Json = await response.json();
  expect(response.headers.get("cache-control")).toContain("max-age=");
  expect(response.headers.get("vary")).toBe("authorization, a2a-version");
  expect(card).toMatchObject({
    name: "echo",
    version: "1.2.3",
    url: `${url}echo/`,
    protocolVersion: "0.3.0",
    supportedInterfaces: [
      { url: `${url}echo/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${url}echo/`, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    capabilities: { streaming: true, extendedAgentCard: true },
  });
  // Readers of 1.0 that say so get no member of 0.3.
  const own1: Json = await (await cardOf("echo", { "a2a-version": "1.0" })).json();
  const { url: _url, preferredTransport: _transport, protocolVersion: _version, security: _security, ...both } = card;
  expect({ supportsAuthenticatedExtendedCard: true, ...own1 }).toEqual({
    ...both,
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
  });
  const unknown = JSON.stringify(await (await cardOf("nothing")).json());
  expect(JSON.parse(unknown.replaceAll("nothing", "echo"))).toEqual(card);
  const etag = response.headers.get("etag") ?? "";
  expect((await cardOf("echo", { "if-none-match": etag })).status).toBe(304);
  const own = await cardOf("echo", { authorization: "Bearer ci", "if-none-match": etag });
  expect([own.status, ((await own.json()) as Json).description]).toEqual([200, 'The agent "echo".']);
  expect((await cardOf("echo", { authorization: "Bearer wrong" })).status).toBe(401);
  expect((await cardOf("nothing", { authorization: "Bearer ci" })).status).toBe(404);
  expect(zone.log.filter(({ event }) => event === "http_failed")).toEqual([]);
});

test("A1: no member of a card is empty or false, and cards are signed where a key is set (CARD-SIGN-001)", async () => {
  const emptyIn = (value: Json): boolean =>
    value === false ||
    value === "" ||
    value === null ||
    (typeof value === "object" && (Object.keys(value).length === 0 || Object.values(value).some(emptyIn)));
  const signCard = async (card: object, key: string) => ({ ...card, signatures: [key] });
  const { a2a: url } = await startAskedZone([echo], { signCard, cardKey: "key" });
  const read = async (headers = {}): Promise<Json> =>
    (await fetch(`${url}echo/.well-known/agent-card.json`, { headers })).json();
  const { result } = await programOf(url, "echo").call("GetExtendedAgentCard");
  for (const card of [await read(), await read({ authorization: "Bearer ci" }), result])
    expect([card.signatures, emptyIn(card)]).toEqual([["key"], false]);
});

test("A7: a zone signed the card of a name that a stranger chose", async () => {
  let made = 0;
  const signCard = async (card: object) => ({
    ...card,
    signatures: [{ protected: "p", signature: String((made += 1)) }],
  });
  const cardAt = async (url: string, name: string, headers = {}) => {
    const response = await fetch(`${url}${encodeURIComponent(name)}/.well-known/agent-card.json`, { headers });
    return { status: response.status, card: (await response.json()) as Json };
  };
  const keyed = await startAskedZone([echo, agentThat(async () => ({ response_text: "ok" }), "trip")], {
    signCard,
    cardKey: "key",
  });
  for (const name of ["nothing", "Trusted Bank", "echo.", "ECHO"]) {
    const stranger = await cardAt(keyed.a2a, name);
    expect([name, stranger.status, JSON.stringify(stranger.card)]).toEqual([
      name,
      404,
      expect.not.stringContaining("signatures"),
    ]);
    const { status } = await cardAt(keyed.a2a, name, { authorization: "Bearer ci" });
    expect([name, status]).toEqual([name, 404]);
  }
  expect(made).toBe(0);
  for (let time = 0; time < 3; time += 1)
    for (const name of ["echo", "trip"]) expect((await cardAt(keyed.a2a, name)).card.signatures).toHaveLength(1);
  expect(made).toBe(2);
  // Without a key nothing is signed, and a stranger does not learn which names exist.
  const unsigned = await startAskedZone([echo], { signCard });
  const [real, chosen] = [await cardAt(unsigned.a2a, "echo"), await cardAt(unsigned.a2a, "nothing")];
  expect([chosen.status, JSON.parse(JSON.stringify(chosen.card).replaceAll("nothing", "echo"))]).toEqual([
    200,
    real.card,
  ]);
});

test("A1: the extended card of a workflow has its input schema; that of an agent it may not ask is not found (CARD-EXT-001 CARD-EXT-002)", async () => {
  const schema = { type: "object" as const, properties: { city: { type: "string" } } };
  const workflow = {
    ...agentThat(async () => ({ response_text: "ok" }), "trip"),
    kind: "workflow" as const,
    inputSchema: schema,
  };
  const { a2a: url, rejected } = await startAskedZone([workflow, echo], {
    programs: { ci: {}, few: { agents: ["trip"] } },
  });
  const { result } = await programOf(url, "trip", { token: "few" }).call("GetExtendedAgentCard");
  expect(result.skills[0].description).toContain(JSON.stringify(schema));
  expect(result.skills[0].inputModes).toContain("application/json");
  const refused = await programOf(url, "echo", { token: "few" }).call("GetExtendedAgentCard");
  expect(refused).toEqual(await programOf(url, "nothing", { token: "few" }).call("GetExtendedAgentCard"));
  expect(refused.error.code).toBe(-32001);
  expect(rejected[0]).toEqual({ actor: "token:few", action: "ask.agent", because: "agent not allowed" });
  const v03 = programOf(url, "trip", { "a2a-version": "0.3" });
  expect((await v03.call("agent/getAuthenticatedExtendedCard")).result.skills).toEqual(result.skills);
});
