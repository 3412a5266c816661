import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { type AgentBody, bracketedText, bracketWorkflows } from "../../harness/bracket-workflows.ts";
import type { ChaosEngine } from "../../chaos/system/engine.ts";
import { corrected } from "../people.ts";
import type { Judged } from "./messages.ts";

/** Jobs in the zones' databases at the end. */
export interface StoreFigures {
  /** What is wrong in the databases. Empty if nothing is. */
  readonly problems: readonly string[];
  readonly inbox: { readonly open: number; readonly parked: number };
  readonly tasks: { readonly open: number; readonly succeeded: number; readonly failed: number };
}

// 5: parked. `packages/jobs/src/table/job-tables.ts`. A failed run is watched for long: somebody may retry it.
const inboxQuery = `select count(case when state <> 5 then 1 end) as open, count(case when state = 5 then 1 end) as parked from job
  where kind <> 'failed_run'`;
const handleQuery = "select count(*) as left from handle";
// 4: ended.
const taskQuery = `select count(case when state <> 4 then 1 end) as open, count(case when outcome = 'success' then 1 end) as succeeded,
  count(case when state = 4 and outcome <> 'success' then 1 end) as failed from job where kind = 'task'`;

export interface StoreExpectations {
  readonly messages: number;
  readonly refused?: number;
  readonly failing?: number;
}

/**
 * Checks in both databases that each message has one task, which succeeded, and that no handle is left. `urlOf` returns a zone's URL. `refused` is
 * the number of messages that need no task, and `failing` of those whose task may end without success.
 */
export async function lookIntoStores(
  urlOf: (zone: "verification" | "execution") => string,
  { messages, refused = 0, failing = 0 }: StoreExpectations,
): Promise<StoreFigures> {
  const inbox = await readRow<StoreFigures["inbox"]>(urlOf("verification"), "verification", inboxQuery);
  const tasks = await readRow<StoreFigures["tasks"]>(urlOf("execution"), "execution", taskQuery);
  const problems: string[] = [];
  if (inbox.open > 0) problems.push(`${inbox.open} records of the inbox are open`);
  if (inbox.parked > 0) problems.push(`${inbox.parked} records of the inbox are parked`);
  if (tasks.open > 0) problems.push(`${tasks.open} tasks have not ended`);
  if (tasks.failed > failing) problems.push(`${tasks.failed} tasks ended without success`);
  const all = tasks.open + tasks.succeeded + tasks.failed;
  if (all > messages || all < messages - refused) problems.push(`${messages} messages made ${all} tasks`);
  const { left } = await readRow<{ left: number }>(urlOf("verification"), "verification", handleQuery);
  if (left > 0) problems.push(`${left} handles are not revoked`);
  return { problems, inbox, tasks };
}

/** Checks both databases until no job is open, or until the time is over. */
export async function judgeStores(
  engine: ChaosEngine,
  { isOver, ...expected }: StoreExpectations & { readonly isOver: () => boolean },
): Promise<StoreFigures> {
  for (;;) {
    const figures = await lookIntoStores((zone) => engine.url(zone), expected);
    if (figures.inbox.open + figures.tasks.open === 0 || isOver()) return figures;
    await wait(250);
  }
}

/** Returns the row of numbers that a query selects. It reads the database without the zones' code. */
async function readRow<Row extends Readonly<Record<keyof Row, number>>>(
  url: string,
  schema: string,
  query: string,
): Promise<Row> {
  const row = url.startsWith("sqlite:")
    ? readFile(url.slice("sqlite:".length), query)
    : await readServer(url, schema, query);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as Row;
}

function readFile(path: string, query: string): object {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(query).get() ?? {};
  } finally {
    database.close();
  }
}

async function readServer(url: string, schema: string, query: string): Promise<object> {
  const client = new Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    const { rows } = await client.query<object>(query);
    return rows[0] ?? {};
  } finally {
    await client.end();
  }
}

/** What the agents `newer` and `older` were asked: for each idempotency key, the different requests that had it. */
export interface AgentRequests {
  readonly byKey: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each text, its keys, and when it first came, Unix milliseconds. */
  readonly byText: ReadonlyMap<string, { readonly keys: ReadonlySet<string>; readonly at: number }>;
  readonly note: (key: string | undefined, body: string) => void;
}

export function noteRequests(): AgentRequests {
  const byKey = new Map<string, Set<string>>();
  const byText = new Map<string, { keys: Set<string>; at: number }>();
  return {
    byKey,
    byText,
    note: (key = "none", body) => {
      byKey.getOrInsertComputed(key, () => new Set()).add(hash("sha256", body));
      const text = bracketedText(JSON.parse(body) as AgentBody);
      byText.getOrInsertComputed(text, () => ({ keys: new Set(), at: Date.now() })).keys.add(key);
    },
  };
}

/**
 * Returns what is wrong with the requests: each question to an agent and each step of a run is one request. Processes that die repeat it, with its
 * key and its bytes, so the agent can recognize it.
 */
export function requestComplaintsOf({ byKey, byText }: AgentRequests, judged: readonly Judged[]): string[] {
  const steps = judged
    .filter(({ verdict }) => verdict === "answered")
    .map(({ planned: { kind, number } }) => {
      if (kind === "agent") return 1;
      const words = [number, number + corrected].map((one) => `pebble-${one}`);
      if (kind === "asks" || kind === "left" || kind === "calls")
        return words.reduce((sum, one) => sum + (byText.get(one)?.keys.size ?? 0), 0);
      return kind === "run" ? (bracketWorkflows[number % bracketWorkflows.length]?.paths.length ?? 0) : 0;
    });
  const expected = steps.reduce((sum, count) => sum + count, 0);
  const changed = [...byKey].filter(([, requests]) => requests.size > 1);
  return [
    ...(byKey.size === expected ? [] : [`${expected} requests of agents had ${byKey.size} keys`]),
    ...changed.map(([key, requests]) => `an agent got ${requests.size} different requests with the key ${key}`),
  ];
}
