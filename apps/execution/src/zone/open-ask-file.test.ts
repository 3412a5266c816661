import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startIdentityProvider } from "@crosszone/testkit";
import { mistakesIn, sectionIn } from "@crosszone/service-kit/testing";
import { serve, tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { configProblems } from "../testing/config-problems.ts";
import { loadExecutionConfig } from "./config/config.ts";
import { issuer, startAsk } from "../testing/start-ask.ts";
import { openTestSettings } from "../testing/open-test-settings.ts";
import { executionSections } from "./config/sections.ts";
import { followPrograms } from "./open-asking.ts";

const ASK_URL = "https://ask.example.com";
const rowFor = (variables: object) =>
  executionSections(loadExecutionConfig({ ...variables, ASK_PORT: "0" }).values, {}).programs;
const mistakes = (text: string, variables: object = { ASK_URL }) =>
  mistakesIn("programs", rowFor(variables), `programs: {${text}}`);

test.each([
  ["an unknown member", "askers: [{token: ci, agent: x}]", "/askers/0/agent"],
  ["a token and a subject", `askers: [{token: ci, subject: {issuer: ${ASK_URL}, sub: x}}]`, "/askers/0"],
  ["neither", "askers: [{agents: [x]}]", "/askers/0"],
  ["a subject without a claim", `askers: [{subject: {issuer: ${ASK_URL}}}]`, "/askers/0/subject"],
  ["a subject of an unknown issuer", "askers: [{subject: {issuer: x, sub: y}}]", "/askers/0/subject/issuer"],
  ["a token twice", "askers: [{token: ci}, {token: ci}]", "/askers/1"],
  ["an issuer over http", "issuers: [{issuer: http://login.example.com}]", "/issuers/0/issuer"],
  ["keys over http", `issuers: [{issuer: ${ASK_URL}, jwks: http://x.example.com}]`, "/issuers/0/jwks"],
  ["an issuer twice", `issuers: [{issuer: ${ASK_URL}}, {issuer: ${ASK_URL}}]`, "/issuers/1"],
  ["no rate", "askers: [{token: ci, per_minute: 0}]", "/askers/0/per_minute"],
  ["a key that is not there", "card_key: none.pem", "/card_key"],
])("%s is a mistake with its place", async (_what, text, pointer) => {
  expect((await mistakes(text))[0]).toMatch(new RegExp(`^1:\\d+: /programs${pointer} `));
});

test("without ASK_URL an issuer needs an audience", async () => {
  const read = (more: string) => mistakes(`issuers: [{issuer: ${issuer}${more}}]`, {});
  expect(await read("")).toEqual([expect.stringContaining("/programs/issuers/0 needs an audience")]);
  expect(await read(", audience: x")).toEqual([]);
});

test("the key of agent cards is next to the file that names it", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ format: "pem", type: "pkcs8" });
  const folder = tempFolder({ "key.pem": pem });
  const text = `programs: {card_key: ${join(folder, "key.pem")}}`;
  expect(await sectionIn("programs", rowFor({ ASK_URL }), text)).toMatchObject({ cardKey: pem });
  const other = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
  for (const key of ["no key", other.export({ format: "pem", type: "pkcs8" })]) {
    writeFileSync(join(folder, "key.pem"), key);
    expect(await mistakesIn("programs", rowFor({ ASK_URL }), text)).toHaveLength(1);
  }
});

/** Serves the metadata of an issuer at its paths, and opens a file that names it without its keys. */
async function discover(metadata: (url: string) => Record<string, unknown>) {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    seen.push(request.url ?? "");
    const found = metadata(url)[request.url ?? ""];
    response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found));
  });
  const EXECUTION_FILE = tempFile("execution.yaml", `programs: {issuers: [{issuer: ${url}/team}]}`);
  const { values: config } = loadExecutionConfig({ ASK_PORT: "0", ASK_URL, EXECUTION_FILE });
  const settings = await openTestSettings(config);
  const access = await followPrograms({ config, settings });
  const verify = async (token: string) => access().verifySubject?.(token, "mcp");
  return { url, seen, verify };
}

test.each(["/team/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/team"])(
  "the keys of an issuer are found by %s, once",
  async (path) => {
    const idp = await startIdentityProvider("unused");
    onTestFinished(() => idp.service.stop());
    const { url, verify, seen } = await discover((origin) => ({
      [path]: { issuer: `${origin}/team`, jwks_uri: idp.jwksUrl },
    }));
    const token = () => idp.mint({ iss: `${url}/team`, sub: "robot", aud: ASK_URL });
    expect(await verify(await token())).toMatchObject({ sub: "robot" });
    const times = seen.length;
    expect(await verify(await token())).toMatchObject({ sub: "robot" });
    expect(seen).toHaveLength(times);
  },
);

test("metadata of another issuer, or with keys over http, counts as none, and is not fetched for each token", async () => {
  const idp = await startIdentityProvider("unused");
  onTestFinished(() => idp.service.stop());
  for (const found of [
    () => ({ issuer: "https://evil.example", jwks_uri: idp.jwksUrl }),
    (url: string) => ({ issuer: `${url}/team`, jwks_uri: "http://evil.example/keys" }),
  ]) {
    const { url, verify, seen } = await discover((origin) => ({
      "/team/.well-known/openid-configuration": found(origin),
    }));
    const token = await idp.mint({ iss: `${url}/team`, sub: "robot", aud: ASK_URL });
    await expect(verify(token)).rejects.toThrow("no metadata of");
    await expect(verify(token)).rejects.toThrow("a moment ago");
    expect(seen).toHaveLength(2);
  }
  expect(idp.fetched()).toBe(0);
});

test("while the keys can't be fetched, the answer is 503 and nothing is held against the program", async () => {
  const { send, bearer, mint, idp, rejections, events } = await startAsk("sqlite::memory:");
  idp.service.outage = 500;
  const refused = await send("/mcp", { headers: bearer(await mint()) });
  expect([refused.status, await rejections()]).toEqual([503, []]);
  const because = events.find(([event]) => event === "http_refused")?.[1];
  expect(because).toMatchObject({ reason: "auth_unavailable", cause: expect.anything() });
});

test("the variables of the listener are checked with those of the zone", () => {
  const ASK_PORT = "4100";
  const token = { EXECUTION_TOKEN: "0123456789abcdef0123456789abcdef" };
  expect(configProblems({ ASK_PORT })).toEqual([]);
  expect(configProblems({ ASK_PORT, ASK_URL: "https://ask.example.com/" })).toEqual([]);
  expect(configProblems({ ASK_PORT: "4000" })).toEqual(["ASK_PORT"]);
  expect(configProblems({ ASK_PORT: "8080", HOST_PROFILE: "agentcore", ...token })).toEqual(["ASK_PORT", "ASK_PORT"]);
  expect(configProblems({ ASK_PORT, HOST_PROFILE: "agentcore", ASK_URL, ...token })).toEqual(["ASK_PORT"]);
  expect(configProblems({ ASK_PORT, EXECUTION_HOST: "0.0.0.0", ...token })).toEqual(["ASK_URL"]);
  expect(configProblems({ ASK_PORT, EXECUTION_HOST: "0.0.0.0", ASK_URL, ...token })).toEqual([]);
  for (const url of ["http://ask.example.com", "https://ask.example.com/x", "https://ask.example.com?x"])
    expect(configProblems({ ASK_PORT, ASK_URL: url })).toEqual(["ASK_URL"]);
});
