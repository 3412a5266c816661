import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newTokenText, tokenDigest } from "@crosszone/admin-api";
import { createAppendAudit } from "@crosszone/audit";
import { openTaskStore, teamKey } from "@crosszone/execution";
import { openTestZone } from "@crosszone/execution/testing";
import { createRecordCodec } from "@crosszone/service-kit";
import { expect, vi } from "vitest";
import { wideLimits } from "./start-crosszone.ts";

export const mb = 1_000_000;
const day = 86_400_000;
const text = (bytes: number): string => "x".repeat(bytes);

/** What a filled zone has. */
export const rows = {
  /** The rows of most tables. */
  count: 60,
  agents: 150,
  tools: 400,
  input: (number: number): string => `input-request-${String(number).padStart(4, "0")}`,
  /** The id of a task: the first has a file of 10 MB, the second an answer of 3 MB, the others failed. */
  task: (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
};

export type FilledZone = Awaited<ReturnType<typeof fillZone>>;

const scopes = ["ask", "runs:read", "runs:act", "content:read", "agents:write", "audit:read", "tokens:write"];
type Row = Readonly<Record<string, string | number | null>>;

const many = (count: number, make: (number: number) => Row): Row[] => Array.from({ length: count }, (_, n) => make(n));

/** Starts execution on a database whose rows are as large as they can be. */
export async function fillZone() {
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
  const uses = async () => (await zone.acts()).filter(({ action }) => action === "token.use");
  await vi.waitFor(async () => expect(await uses()).toHaveLength(tokens.length));
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
    failed_agent_call: many(200, (n) => ({
      id: randomUUID(),
      agent: "agent-1",
      at: now - n,
      kind: "task_failed",
      made_by: "run",
      run_id: text(200),
      task_id: text(200),
      correlation_id: text(100),
      attempts: 1,
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
    bus_dead_letter: many(1_000, (n) => ({
      channel: "agent_tasks",
      key: `key-${n}`,
      value: "{}",
      headers: "{}",
      consumer_group: "agent-bridge",
      reason: text(10_000),
      attempts: 5,
      dead_at: now,
    })),
    bulk_action: many(100, (n) => bulkRow(n, now)),
    message: many(rows.count, (n) => messageRow(n, now)),
    schedule: many(rows.count, (n) => scheduleRow(n, now)),
    fire: many(rows.count, (n) => fireRow(n, now)),
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

/** Each of its items failed, with the longest reason. */
function bulkRow(n: number, now: number): Row {
  const problems = many(n === 0 ? 5_000 : 10, (at) => ({ id: `run-${at}`, outcome: "failed", reason: text(300) }));
  return {
    id: `bulk-${n}`,
    action: "run.cancel",
    actor: "token:ops",
    address: "::1",
    client: "console",
    ids: JSON.stringify(problems.map(({ id }) => id)),
    total: problems.length,
    done: 0,
    skipped: 0,
    failed: problems.length,
    problems: JSON.stringify(problems),
    stopping: 0,
    created_at: now,
    ended_at: now,
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
  const record = { caller: "verification", key: `"${id}"`, fingerprint: "f", correlation_id: "c", agent: "builtin" };
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

const owner = { team_id: "T1", user_id: "U1", name: text(255) };

/** Its question is as long as it can be. */
function scheduleRow(n: number, now: number): Row {
  const settings = { owner, every_ms: day, agent: "builtin", text: text(10_000), title: text(100), cap: { fires: 1 } };
  const who = { team: teamKey("T1"), user_id: "U1", changed_by: text(255), source: "api", state: "active" };
  const times = { next_at: now + day, due_at: now + day, anchor_at: now, changed_at: now };
  return { ...who, ...times, name: `schedule-${n}`, failures: 0, record: JSON.stringify(settings) };
}

function fireRow(n: number, now: number): Row {
  const question = { title: text(100), owner, agent: "builtin", text: text(10_000), cap: { fires: 1 } };
  const who = { team: teamKey("T1"), user_id: "U1", source: "schedule", name: `schedule-${n}`, state: "due" };
  const times = { scheduled_at: now, created_at: now, due_at: now };
  const fire_id = rows.task(1_000 + n);
  const rest = { occasion: fire_id, settled: 0, canceling: 0, reason: text(1_000), record: JSON.stringify(question) };
  return { ...who, ...times, ...rest, fire_id };
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
