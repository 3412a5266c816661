import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { isA2AAgentCardV1, problemsOf, type A2AAgentCardV1 } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { createBuiltinAgent } from "@crosszone/builtin-agent";
import { zoneLinkBinding } from "../methods/describe-zone.ts";
import { agentCardPath } from "./card-route.ts";
import { hostProfiles } from "./host-profile.ts";
import { agentThat, echo, startZone, token } from "../testing/start-zone.ts";

/** Uses `request`, because `fetch` sets the host itself. */
async function getCard(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage & { text: string }> {
  const sent = request(url + agentCardPath, { headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return Object.assign(response, { text: Buffer.concat(await response.toArray()).toString() });
}

const urlIn = (text: string) => (JSON.parse(text) as A2AAgentCardV1).supportedInterfaces[0]?.url;

test("the card is the same at the well-known path, without credentials, and as a method", async () => {
  const zone = await startZone([createBuiltinAgent()], { tokens: [token], card: { version: "1.2.3" } });
  const { statusCode, headers, text } = await getCard(zone.url);
  expect([statusCode, headers["content-type"]]).toEqual([200, "application/json"]);
  const card = JSON.parse(text) as A2AAgentCardV1;
  expect(problemsOf(isA2AAgentCardV1, card)).toEqual([]);
  expect(await zone.call("get_agent_card", {})).toMatchObject({ result: card });
  expect(card).toMatchObject({
    version: "1.2.3",
    supportedInterfaces: [{ url: `${zone.url}/rpc`, protocolBinding: zoneLinkBinding }],
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  });
  expect(card.skills.map(({ id }) => id)).toEqual(createBuiltinAgent().skills.map(({ id }) => id));
});

test("the card does not list registered agents, and asks for no credentials where the zone asks for none", async () => {
  const secret = { ...agentThat(async () => ({ response_text: "" }), "secret"), description: "A secret project." };
  const registered = [{ find: async () => secret, list: async () => [secret] }];
  const zone = await startZone([echo], { registered, profile: hostProfiles.agentcore });
  const { text } = await getCard(zone.url);
  expect(text).not.toContain("secret");
  expect(JSON.parse(text)).not.toHaveProperty("securitySchemes");
  expect(urlIn(text)).toBe(`${zone.url}/invocations`);
});

test("a configured URL takes precedence over the request's host, and only then shared caches can keep the card", async () => {
  const configured = await startZone([echo], { card: { url: "https://zone.example.com/deep/" } });
  const card = await getCard(configured.url, { host: "evil.example" });
  expect(card.headers["cache-control"]).toBe("public, max-age=3600");
  expect(urlIn(card.text)).toBe("https://zone.example.com/deep/rpc");
  const { url } = await startZone([echo]);
  const named = await getCard(url, { host: "execution.internal:8080" });
  expect(named.headers["cache-control"]).toBe("private, max-age=3600");
  expect(urlIn(named.text)).toBe("http://execution.internal:8080/rpc");
});

test.each(["evil.example/x?", "user@evil.example", "a b", 'a"b', "evil.example:99999", "[::1", "<script>", ""])(
  "the host %j is not a plain host: the card names the address of the socket instead",
  async (host) => {
    const { url } = await startZone([echo]);
    const { text } = await getCard(url, { host, "x-forwarded-host": "evil.example", forwarded: "host=evil.example" });
    expect(urlIn(text)).toBe(`${url}/rpc`);
  },
);

test("a client that has the card is answered 304", async () => {
  const { url } = await startZone([echo]);
  const first = await getCard(url);
  const { etag = "" } = first.headers;
  const again = await getCard(url, { "if-none-match": `"other", W/${etag}` });
  expect([again.statusCode, again.text, again.headers.etag]).toEqual([304, "", etag]);
  expect(await getCard(url, { "if-none-match": '"other"' })).toMatchObject({ statusCode: 200, text: first.text });
});
