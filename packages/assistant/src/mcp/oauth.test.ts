import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { expect, test } from "vitest";
import { connectServer } from "../testing/connect-server.ts";
import { startModernServer } from "../testing/start-modern-server.ts";
import type { McpOAuth } from "./mcp-server.ts";

interface Guard {
  /** The issuer that the resource names, by its own origin. */
  readonly names?: (origin: string) => string;
  /** The issuer that the metadata states. */
  readonly states?: (origin: string) => string;
  /** Answers a token request. */
  readonly grants?: (form: URLSearchParams) => object;
}

/** Starts a server that only answers with a token of an authorization server at the same origin. */
async function startGuarded({ names = String, states = String, grants }: Guard = {}) {
  const tools = [{ name: "find", inputSchema: { type: "object" as const } }];
  const server = await startModernServer({
    tools,
    call: () => ({ content: [{ type: "text", text: "the token is planted-token" }] }),
    intercept: ({ path, headers, text }, response) => {
      const origin = `http://${headers.host}`;
      const json = (body: object): boolean => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
        return true;
      };
      if (path.startsWith("/.well-known/oauth-protected-resource"))
        return json({ resource: `${origin}/mcp`, authorization_servers: [names(origin)] });
      if (path.startsWith("/.well-known/oauth-authorization-server"))
        return json({
          issuer: states(origin),
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ["code"],
          grant_types_supported: ["client_credentials"],
        });
      if (path === "/token") {
        const usual = { access_token: "planted-token", token_type: "Bearer", expires_in: 60 };
        return json(grants?.(new URLSearchParams(text)) ?? usual);
      }
      if (headers.authorization === "Bearer planted-token") return false;
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="tools"`;
      response.writeHead(401, { "www-authenticate": challenge }).end();
      return true;
    },
  });
  const tokenRequests = () => server.requests.filter(({ path }) => path === "/token");
  return { ...server, origin: new URL(server.url).origin, tokenRequests };
}

type Credentials = Awaited<ReturnType<McpOAuth["readCredentials"]>>;

function connect(url: string, issuer: string, credentials: Credentials | (() => Credentials)) {
  const readCredentials = async () => (typeof credentials === "function" ? credentials() : credentials);
  const oauth = { issuer, clientId: "us", scopes: ["read"], readCredentials };
  return connectServer({ reach: { url, fetch, oauth } });
}

test("G5: one token is fetched from the issuer with the secret, used by all connections, and shown nowhere", async () => {
  const server = await startGuarded();
  const { call } = connect(server.url, server.origin, { secret: "planted-secret" });
  expect(await call()).toMatchObject({ text: "the token is [redacted]" });
  expect(await call()).toMatchObject({ text: "the token is [redacted]" });
  const [asked, ...more] = server.tokenRequests();
  expect(more).toEqual([]);
  expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from("us:planted-secret").toString("base64")}`);
  expect(Object.fromEntries(new URLSearchParams(asked?.text))).toEqual({
    grant_type: "client_credentials",
    resource: server.url,
    scope: "tools",
  });
  const others = server.requests.filter((request) => request !== asked);
  expect(JSON.stringify(others)).not.toContain("planted-secret");
});

test("a replaced secret gets a token of its own", async () => {
  const server = await startGuarded();
  let secret = "one";
  const { call } = connect(server.url, server.origin, () => ({ secret }));
  await call();
  secret = "two";
  await call();
  expect(server.tokenRequests()).toHaveLength(2);
});

test.each(["ec", "rsa"] as const)("an %s key signs an assertion for the issuer, and stays here", async (kind) => {
  const { privateKey } =
    kind === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const server = await startGuarded();
  // Not only PKCS #8 is read.
  const key = privateKey.export({ type: kind === "ec" ? "sec1" : "pkcs1", format: "pem" });
  expect(await connect(server.url, server.origin, { key }).call()).toMatchObject({ text: "the token is [redacted]" });
  const assertion = new URLSearchParams(server.tokenRequests()[0]?.text).get("client_assertion") ?? "";
  const [head = "", claims = "", signature = ""] = assertion.split(".");
  const publicKey = { key: createPublicKey(privateKey), dsaEncoding: "ieee-p1363" as const };
  const signed = Buffer.from(`${head}.${claims}`);
  expect(verify("sha256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ sub: "us", aud: server.origin });
});

const another = "it names another authorization server than `issuer` in the settings";

test.each<[string, Guard]>([
  [
    "the server names another issuer",
    { names: (origin) => `${origin}/tenant`, states: (origin) => `${origin}/tenant` },
  ],
  ["its metadata states another issuer", { states: (origin) => `${origin}/` }],
  ["its metadata states a host of others", { states: () => "https://id.example.com" }],
])("no credentials are sent when %s", async (_what, guard) => {
  const server = await startGuarded(guard);
  const { call, told } = connect(server.url, server.origin, { secret: "planted-secret" });
  expect(await call()).toBeUndefined();
  expect(told).toEqual([another]);
  expect(server.tokenRequests()).toEqual([]);
  expect(JSON.stringify(server.requests)).not.toContain("planted");
});

test("a refusal of the authorization server is reported by its code alone; a key that can't sign, too", async () => {
  const server = await startGuarded({ grants: () => ({ error: "invalid_scope", error_description: "planted" }) });
  const refused = connect(server.url, server.origin, { secret: "x" });
  await refused.call();
  expect(refused.told).toEqual(["its authorization server answers invalid_scope: check `oauth` in the settings"]);
  const unreadable = connect(server.url, server.origin, { key: "planted" });
  await unreadable.call();
  expect(unreadable.told).toEqual(["its private_key can't be read: write it as PEM"]);
});

test("a server with a fixed token starts no discovery, and no other server gets the token", async () => {
  const other = await startGuarded();
  const server = await startModernServer({
    tools: [],
    intercept: (_request, response) => {
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${other.origin}/metadata"` }).end();
      return true;
    },
  });
  const reach = { url: server.url, fetch, readToken: async () => "planted-token" };
  const { names, told } = connectServer({ reach });
  expect(await names()).toEqual([]);
  expect(told).toEqual(["it answers HTTP 401: check its credentials in the settings"]);
  expect(other.requests).toEqual([]);
});
