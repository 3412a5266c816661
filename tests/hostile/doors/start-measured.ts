import { freePort, startAgent, startSignInProvider } from "@crosszone/testkit";
import { databaseEnv, type LogLine, startZoneProcess } from "@crosszone/testkit/process";
import { tempFile } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import { onTestFinished, vi } from "vitest";
import { adminToken } from "../../harness/runs-api.ts";
import { writeAgentsFile, writeWorkflows } from "../../harness/temp-file.ts";
import type { Zone } from "./execution-doors.ts";

const tokens = 50;
const scopes = ["ask", "runs:read", "runs:act", "content:read", "agents:write", "audit:read", "tokens:write"];
const hookSecret = "a-secret-of-a-hook-with-32-letters";

const owner = { team_id: "T1", user_id: "U1" };
const of = { owner, secrets: ["env:AGENT_SECRET_HOOK"], sign: { kind: "bearer" }, per_minute: 10_000 };
const asks = { ...of, agent: "builtin", cap: { fires: 1_440 } };
const backtracking = { type: "object", properties: { title: { type: "string", pattern: "^([a-z]+ ?)+$" } } };

/** Each uses what a sender writes in another way. */
const hooks = [
  { ...asks, name: "text", text: "upper: ${body}" },
  { ...asks, name: "input", input: { all: "${body}", one: "${body.tags}" } },
  { ...asks, name: "schema", schema: backtracking, text: "${body.title}" },
  { ...asks, name: "unique", schema: { type: "object", properties: { tags: { uniqueItems: true } } }, text: "new" },
  { ...asks, name: "if", if: 'body.tags.exists(t, t.contains("zz")) || size(body.note) > 3', text: "${body.note}" },
  { ...asks, name: "only", only: { "/title": ["fix"] }, text: "${headers.x-event}" },
  { ...of, name: "event", event: { name: "paid", key: "${body.title}" } },
];

const heavy = {
  workflow_id: "heavy",
  name: "Heavy",
  version: "1.0.0",
  input_schema: { ...backtracking, properties: { ...backtracking.properties, items: { uniqueItems: true } } },
  start_step: "check",
  steps: {
    check: {
      id: "check",
      type: "conditional",
      condition: { expression: '${workflow.input.items}.exists(i, i == "z")' },
      if_true_step: null,
      if_false_step: "each",
    },
    each: {
      id: "each",
      type: "loop",
      loop_config: {
        collection: "${workflow.input.items}",
        iterator_variable: "item",
        loop_body: ["say"],
        execution_mode: "parallel",
      },
      next_step: "pay",
    },
    say: { id: "say", type: "wait", for_ms: 1 },
    pay: {
      id: "pay",
      type: "human",
      input: "approve",
      prompt: "Pay?",
      body: "${workflow.input.title}",
      action: { tool: "pay", arguments: "${workflow.input}" },
      decide: { people: ["U1"] },
    },
  },
} as const;

/** Starts execution as a process with every door that it can have. Ends with the test. */
export async function startMeasured(
  database: string,
): Promise<Zone & { readonly pid: number; readonly log: LogLine[] }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startSignInProvider(`http://localhost:${port}`);
  onTestFinished(provider.stop);
  const agent = await startAgent(() => "ok");
  const names = Array.from({ length: tokens }, (_, n) => `t${n}`);
  const askers = names.map((token) => ({ token, agents: ["*"], per_minute: 100_000, open_tasks: 10_000 }));
  const console = { issuer: provider.issuer, client_id: "console", roles: { viewer: ["viewers"] } };
  const log: LogLine[] = [];
  const env = {
    ...databaseEnv(database),
    EXECUTION_TOKEN: "a-link-token-of-thirty-two-letters",
    EXECUTION_PORT: String(port),
    ADMIN_TOKENS: adminToken,
    MAX_REQUESTS_PER_MINUTE: "0",
    ASK_PORT: "0",
    ASK_FILE: tempFile("askers.yaml", JSON.stringify({ askers })),
    HOOKS_FILE: tempFile("hooks.yaml", JSON.stringify({ hooks })),
    AGENT_SECRET_HOOK: hookSecret,
    CONSOLE_FILE: tempFile("console.yaml", JSON.stringify(console)),
    CONSOLE_URL: `http://localhost:${port}`,
    CONSOLE_CLIENT_SECRET: provider.clientSecret,
    AGENTS_FILE: writeAgentsFile([{ name: "listed", url: agent.url }]),
    AGENT_ORIGINS: new URL(agent.url).origin,
    WORKFLOWS_DIR: writeWorkflows(heavy as never),
  };
  const { pid } = await startZoneProcess(
    "execution",
    tune({ SYNC_WINDOW_MS: 0, MAX_WAIT_MS: 100, MAX_REQUEST_BURST: 1_000_000 }, env),
    { log },
  );
  const askUrl = await vi.waitUntil(
    () => log.find(({ event }) => event === "ask_listening")?.["url"] as string | undefined,
  );

  async function call(path: string, body: object, token: string): Promise<Record<string, unknown>> {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    const response = await fetch(path.startsWith("/mcp") ? askUrl + path : `${url}/api/v1${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return JSON.parse(text.slice(Math.max(0, text.indexOf("{")))) as Record<string, unknown>;
  }
  let creator = adminToken;
  const texts: string[] = [];
  for (const name of names) {
    texts.push(
      String((await call("/tokens", { name, scopes, expires_in: 86_000 - 100 * texts.length }, creator))["token"]),
    );
    creator = texts[0] as string;
  }
  let used = 0;
  const token = (): string => texts[(used += 1) % tokens] as string;
  const { run_id = "" } = await call("/runs", { workflow_id: "heavy", input: { items: ["a"] } }, token());
  const listed = await call("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, token());
  const { tools } = listed["result"] as { readonly tools: Zone["tools"] };
  const known = {
    workflow_id: "heavy",
    version: "1.0.0",
    run_id,
    agent: "builtin",
    agent_name: "builtin",
    workflow: "heavy",
    url: agent.url,
    input: { title: "a", items: ["a"] },
    owner,
    wait_ms: 0,
    wait_seconds: 0,
  };
  return {
    url,
    askUrl,
    linkToken: env.EXECUTION_TOKEN,
    token,
    known,
    hooks: hooks.map(({ name }) => name),
    hookSecret,
    tools,
    pid,
    log,
  };
}
