// suite: both
import { setTimeout as delay } from "node:timers/promises";
import type { ApiToken, Problem } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { readStoredBytes } from "../people/token-store.ts";
import { startZone } from "../testing/start-zone.ts";

const adminToken = "an-admin-token-of-thirty-two-letters";
const mb = 1_000_000;

onBothEngines("what is stored for a program", (newDatabase) => {
  const start = async (askers: string) => {
    const EXECUTION_FILE = tempFile("execution.yaml", askers);
    const env = { ADMIN_TOKENS: adminToken, ASK_PORT: "0", EXECUTION_FILE };
    const zone = await startZone(undefined, { database: await newDatabase(), env });
    const api = async (token: string, path: string, { body, key }: { body?: unknown; key?: string } = {}) => {
      const answer = await fetch(`${zone.url}/api/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...(key !== undefined && { "idempotency-key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, wait: answer.headers.get("retry-after"), body: (await answer.json()) as never };
    };
    const scopes = ["ask", "runs:read", "runs:act", "agents:write"];
    const create = async (name: string): Promise<string> => {
      const made = await api(adminToken, "/tokens", { body: { name, scopes, expires_in: 3_600 } });
      expect(made).toMatchObject({ status: 201 });
      return (made.body as { token: string }).token;
    };
    const storedOf = async () => {
      const { tokens } = (await api(adminToken, "/tokens")).body as { tokens: readonly ApiToken[] };
      return Object.fromEntries(tokens.map(({ name, stored_bytes = 0 }) => [name, stored_bytes]));
    };
    return { ...zone, api, create, storedOf };
  };
  const definition = {
    workflow_id: "w",
    version: "1",
    name: "W",
    start_step: "s",
    steps: { s: { id: "s", type: "wait", for_ms: 86_400_000 } },
  };

  test("X29: is limited over all ways to store it; operators are told whose it is, and a purge makes room", async () => {
    const { app, api, create, storedOf, log, database } = await start(
      "programs: {askers: [{token: ci, agents: ['*'], events: ['*'], stored_mb: 2}]}",
    );
    const [ci, other] = [await create("ci"), await create("other")];
    expect((await api(ci, "/workflows", { body: definition })).status).toBe(201);
    const text = "x".repeat(mb * 0.4);
    const run = (token: string, key: string) =>
      api(token, "/runs", { body: { workflow_id: "w", input: { text } }, key });
    const event = (token: string, id: string) =>
      api(token, "/events", { body: { name: "paid", key: "1", id, payload: text } });
    expect([(await run(ci, "1")).status, (await run(ci, "2")).status]).toEqual([201, 201]);
    expect([(await event(ci, "1")).status, (await event(ci, "2")).status]).toEqual([202, 202]);
    const refused = [
      await run(ci, "3"),
      await event(ci, "3"),
      await api(ci, "/workflows", { body: { ...definition, version: "2", output_mapping: text } }),
    ];
    for (const { status, wait, body } of refused) {
      expect([status, wait]).toEqual([429, "60"]);
      expect((body as Problem).type).toMatch(/too-much-stored$/);
      expect((body as Problem).detail).toMatch(/reaches its limit of 2 MB.*stored_mb/);
    }
    const asker = { actor: "token:ci", agents: ["*"], openTasks: 9, storedBytes: 2 * mb };
    const message = { messageId: "m", parts: [{ text }] };
    const asked = { agent: await app.ask.agent(asker, "builtin"), message, key: "k" };
    const request = { asker, surface: "a2a", correlationId: "c" } as const;
    await expect(app.ask.ask(request, asked)).rejects.toMatchObject({
      kind: "rate_limited",
      data: { retry_after_ms: 60_000 },
    });
    expect([(await run(ci, "1")).status, (await event(ci, "1")).status]).toEqual([200, 202]);
    expect((await run(other, "1")).status).toBe(201);
    const short = log.filter(({ event: name }) => name === "program_storage_short");
    expect(short.map(({ by, state, most_bytes }) => [by, state, most_bytes])).toEqual([
      ["token:ci", "near", 2 * mb],
      ["token:ci", "full", 2 * mb],
    ]);
    const stored = await storedOf();
    expect(stored["ci"]).toBeGreaterThan(1.6 * mb);
    expect(stored["ci"]).toBeLessThan(2 * mb);
    expect(stored["other"]).toBeLessThan(mb * 0.5);
    await database.db.deleteFrom("workflow_event").execute();
    await expect.poll(async () => (await run(ci, "4")).status, { timeout: 30_000, interval: 300 }).toBe(201);
  });

  test("X29: counts the runs that its runs start, and a step that can't start one says why", async () => {
    const { api, create, roles, database } = await start(
      "programs: {askers: [{token: ci, agents: ['*'], stored_mb: 1}]}",
    );
    const ci = await create("ci");
    const steps = { s: { id: "s", type: "workflow", workflow: "w", input_mapping: "${workflow.input}" } };
    await api(ci, "/workflows", { body: definition });
    await api(ci, "/workflows", { body: { ...definition, workflow_id: "outer", steps } });
    const started = await api(ci, "/runs", { body: { workflow_id: "outer", input: { text: "x".repeat(mb * 0.3) } } });
    const id = (started.body as { run_id: string }).run_id;
    const bytes = async () => (await readStoredBytes(database, ["token:ci"])).get("token:ci") ?? 0;
    await expect.poll(bytes, { timeout: 30_000 }).toBeGreaterThan(mb * 0.8);
    // What its steps added is counted anew after a second.
    await delay(1_100);
    const more = await api(ci, "/runs", { body: { workflow_id: "outer", input: { text: "x".repeat(mb * 0.07) } } });
    const second = (more.body as { run_id: string }).run_id;
    await expect
      .poll(async () => (await roles.workflows.getRun(second))?.run.error?.message, { timeout: 30_000 })
      .toMatch(/"w" was not started: what is stored for this program/);
    expect((await roles.workflows.getRun(id))?.run.state).toBe("running");
  });
});
