import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { mcpTool, startMcpServer } from "@crosszone/assistant/testing/mcp";
import { type RowResult, runRows } from "@crosszone/ops/doctor";
import { startSignInProvider } from "@crosszone/testkit";
import { serve, tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, onTestFinished, test } from "vitest";
import { executionDoctor, judgeTokens } from "./doctor.ts";

/** Runs the rows with these names, or all. */
async function consult(env: Record<string, string>, ...names: string[]): Promise<Record<string, RowResult>> {
  const { rows, skip } = executionDoctor(env);
  const asked = rows.filter(({ name }) => names.length === 0 || names.includes(name));
  const results = await runRows(asked, { timeoutMs: 10_000, skip });
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

describe("the token", () => {
  const random = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 73 + 41) % 256)).toString("base64url");
  test.each([
    ["made of random bytes", [random], "passed"],
    ["being replaced", [random, `${random.slice(1)}Z`], "passed"],
    ["of one letter", ["a".repeat(64)], "failed"],
    ["of a repeated word", ["changeme".repeat(5)], "failed"],
    ["of a few known words", ["crosszone-secret-token-password-example"], "failed"],
    ["and a weak second one", [random, "0".repeat(40)], "failed"],
    ["twice", [random, random], "warned"],
    ["and two older ones", [random, `${random}1`, `${random}2`], "warned"],
  ])("%s: %s", (_name, tokens, status) => {
    const finding = judgeTokens(tokens);
    expect(finding.status).toBe(status);
    for (const token of tokens) expect(JSON.stringify(finding)).not.toContain(token);
  });

  test("is judged for hmac too; without any, there is a warning that says how to make one", async () => {
    const found = await consult({ CALLER_AUTH: "hmac", EXECUTION_TOKEN: "0".repeat(40) }, "callers", "secret strength");
    expect(found["secret strength"]).toMatchObject({ status: "failed" });
    expect(found["callers"]?.says).toContain("CALLER_AUTH is hmac");
    const { "secret strength": none } = await consult({}, "secret strength");
    expect(none).toMatchObject({ status: "warned", todo: [expect.stringContaining("randomBytes(32)")] });
  });
});

const noKeys = { status: "failed", todo: [expect.stringContaining("jwks_uri")] };
test.each([
  ["a key set", '{"keys":[{"kty":"RSA","kid":"1"}]}', { status: "passed", todo: [] }],
  ["an empty key set", '{"keys":[]}', noKeys],
  ["the metadata of the issuer", '{"issuer":"https://issuer.example.com"}', noKeys],
  ["a page", "<h1>Welcome</h1>", noKeys],
])("the issuer's keys are fetched: %s", async (_what, body, found) => {
  const env = {
    CALLER_AUTH: "jwt",
    CALLER_JWT_ISSUER: "https://issuer.example.com",
    CALLER_JWT_AUDIENCE: "zone",
    CALLER_ALLOWED: "sub:verification",
    CALLER_JWT_JWKS: await serve((_request, response) => void response.end(body)),
  };
  const { keys } = await consult(env, "keys");
  expect(keys).toMatchObject(found);
});

test("TLS files that are missing, and a collector that is down, are named by their variables", async () => {
  const found = await consult(
    {
      TLS_CERT_FILE: "/nowhere/tls.crt",
      TLS_KEY_FILE: "/nowhere/tls.key",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    },
    "callers",
    "traces reachable",
  );
  expect(found).toMatchObject({
    callers: { status: "failed", todo: ["TLS_CERT_FILE names a file that cannot be read (ENOENT)."] },
    "traces reachable": { todo: ["Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT."] },
  });
});

test("verification is unreachable, is another service, or refuses a handle that is random on each probe", async () => {
  const asking = async (url: string) =>
    (await consult({ VERIFICATION_URL: url }, "verification files"))["verification files"];
  expect(await asking("http://127.0.0.1:9")).toMatchObject({
    status: "failed",
    says: "the connection to 127.0.0.1:9 was refused",
  });
  const other = await asking(await serve((_request, response) => void response.end("<h1>Welcome</h1>")));
  expect(other).toMatchObject({ status: "failed", todo: [expect.stringContaining("the part before /files")] });
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    if (request.url === "/zone/files/F0") asked.push(request.headers.authorization);
    response.writeHead(401).end('{"error":{"reason":"unauthorized"}}');
  });
  for (const path of ["/zone/", "/zone"]) expect(await asking(url + path)).toMatchObject({ status: "passed" });
  expect(new Set(asked).size).toBe(2);
  for (const handle of asked) expect(handle).toMatch(/^Bearer czh_[\w-]{43}$/);
});

test("all errors of an invalid configuration are reported, and the rows that need it are skipped", async () => {
  const found = await consult(
    { EXECUTION_PORT: "many", CALLER_AUTH: "?", EXECUTION_HOST: "0.0.0.0" },
    "configuration",
    "callers",
  );
  const names = found["configuration"]?.todo.map((text) => text.split(" ")[0]);
  expect(names).toEqual(expect.arrayContaining(["EXECUTION_PORT", "CALLER_AUTH"]));
  expect(found["callers"]).toMatchObject({ status: "skipped" });
});

describe("the agents file", () => {
  const agentsFile = (auth: string, url = "https://agents.example.com/") =>
    tempFile("agents.yaml", `agents:\n  - { name: scout, url: "${url}", auth: ${auth} }\n`);
  const consultFile = async (env: Record<string, string>) => (await consult(env, "agents"))["agents"];

  test("D4: is read as at the start, and each of its secrets is looked up", async () => {
    expect(await consultFile({})).toMatchObject({ status: "skipped" });
    const EXECUTION_FILE = agentsFile("{ type: bearer, token: env:AGENT_SECRET_SCOUT }");
    const good = await consultFile({ EXECUTION_FILE, AGENT_SECRET_SCOUT: "s3cret" });
    expect(good).toMatchObject({ status: "passed", says: "scout" });
    const missing = await consultFile({ EXECUTION_FILE });
    expect(missing).toMatchObject({ status: "failed", todo: [expect.stringContaining("env:AGENT_SECRET_SCOUT")] });
    expect(JSON.stringify(good)).not.toContain("s3cret");
  });

  test("D4: has errors, which are reported by line, including an address that is not allowed", async () => {
    const wrong = await consultFile({ EXECUTION_FILE: agentsFile("{ type: none }", "http://10.0.0.1/") });
    expect(wrong?.todo).toEqual([expect.stringMatching(/agents\.yaml:2:\d+: .*AGENT_ORIGINS/)]);
    const gone = await consultFile({ EXECUTION_FILE: "/nowhere/agents.yaml" });
    expect(gone).toMatchObject({ status: "failed", todo: [expect.stringContaining("ENOENT")] });
  });
});

describe("workflows", () => {
  const WORKFLOWS_DIR = resolve(import.meta.dirname, "../../../../../examples/workflows");
  const consultWorkflows = async (env: Record<string, string>) => (await consult(env, "workflows"))["workflows"];
  const declaring = (...names: string[]) =>
    tempFile("a.yaml", `agents:\n${names.map((n) => `  - { name: ${n}, url: "https://a.example.com/" }\n`).join("")}`);

  test("that name an unknown agent are reported with file, line and what to do", async () => {
    expect(await consultWorkflows({})).toMatchObject({ status: "skipped" });
    const strange = await consultWorkflows({ WORKFLOWS_DIR, EXECUTION_FILE: declaring("proofreader", "fingerprint") });
    expect(strange).toMatchObject({ status: "warned" });
    expect(strange?.todo).toContainEqual(
      expect.stringMatching(/sequence\.json:26:\d+: \/steps\/about\/agent_name is not a registered agent/),
    );
    expect(strange?.todo.at(-1)).toContain("Register missing agents");
    const all = declaring("proofreader", "fingerprint", "keywords", "billing");
    expect(await consultWorkflows({ WORKFLOWS_DIR, EXECUTION_FILE: all })).toMatchObject({ status: "passed" });
  });

  test("with errors are reported by file and line, as at the zone's start", async () => {
    const folder = resolve(tempFile("w.yaml", "workflow_id: w\nsteps: {}\n"), "..");
    const wrong = await consultWorkflows({ WORKFLOWS_DIR: folder });
    expect(wrong).toMatchObject({ status: "failed", says: "the zone can't start" });
    expect(wrong?.todo).toContainEqual(expect.stringMatching(/w\.yaml:1:1: \/name is missing$/));
  });
});

test("the number of tools of each MCP server is reported, or why there are none", async () => {
  const server = await startMcpServer({ tools: [mcpTool("find")], token: "planted-token" });
  const wiki = { name: "wiki", url: server.url, token: "env:AGENT_SECRET_WIKI" };
  const env = { EXECUTION_FILE: tempFile("execution.yaml", JSON.stringify({ mcp: [wiki] })) };
  const consultMcp = async (token: string) =>
    (await consult({ ...env, AGENT_SECRET_WIKI: token }, "MCP servers"))["MCP servers"];
  expect(await consultMcp("planted-token")).toMatchObject({ status: "passed", says: "wiki: 1 tools" });
  expect(await consultMcp("planted-wrong")).toMatchObject({
    status: "failed",
    says: "wiki: it answers HTTP 401: check its credentials in the settings",
  });
});

test("J32: a tool that an MCP server lists and the zone can't offer is named", async () => {
  const large = mcpTool("large", { inputSchema: { type: "object", title: "z".repeat(9_000) } });
  const { url } = await startMcpServer({ tools: [mcpTool("find"), large] });
  const env = { EXECUTION_FILE: tempFile("execution.yaml", JSON.stringify({ mcp: [{ name: "wiki", url }] })) };
  expect((await consult(env, "MCP servers"))["MCP servers"]).toMatchObject({
    status: "warned",
    says: "wiki: 1 tools, 1 left out",
    todo: [
      expect.stringMatching(/^wiki: large is left out: its input schema has 9,\d+ characters, more than 8,000\.$/),
    ],
  });
});

describe("the model", () => {
  const consultModel = async (env: Record<string, string>) => (await consult(env, "model"))["model"];
  async function startModels(...models: string[]) {
    const mock = await LLMock.create({ port: 0 });
    onTestFinished(() => mock.stop());
    for (const model of models) mock.on({ userMessage: "ok", model }, { content: "ok" });
    return { mock, env: { OPENAI_BASE_URL: `${mock.url}/v1`, MODEL: `openai/${models[0]}` } };
  }

  test("is asked one short question", async () => {
    const { mock, env } = await startModels("qwen3:8b");
    const says = expect.stringMatching(/^qwen3:8b \(OpenAI-compatible at 127\.0\.0\.1:\d+\) answers$/) as string;
    expect(await consultModel(env)).toMatchObject({ status: "passed", says });
    expect(JSON.stringify(mock.getRequests()[0]?.body)).toMatch(/"max_tokens":16/);
  });

  test("is missing, or its server is down", async () => {
    expect((await consultModel({}))?.says).toContain("set ANTHROPIC_API_KEY");
    const nobody = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
    expect((await consultModel(nobody))?.todo).toEqual([
      "MODEL is not set, and the server at OPENAI_BASE_URL doesn't list its models: it can't be reached. Expected: openai/<id of a model on that server>.",
    ]);
    const unreachable = await consultModel({ ...nobody, MODEL: "openai/x", OPENAI_API_KEY: "planted-key" });
    expect(unreachable).toMatchObject({ status: "failed", todo: [expect.stringContaining("Check the base URL")] });
  });

  test("of MODEL and each of the section assistant are tried once, and those that fail are reported", async () => {
    const { mock, env } = await startModels("one", "two");
    const named = (...models: string[]) => {
      const channels = Object.fromEntries(models.map((model, at) => [`C${at}`, { model }]));
      return { ...env, EXECUTION_FILE: tempFile("execution.yaml", JSON.stringify({ assistant: { channels } })) };
    };
    const both = await consultModel(named("openai/two", "openai/one", "openai/two"));
    expect(both).toMatchObject({ status: "passed", says: expect.stringMatching(/^one .* answers; two .* answers$/) });
    expect(mock.getRequests()).toHaveLength(2);
    const three = await consultModel(named("openai/three"));
    expect(three?.says).toMatch(/^one \(.*\) answers; three \(.*\): unknown_model/);
    expect(three?.todo).toEqual([expect.stringContaining("MODEL or in the section assistant")]);
  });
});

const consoleUrl = "http://localhost:4000";
const others = {
  issuer: "https://other.example",
  authorization_endpoint: "https://a.example",
  jwks_uri: "https://a.example",
};
const passes = ["passed", "passed", "passed", "passed"];
type Wrong = (at: (issuer: string) => string) => Promise<Record<string, string>>;
test.each<readonly [what: string, wrong: Wrong, statuses: readonly string[], todo: string]>([
  ["as it should be", async () => ({}), passes, ""],
  [
    "at an address that the provider does not know",
    async () => ({ CONSOLE_URL: "http://localhost:4001" }),
    ["passed", "passed", "passed", "warned"],
    "Register this redirect URI",
  ],
  [
    "with a provider of another name",
    async (at) => ({
      EXECUTION_FILE: at(await serve((_request, response) => void response.end(JSON.stringify(others)))),
    }),
    ["passed", "failed", "skipped", "skipped"],
    "Write this as issuer",
  ],
  [
    "with a page in place of the provider",
    async (at) => ({ EXECUTION_FILE: at(await serve((_request, response) => void response.end("<h1>Welcome</h1>"))) }),
    ["passed", "failed", "skipped", "skipped"],
    "Correct issuer",
  ],
  [
    "while the provider is down",
    async (at) => ({ EXECUTION_FILE: at("http://127.0.0.1:1") }),
    ["passed", "failed", "skipped", "skipped"],
    "Start the identity provider",
  ],
  [
    "with a file that can't be used",
    async () => ({ EXECUTION_FILE: tempFile("execution.yaml", "console: {issuer: 7}") }),
    ["failed", "skipped", "skipped", "skipped"],
    "issuer",
  ],
])("sign-in to the console %s", async (_what, wrong, ...[statuses, todo]) => {
  const provider = await startSignInProvider(consoleUrl);
  onTestFinished(provider.stop);
  const at = (issuer: string): string =>
    tempFile(
      "execution.yaml",
      JSON.stringify({ console: { issuer, client_id: "console", roles: { viewer: ["all"] } } }),
    );
  const env = { EXECUTION_FILE: at(provider.issuer), CONSOLE_URL: consoleUrl };
  const found = Object.values(
    await consult(
      { ...env, ...(await wrong(at)) },
      "console sign-in",
      "identity provider",
      "provider clock",
      "console address",
    ),
  );
  expect(found.map(({ status }) => status)).toEqual(statuses);
  expect(found.flatMap((row) => row.todo).join(" ")).toContain(todo);
});

test("without the section console, one row says that the console takes tokens", async () => {
  expect(await consult({}, "console sign-in", "identity provider")).toMatchObject({
    "console sign-in": { status: "skipped" },
    "identity provider": { status: "skipped" },
  });
});
