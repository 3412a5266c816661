import { freePort, startSignInProvider } from "@crosszone/testkit";
import { databaseEnv } from "@crosszone/testkit/process";
import { tempFile } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { onTestFinished } from "vitest";
import { adminToken } from "../../harness/runs-api.ts";
import { startWithAgents } from "../../harness/start-crosszone.ts";
import { writeWorkflows } from "../../harness/temp-file.ts";
import type { Zones } from "./doors.ts";
import { plantedWord } from "./growths.ts";

const scopes = ["ask", "runs:read", "runs:act", "content:read", "agents:write", "audit:read", "tokens:write"];
const hookSecret = "a-secret-of-a-hook-with-32-letters";

const owner = { team_id: "T0CROSSZONE", user_id: "U0ALICE0001" };
const sender = { owner, secrets: ["env:AGENT_SECRET_HOOK"], sign: { kind: "bearer" }, per_minute: 10_000 };
const asks = { ...sender, agent: "builtin", cap: { fires: 1_440 } };
const backtracking = { title: { type: "string", pattern: "^([a-z]+ ?)+$" } };

/** Each does something else with what its sender writes. */
const hooks = [
  { ...asks, name: "text", text: "upper: ${body}" },
  { ...asks, name: "input", input: { all: "${body}", one: "${body.tags}" } },
  { ...asks, name: "schema", schema: { type: "object", properties: backtracking }, text: "${body.title}" },
  { ...asks, name: "unique", schema: { type: "object", properties: { tags: { uniqueItems: true } } }, text: "new" },
  { ...asks, name: "if", if: 'body.tags.exists(t, t.contains("zz")) || size(body.note) > 3', text: "${body.note}" },
  { ...asks, name: "only", only: { "/title": ["fix"] }, text: "${headers.x-event}" },
  { ...sender, name: "event", event: { name: "paid", key: "${body.title}" } },
];

/** A workflow that reads its input in many ways, and then waits for a person. */
const heavy: WorkflowDefinition = {
  workflow_id: "heavy",
  name: "Heavy",
  version: "1.0.0",
  input_schema: { type: "object", properties: { ...backtracking, items: { uniqueItems: true } } },
  start_step: "check",
  steps: {
    check: {
      id: "check",
      type: "conditional",
      condition: { expression: '${workflow.input.items}.exists(i, i == "z")' },
      if_true_step: null,
      if_false_step: "pay",
    },
    pay: {
      id: "pay",
      type: "human",
      input: "approve",
      prompt: "Pay?",
      body: "${workflow.input.title}",
      action: { tool: "pay", arguments: { all: "${workflow.input}" } },
      decide: { people: [owner.user_id] },
    },
  },
};

/** What a token may ask as a program. */
interface Program {
  readonly token: string;
  readonly agents: readonly string[];
  readonly per_minute: number;
  readonly open_tasks: number;
}

/** Returns a program that may ask everything. */
export const programOf = (token: string): Program => ({
  token,
  agents: ["*"],
  per_minute: 100_000,
  open_tasks: 10_000,
});

interface Options {
  /** Of execution, and of verification. */
  readonly databases: readonly [string, string];
  readonly workflows?: readonly WorkflowDefinition[];
  /** How many API tokens with every scope. */
  readonly tokens: number;
  /** What a token may ask as a program, by its name (default: all, without a limit that is met). */
  readonly programs?: readonly Program[];
  readonly constants?: Readonly<Record<string, number>>;
  /** More variables of execution. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of both zones. */
  readonly dataKeys?: string;
  /** Options of Node for both zones. */
  readonly node?: readonly string[];
}

/** Starts both zones as processes, with every door that they can have. They end with the test. */
export async function openDoors(options: Options) {
  const { databases, workflows = [], tokens, constants = {}, env: more, dataKeys, node } = options;
  const keys: Record<string, string> = dataKeys === undefined ? {} : { DATA_KEYS: dataKeys };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startSignInProvider(`http://localhost:${port}`);
  onTestFinished(provider.stop);
  const names = Array.from({ length: tokens }, (_, n) => `t${n}`);
  const { programs: askers = names.map(programOf) } = options;
  const console = { issuer: provider.issuer, client_id: "console", roles: { viewer: ["viewers"] } };
  const env = tune(constants, {
    ...databaseEnv(databases[0]),
    EXECUTION_PORT: String(port),
    MAX_REQUESTS_PER_MINUTE: "0",
    ASK_PORT: "0",
    EXECUTION_FILE: tempFile("execution.yaml", JSON.stringify({ programs: { askers }, hooks, console })),
    AGENT_SECRET_HOOK: hookSecret,
    CONSOLE_URL: `http://localhost:${port}`,
    CONSOLE_CLIENT_SECRET: provider.clientSecret,
    WORKFLOWS_DIR: writeWorkflows(heavy, ...workflows),
    LOG_LEVEL: "info",
    ...keys,
    ...more,
  });
  const verificationEnv = tune(
    { THREAD_MESSAGES_PER_HOUR: 1_000_000 },
    {
      ...databaseEnv(databases[1]),
      MESSAGES_PER_MINUTE: "1000000",
      ...keys,
    },
  );
  const started = await startWithAgents({ env, verificationEnv, view: true, node });
  const askUrl = String(started.log.find(({ event }) => event === "ask_listening")?.["url"]);

  async function post(at: string, token: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const types = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const headers = { ...types, authorization: `Bearer ${token}`, "mcp-protocol-version": "2025-11-25" };
    const text = await (await fetch(at, { method: "POST", headers, body: JSON.stringify(body) })).text();
    return JSON.parse(text.slice(text.indexOf("{"))) as Readonly<Record<string, unknown>>;
  }
  const texts: string[] = [];
  for (const [at, name] of names.entries()) {
    const made = { name, scopes, expires_in: 86_000 - 100 * at };
    texts.push(String((await post(`${url}/api/v1/tokens`, texts[0] ?? adminToken, made))["token"]));
  }
  const [token = ""] = texts;
  const { run_id } = await post(`${url}/api/v1/runs`, token, {
    workflow_id: "heavy",
    input: { title: plantedWord, items: ["a"] },
  });
  const listed = await post(`${askUrl}/mcp`, token, { jsonrpc: "2.0", id: 1, method: "tools/list" });
  const { slack, verificationUrl, linkToken } = started;
  const named = { workflow_id: "heavy", workflow: "heavy", version: "1.0.0", agent: "builtin", agent_name: "builtin" };
  const rest = { input: { title: "a", items: ["a"] }, wait_ms: 0, wait_seconds: 0 };
  const zones: Zones = {
    url,
    askUrl,
    verificationUrl,
    linkToken,
    tokens: texts,
    hooks: hooks.map(({ name }) => name),
    hookSecret,
    signingSecret: slack.signingSecret,
    workspace: slack.workspace,
    tools: (listed["result"] as { readonly tools: Zones["tools"] }).tools,
    known: {
      ...named,
      ...rest,
      run_id,
      url: started.agents.url,
      owner,
    },
  };
  const { execution, verification } = started;
  if (!("pid" in verification)) throw new Error("verification is no process");
  const pids = { execution: execution.pid, verification: verification.pid };
  return { ...started, pids, processes: [execution, verification], zones };
}
