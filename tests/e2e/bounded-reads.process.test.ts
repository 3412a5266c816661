// suite: rest
// @module-tag judge
import { readdirSync, readFileSync } from "node:fs";
import { StatementSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FilledZone, fillZone, mb, rows } from "../harness/fill-zone.ts";

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
  listBulkActions: { path: "/bulk-actions", most: 100 * kb, isList: true },
  getBulkAction: { path: "/bulk-actions/bulk-0", most: 2 * mb },
  listDeadLetters: { path: "/dead-letters", most: page, isList: true },
  listHooks: { path: "/hooks", most: 100 * kb },
  listMcpServers: { path: "/mcp-servers", most: 48 * mb },
  listAgents: { path: "/agents?limit=200", most: page, isList: true },
  getAgent: { path: "/agents/agent-1", most: 100 * kb },
  listFailedCalls: { path: "/agents/agent-1/failed-calls?limit=200", most: 200 * kb, isList: true },
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
  listSchedules: { path: "/schedules?limit=200", most: 2.5 * mb, isList: true },
  getSchedule: { path: "/schedules/schedule-1", most: 100 * kb },
  listFires: { path: "/fires?limit=200", most: 3 * mb, isList: true },
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
  get_run_change: { params: { task_id: rows.task(0), seen_revision: 1 }, most: kb },
  list_person_tasks: { params: { user_id: "U1", team_id: "T1", since: "2026-01-01T00:00:00Z" }, most: kb },
  read_task_file: { params: { task_id: rows.task(0), file_id: "f" }, most: 1.5 * mb },
  get_agent_card: { params: {}, most: 100 * kb },
  get_usage: { params: { user_id: "U1" }, most: 10 * kb },
  report_messages: "act",
  list_fires: { params: { team_ids: ["T1"], limit: 100 }, most: 1.5 * mb },
  take_fire: "act",
  list_schedules: { params: { user_id: "U1", team_id: "T1" }, most: 3 * mb },
  save_schedule: "act",
  change_schedule: "act",
  check_token: { params: { digest: "0".repeat(64), scope: "runs:read" }, most: 10 * kb },
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The most that the heap of the process, which is the zone and its clients, may grow during 20 reads at once. */
const mostGrowth = 450 * mb;

let zone: FilledZone;
beforeAll(async () => {
  zone = await fillZone();
});
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

test("X1: pages that end early reach every row, by cursor and by after_seq", async () => {
  const seen = async (path: string, member: string): Promise<number> => {
    let [count, cursor] = [0, ""];
    do {
      const shown = (await (await get(`${path}limit=200${cursor}`)).json()) as Record<
        string,
        readonly unknown[] | string
      >;
      count += shown[member]?.length ?? 0;
      cursor = shown["next_cursor"] === undefined ? "" : `&cursor=${shown["next_cursor"] as string}`;
    } while (cursor !== "");
    return count;
  };
  expect(await seen("/input-requests?", "input_requests")).toBe(rows.count);
  expect(await seen("/workflows?", "workflows")).toBe(rows.count + 1);
  expect(await seen("/agents?", "agents")).toBe(rows.agents);
  expect(await seen("/audit/events?action=test.act&", "events")).toBe(rows.count);

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
