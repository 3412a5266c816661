import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openExecutionDatabase } from "@crosszone/execution";
import { personDigest } from "@crosszone/sql";
import { sql } from "kysely";
import type { Progress } from "../kit/benchmark.ts";
import { type Databases, startDatabases, withDatabase } from "../kit/databases.ts";
import { median } from "../kit/statistics.ts";
import { startZone } from "../zone/zones.ts";

/** The lists whose first rows are measured. The requests are those of the console. */
const lists = {
  messages: "/messages?limit=50",
  "messages in a state": "/messages?limit=50&state=parked",
  "messages of a person": "/messages?limit=50&person=U7",
  "messages of two namesakes": "/messages?limit=50&person=Ada",
  "messages in a channel": "/messages?limit=50&channel=C7",
  "message by link": "/messages?limit=50&channel=C7&ts=17-57",
  runs: "/runs?limit=50&redact=true",
  "runs in a state": "/runs?limit=50&state=canceled&redact=true",
  "runs of a workflow": "/runs?limit=50&workflow_id=bench&redact=true",
} as const;

type ListName = keyof typeof lists;
type Engine = "sqlite" | "postgres";

export interface Plan {
  /** Rows of each table, growing. */
  readonly sizes: readonly number[];
  readonly requests: number;
}

export interface ListRow {
  readonly engine: Engine;
  readonly list: ListName;
  readonly rows: number;
  /** Median until the whole response has arrived, milliseconds. */
  readonly ms: number;
}

/** A pause before each request, milliseconds: the API allows a token ten requests a second. */
const pauseMs = 110;

/** Rows that one statement adds. */
const chunk = 50_000;

interface Bench {
  readonly databases: Databases;
  readonly engine: Engine;
  readonly plan: Plan;
  readonly progress: Progress;
}

/** Measures the lists of one zone, whose tables grow. */
async function measureZone({ databases, engine, plan, progress }: Bench): Promise<ListRow[]> {
  const token = randomBytes(32).toString("hex");
  const folder = mkdtempSync(join(tmpdir(), "crosszone-bench-console-"));
  const found: ListRow[] = [];
  const authors = [
    ["U7", "U7"],
    ["Ada", "UOLD"],
    ["Ada", "UGONE"],
  ].map(([text = "", user_id = ""]) => ({ digest: personDigest(text), user_id, team: "team", seen_at: Date.now() }));
  await withDatabase(databases, engine, async ({ url: given }) => {
    const env = { EXECUTION_PORT: "0", EXECUTION_TOKEN: token, ADMIN_TOKENS: token };
    const zone = await startZone("execution", engine === "sqlite" ? env : { ...env, DATABASE_URL: given }, folder);
    const url = engine === "sqlite" ? `sqlite:${join(folder, "execution-data", "execution.sqlite")}` : given;
    const database = await openExecutionDatabase({ url });
    const ask = async (path: string, body?: object): Promise<object> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
      const response = await fetch(`${zone.url}/api/v1${path}`, init);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as object;
    };
    try {
      const template = await endRun(ask);
      await database.db.insertInto("message_person").values(authors).execute();
      let stored = 0;
      for (const rows of plan.sizes) {
        progress(` ${rows}`);
        for (; stored < rows; stored += Math.min(chunk, rows - stored))
          await addRows(database, { engine, template, from: stored + 1, to: Math.min(stored + chunk, rows) });
        for (const list of Object.keys(lists) as ListName[]) {
          const times: number[] = [];
          for (let request = 0; request < plan.requests; request += 1) {
            await sleep(pauseMs);
            const began = performance.now();
            const page = await ask(lists[list]);
            times.push(performance.now() - began);
            if (!Object.values(page).some((value) => Array.isArray(value) && value.length > 0))
              throw new Error(`${list}: no rows of ${rows}`);
          }
          found.push({ engine, list, rows, ms: median(times) });
        }
      }
    } finally {
      await database.close();
      await zone.stop();
    }
  });
  rmSync(folder, { recursive: true, force: true });
  return found;
}

/** Starts a run and cancels it; returns its id. The other runs are its copies. */
async function endRun(ask: (path: string, body?: object) => Promise<object>): Promise<string> {
  const decide = { people: ["token:nobody"], groups: [], requester: false, approve: 1, deny: 1 };
  const ok = { id: "ok", type: "human", input: "text", prompt: "Which city?", decide };
  await ask("/workflows", { workflow_id: "bench", name: "Bench", version: "1", start_step: "ok", steps: { ok } });
  const { run_id } = (await ask("/runs", { workflow_id: "bench", input: {} })) as { run_id: string };
  await ask(`/runs/${run_id}/cancel`, {});
  return run_id;
}

interface Addition {
  readonly engine: Engine;
  readonly template: string;
  /** The numbers of the first and the last row. */
  readonly from: number;
  readonly to: number;
}

/** Adds messages, a second apart, and copies of a run. */
async function addRows(
  { db }: Awaited<ReturnType<typeof openExecutionDatabase>>,
  { engine, from, template, to }: Addition,
): Promise<void> {
  const series =
    engine === "sqlite"
      ? `(with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to}) select n from numbers)`
      : `(select n from generate_series(${from}, ${to}) as numbers(n))`;
  const at = `${Date.now() - 86_400_000} + n`;
  const state = "case when n % 1000 = 0 then 'parked' else 'answered' end";
  const record = `'{"reference":"c-' || n || '","revision":1,"state":"' || ${state} || '","team_id":"T1","channel":"C' || (n % 50) || '","thread_ts":"1.0","user_id":"U' || (n % 500) || '","attempts":1,"received_at":"2026-11-01T00:00:00Z"}'`;
  await sql
    .raw(
      `insert into message (reference, caller, team, revision, state, channel, ts, thread_ts, user_id, received_at, stored_at, record)
       select 'c-' || n, 'verification', 'team', 1, ${state}, 'C' || (n % 50), '17-' || n, '17-' || n, case when n <= 9 then 'UOLD' else 'U' || (n % 500) end,
         ${at}, ${Date.now()}, ${record} from ${series} as numbered`,
    )
    .execute(db);
  const [run = {}] = await db.selectFrom("workflow_run").selectAll().where("run_id", "=", template).execute();
  const changed: Record<string, string> = { run_id: "'run-' || n", created_at: at, request_key: "null" };
  const columns = Object.keys(run);
  const copied = columns.map((column) => changed[column] ?? `original.${column}`);
  await sql
    .raw(
      `insert into workflow_run (${columns.join(", ")}) select ${copied.join(", ")}
       from workflow_run as original, ${series} as numbered where original.run_id = '${template}'`,
    )
    .execute(db);
}

/** Measures one database after the other. */
export async function measureConsole(plan: Plan, progress: Progress): Promise<ListRow[]> {
  const databases = await startDatabases(new Set(["sqlite", "postgres"]));
  const found: ListRow[] = [];
  try {
    for (const engine of ["sqlite", "postgres"] as const) {
      progress(`${engine}:`);
      found.push(...(await measureZone({ databases, engine, plan, progress })));
      progress("\n");
    }
    return found;
  } finally {
    await databases.stop();
  }
}
