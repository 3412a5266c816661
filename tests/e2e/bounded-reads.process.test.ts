import { readdirSync, readFileSync } from "node:fs";
import { StatementSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTokenText, tokenDigest } from "@crosszone/admin-api";
import { openTaskStore } from "@crosszone/execution";
import { createAppendAudit } from "@crosszone/audit";
import { createRecordCodec } from "@crosszone/service-kit";
import { openTestZone } from "@crosszone/execution/testing";
import { wideLimits } from "../harness/start-crosszone.ts";

const mb = 1_000_000;
const day = 86_400_000;
const text = (bytes: number): string => "x".repeat(bytes);

/** What a filled zone has. */
const rows = {
  /** The rows of most tables. */
  count: 60,
  agents: 150,
  tools: 400,
  input: (number: number): string => `input-request-${String(number).padStart(4, "0")}`,
  /** The id of a task: the first has a file of 10 MB, the second an answer of 3 MB, the others failed. */
  task: (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
};

type FilledZone = Awaited<ReturnType<typeof fillZone>>;

const scopes = ["ask", "runs:read", "runs:act", "content:read", "agents:write", "audit:read", "tokens:write"];
type Row = Readonly<Record<string, string | number | null>>;

const many = (count: number, make: (number: number) => Row): Row[] => Array.from({ length: count }, (_, n) => make(n));

/** Starts execution on a database whose rows are as large as they can be. */
async function fillZone() {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-filled-"));
  const url = `sqlite:${join(folder, "zone.sqlite")}`;
  const tokens = Array.from({ length: 100 }, () => newTokenText());
  const { database } = await openTaskStore({ url });
  const now = Date.now();
  const api_token = tokens.map((token, n) => tokenRow(token, n, now));
  for (const [table, all] of Object.entries({ ...tablesAt(now), api_token }))
    for (const row of all) {
      const into = database.db.insertInto(table as never);
      await into.values(row).execute();
    }
  const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
  for (let n = 0; n < rows.count; n += 1)
    await append(database.db, [
      {
        id: `event-${n}`,
        action: "test.act",
        outcome: "done",
        actor: { type: "token", id: "ci" },
        target: { type: "agent", id: "agent-1" },
        surface: "api",
        at: now,
        content: { before: null, after: null, reason: text(100_000) },
      },
    ]);
  await database.close();
  const zone = await openTestZone(undefined, { ...wideLimits, tokens: ["link-token"], database: url });
  let used = 0;
  // The first use of a token is an event of the audit log, a second later.
  for (const token of tokens)
    await fetch(`${zone.url}/api/v1/tokens`, { headers: { authorization: `Bearer ${token}` } });
  await delay(2_500);
  return {
    url: zone.url,
    /** The token of the zone link. */
    token: "link-token",
    /** Returns a token of the API with all scopes, each time another, because each has a rate limit. */
    apiToken: () => tokens[(used += 1) % tokens.length] as string,
    stop: async () => {
      await zone.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const tokenRow = (token: string, n: number, now: number): Row => ({
  id: `token-${n}`,
  name: `token-${n}`,
  digest: tokenDigest(token),
  scopes: ` ${scopes.join(" ")} `,
  created_by: "bootstrap",
  created_at: now,
  expires_at: now + day,
});

function tablesAt(now: number): Readonly<Record<string, readonly Row[]>> {
  return {
    job: many(rows.count, (n) => taskRow(n, now)),
    input_request: many(rows.count, (n) => inputRow(n, now)),
    agent: many(rows.agents, (n) => ({
      id: randomUUID(),
      name: `agent-${n}`,
      url: "http://127.0.0.1:9/",
      description: "€".repeat(4_000),
    })),
    token_use: many(rows.count, (n) => ({
      actor: "token:token-0",
      day: new Date(now).toISOString().slice(0, 10),
      address: `2001:db8::${n}`,
      client: text(200),
      uses: 1,
      first_at: now,
      last_at: now,
    })),
    message: many(rows.count, (n) => messageRow(n, now)),
    mcp_server: [{ name: "tools", first_seen_at: now }],
    mcp_tool: many(rows.tools, (n) => ({
      server: "tools",
      tool: `tool-${n}`,
      seen: JSON.stringify({ name: `tool-${n}`, description: text(60_000), inputSchema: {}, annotations: {} }),
      seen_print: "print",
      listed: 1,
    })),
    workflow: [
      ...many(rows.count, (n) => versionRow(`workflow-${n}`, 1, now)),
      ...many(rows.count, (n) => versionRow("versions", n + 1, now)),
    ],
    workflow_run: [...many(rows.count, (n) => runRow(`run-${n}`, now)), largeRun(now)],
    workflow_step: many(4, (n) => stepRow(n, now)),
  };
}

function taskRow(n: number, now: number): Row {
  const id = rows.task(n);
  const answer = { status: "success", task_id: id, agent: "builtin", response_text: n === 1 ? text(3 * mb) : "done" };
  const file = { id: "f", name: "large.bin", media_type: "application/octet-stream", size: 10 * mb };
  const outcome =
    n === 0
      ? { answer: { ...answer, files: [file] }, files: [{ id: "f", bytes: Buffer.alloc(10 * mb).toString("base64") }] }
      : n === 1
        ? { answer }
        : { error: { kind: "agent_failed", data: {}, detail: text(100_000) } };
  const record = { caller: "verification", key: id, fingerprint: "f", correlation_id: "c", agent: "builtin" };
  return {
    id,
    kind: "task",
    share: "task",
    state: 4,
    attempt: 1,
    due_at: now,
    created_at: now,
    deadline_at: now,
    ended_at: now,
    outcome: n < 2 ? "success" : "error",
    name: "builtin",
    correlation_id: "c",
    record: JSON.stringify(record),
    input: JSON.stringify({ channel: "C1", text: text(mb), team_id: "T1", user_id: "U1" }),
    output: JSON.stringify(outcome),
    error_kind: n < 2 ? null : "agent_failed",
    error_detail: n < 2 ? null : text(100_000),
    paused: JSON.stringify({ continuation: text(mb), remaining_ms: 1, pauses: 1 }),
  };
}

function messageRow(n: number, now: number): Row {
  const [at, id] = [new Date(now).toISOString(), text(64)];
  const times = { received_at: at, judged_at: at, posted_at: at, ended_at: at };
  const where = { team_id: id, channel: id, ts: text(32), thread_ts: text(32), user_id: id };
  const reference = n === 0 ? "c" : `c-${n}`;
  const report = { ...where, ...times, reference, revision: 1, state: "denied", attempts: 1 };
  const { team_id: team, judged_at: _j, posted_at: _p, ended_at: _e, attempts: _a, ...row } = report;
  const record = JSON.stringify({ ...report, rule: text(255), reason: text(1_000) });
  return { ...row, team, caller: "verification", received_at: now, stored_at: now, record };
}

function inputRow(n: number, now: number): Row {
  const times = { created_at: new Date(now).toISOString(), expires_at: new Date(now + day).toISOString() };
  const request_id = rows.input(n);
  const request = {
    request_id,
    task_id: rows.task(2),
    state: "open",
    version: 1,
    seq: n + 1,
    visibility: "thread",
    correlation_id: "c",
    kind: "approve",
    title: "Pay",
    agent: "payer",
    action: { agent: "payer", tool: "pay", arguments: { note: text(mb) }, digest: "0".repeat(64) },
    decide: { people: ["U1"], groups: [], requester: false, approve: 1, deny: 1 },
    votes: [],
    ...times,
  };
  return {
    request_id,
    task_id: rows.task(2),
    state: "open",
    version: 1,
    seq: n + 1,
    caller: "verification",
    people: "",
    created_at: now,
    expires_at: now + day,
    record: JSON.stringify({ request, terms: { executeWithinMs: day, policy: "p" } }),
  };
}

const definition = (id: string, version: string) => ({
  workflow_id: id,
  version,
  name: id,
  description: text(4_000),
  input_schema: { title: text(60_000) },
  start_step: "a",
  steps: { a: { id: "a", type: "agent", agent_name: "payer", input_mapping: text(900_000) } },
});

function versionRow(id: string, number: number, now: number): Row {
  const one = definition(id, String(number));
  const { name, description, input_schema } = one;
  return {
    workflow_id: id,
    version: one.version,
    number,
    name,
    created_at: now,
    definition: JSON.stringify(one),
    summary: JSON.stringify({ name, description, input_schema }),
  };
}

function runRow(run_id: string, now: number): Row {
  return {
    run_id,
    workflow_id: "w",
    version: "1",
    name: "W",
    state: "failed",
    revision: 5,
    state_revision: 5,
    people: "",
    created_at: now,
    updated_at: now,
    started_at: now,
    ended_at: now,
    bytes: mb,
    correlation_id: "c",
    record: JSON.stringify({ headers: {}, limits: {} }),
    definition: JSON.stringify({ ...definition("w", "1"), steps: { a: { id: "a", type: "agent", agent_name: "p" } } }),
    input: JSON.stringify(text(mb)),
    error: JSON.stringify({ kind: "internal", message: text(100_000) }),
  };
}

/** A run of the largest size, with four attempts at its step. */
const largeRun = (now: number): Row => ({ ...runRow("large", now), bytes: 20 * mb, input: '""', error: null });

const stepRow = (n: number, now: number): Row => ({
  run_id: "large",
  path: "a",
  attempt: n + 1,
  state: n === 3 ? "succeeded" : "failed",
  revision: n + 1,
  task_id: `t${n}`,
  started_at: now,
  ended_at: now,
  record: "{}",
  output: JSON.stringify(text(5 * mb)),
});

/** A read of execution, with the most bytes of its answer. */
interface Read {
  readonly path: string;
  readonly most: number;
  /** A list: its statements are as many for one row as for all. */
  readonly isList?: true;
}

const kb = 1_000;
/** A page of content, and what JSON adds to it. */
const page = 1.2 * mb;

/** Every GET operation of the API. A new one needs its row here and in docs/limits.md. */
const reads: Readonly<Record<string, Read>> = {
  getDocument: { path: "/openapi.json", most: 500 * kb },
  getSession: { path: "/session", most: 10 * kb },
  listAuditEvents: { path: "/audit/events?limit=200", most: page, isList: true },
  getAuditReceipt: { path: "/audit/events/event-1/receipt", most: 200 * kb },
  // The whole log, a page at a time.
  exportAudit: { path: "/audit/export", most: Infinity },
  getAuditCheckpoint: { path: "/audit/checkpoint", most: 10 * kb },
  listInputRequests: { path: "/input-requests?limit=200", most: page, isList: true },
  getInputRequest: { path: `/input-requests/${rows.input(1)}`, most: 1.2 * mb },
  getInputReceipt: { path: `/input-requests/${rows.input(1)}/receipt`, most: 200 * kb },
  listMcpServers: { path: "/mcp-servers", most: 48 * mb },
  listAgents: { path: "/agents?limit=200", most: page, isList: true },
  getAgent: { path: "/agents/agent-1", most: 100 * kb },
  listAudit: { path: "/agents/agent-1/audit?limit=200", most: page, isList: true },
  listTasks: { path: "/tasks?limit=200", most: page, isList: true },
  getTask: { path: `/tasks/${rows.task(1)}`, most: 100 * kb },
  listMessages: { path: "/messages?limit=200", most: page, isList: true },
  getMessage: { path: "/messages/c", most: 1.2 * mb },
  listTokenUses: { path: "/token-uses?limit=200", most: page, isList: true },
  listTokens: { path: "/tokens", most: 500 * kb },
  getUsage: { path: "/usage?limit=200", most: 200 * kb, isList: true },
  listBudgets: { path: "/usage/budgets", most: 100 * kb },
  listWorkflows: { path: "/workflows?limit=200", most: page, isList: true },
  getWorkflow: { path: "/workflows/workflow-1", most: 1.2 * mb },
  listWorkflowVersions: { path: "/workflows/versions/versions?limit=200", most: page, isList: true },
  getWorkflowVersion: { path: "/workflows/workflow-1/versions/1", most: 1.2 * mb },
  listRuns: { path: "/runs?limit=200", most: page, isList: true },
  getRun: { path: "/runs/large", most: 24 * mb },
  getRunGraph: { path: "/runs/large/graph", most: 100 * kb },
  listStepAttempts: { path: "/runs/large/attempts?path=a", most: 24 * mb },
  watchRun: { path: "/runs/large/events", most: 24 * mb },
};

/** Every zone method that reads, with its params. The others are acts, which store or send one thing. */
const methods: Readonly<Record<string, { readonly params: object; readonly most: number } | "act">> = {
  execute_task: "act",
  get_async_task_result: { params: { task_id: rows.task(1) }, most: 3.5 * mb },
  cancel_task: "act",
  claim_input_request: "act",
  answer_input: "act",
  get_input_request: { params: { request_id: rows.input(1) }, most: 1.2 * mb },
  list_input_requests: { params: { limit: 100 }, most: page },
  list_agents: { params: {}, most: 3.2 * mb },
  read_task_file: { params: { task_id: rows.task(0), file_id: "f" }, most: 1.5 * mb },
  get_agent_card: { params: {}, most: 100 * kb },
  get_usage: { params: { user_id: "U1" }, most: 10 * kb },
  report_messages: "act",
  check_token: { params: { digest: "0".repeat(64), scope: "runs:read" }, most: 10 * kb },
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The most that the heap of the process, which is the zone and its clients, may grow during 20 reads at once. */
const mostGrowth = 450 * mb;

let zone: FilledZone;
beforeAll(async () => {
  zone = await fillZone();
}, 120_000);
afterAll(() => zone.stop());

/** Reads an answer to its end without keeping it. */
async function lengthOf(response: Response): Promise<number> {
  let length = 0;
  for await (const chunk of response.body ?? []) length += (chunk as Uint8Array).length;
  return length;
}

/** Sends a request, again if it timed out before it arrived: zone and client share a process, and the machine has other work. */
async function send(url: string, init: () => RequestInit): Promise<Response> {
  const response = await fetch(url, init());
  return response.status === 408 ? send(url, init) : response;
}

const get = (path: string): Promise<Response> =>
  send(`${zone.url}/api/v1${path}`, () => ({ headers: { authorization: `Bearer ${zone.apiToken()}` } }));

const call = (method: string, params: object): Promise<Response> =>
  send(`${zone.url}/rpc`, () => ({
    method: "POST",
    headers: { authorization: `Bearer ${zone.token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: crypto.randomUUID(), method, params }),
  }));

/** Returns the growth of the heap while a read happens 20 times at once, bytes, and the statuses of the answers. */
async function twenty(read: () => Promise<Response>) {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const grown = (): number => process.memoryUsage().heapUsed - before;
  let growth = 0;
  const sample = (): void => {
    // On a busy machine, the heap has more that nothing needs.
    if (grown() > mostGrowth) collectGarbage();
    growth = Math.max(growth, grown());
  };
  const timer = setInterval(sample, 5);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await read();
      sample();
      await lengthOf(response).catch(() => 0);
      return response.status;
    }),
  );
  clearInterval(timer);
  return { growth, statuses: new Set(statuses) };
}

/** Returns the number of SQL statements that run meanwhile. */
async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const undo = (["all", "get", "run", "iterate"] as const).map((name) => {
    const original = StatementSync.prototype[name];
    StatementSync.prototype[name] = function (this: StatementSync, ...given: never[]) {
      // Those of the jobs' own timers come at any time, and so do those of the uses of tokens.
      if (!/\bjob\b.*\b(lease|owner|due_at)\b|job_worker|token_use/s.test(this.sourceSQL)) count += 1;
      return (original as (...values: never[]) => never).apply(this, given);
    } as never;
    return () => void (StatementSync.prototype[name] = original as never);
  });
  await act();
  undo.forEach((one) => one());
  return count;
}

interface GetPath {
  readonly get?: { readonly operationId: string };
}

const schemas = new URL("../../schemas/", import.meta.url);
const readSchema = (name: string): unknown => JSON.parse(readFileSync(new URL(name, schemas), "utf8"));

test("X1: every read of the API and of the zone link has its bound in these tables", () => {
  const documents = readdirSync(schemas, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(^|\/)api\.json$/.test(name),
  );
  const served = documents.flatMap((name) =>
    Object.values((readSchema(name) as { paths: Record<string, GetPath> }).paths).flatMap(
      (path) => path.get?.operationId ?? [],
    ),
  );
  expect(Object.keys(reads).toSorted()).toEqual(served.toSorted());
  const link = readSchema("methods.json") as object;
  expect(Object.keys(methods).toSorted()).toEqual(Object.keys(link).toSorted());
});

describe.each(Object.entries(reads))("X1: %s", (name, { path, most, isList }) => {
  test("answers at most its bound", async () => {
    const response = await get(path);
    expect([200, 404]).toContain(response.status);
    const length = await lengthOf(response);
    expect(length).toBeLessThanOrEqual(most);
    // Otherwise the bound would prove nothing.
    expect(length).toBeGreaterThan(isList && name !== "getUsage" ? 20 * kb : 0);
  });

  test("twenty at once leave the zone its memory", async () => {
    const { growth, statuses } = await twenty(() => get(path));
    expect(growth).toBeLessThan(mostGrowth);
    for (const status of statuses) expect([200, 404, 429]).toContain(status);
    expect((await get(path)).status).not.toBe(429);
  });
});

const lists = Object.entries(reads).filter(([, { isList }]) => isList);
test.each(lists)("X1: %s runs as many statements for one row as for all", async (_name, { path }) => {
  // The zone's own work can only add statements: of many reads, one has none of them.
  const least = async (of: string): Promise<number> => {
    const counts: number[] = [];
    for (let n = 0; n < 8; n += 1) counts.push(await statementsOf(async () => lengthOf(await get(of))));
    return Math.min(...counts);
  };
  const one = await least(path.replace("limit=200", "limit=1"));
  expect(Math.abs((await least(path)) - one)).toBeLessThanOrEqual(2);
});

describe.each(Object.entries(methods).flatMap(([name, read]) => (read === "act" ? [] : [{ name, ...read }])))(
  "X1: $name",
  ({ name, params, most }) => {
    test("answers at most its bound, and twenty at once leave the zone its memory", async () => {
      const answer = await (await call(name, params)).text();
      expect(answer).toContain(name === "check_token" ? '"unauthorized"' : '"result"');
      expect(answer.length).toBeLessThanOrEqual(most);
      const { growth, statuses } = await twenty(() => call(name, params));
      expect([...statuses]).toEqual([200]);
      expect(growth).toBeLessThan(mostGrowth);
    });
  },
);

test("X1: pages that end early reach every row, by offset, by before and by after_seq", async () => {
  const json = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>;
  const seen = async (path: string, member: string): Promise<number> => {
    let count = 0;
    for (;;) {
      const items = (await json(`${path}limit=200&offset=${count}`))[member] as readonly unknown[];
      if (items.length === 0) return count;
      count += items.length;
    }
  };
  expect(await seen("/input-requests?", "input_requests")).toBe(rows.count);
  expect(await seen("/workflows?", "workflows")).toBe(rows.count + 1);
  expect(await seen("/agents?", "agents")).toBe(rows.agents);

  let [events, before] = [0, ""];
  for (;;) {
    const { events: some, next } = (await json(`/audit/events?limit=200&action=test.act${before}`)) as unknown as {
      events: readonly unknown[];
      next?: number;
    };
    events += some.length;
    if (next === undefined) break;
    before = `&before=${next}`;
  }
  expect(events).toBe(rows.count);

  let [inputs, after_seq] = [0, 0];
  for (;;) {
    const { result } = (await (await call("list_input_requests", { after_seq, limit: 100 })).json()) as {
      result: { input_requests: readonly unknown[]; last_seq: number };
    };
    if (result.input_requests.length === 0) break;
    inputs += result.input_requests.length;
    after_seq = result.last_seq;
  }
  expect(inputs).toBe(rows.count);
});
