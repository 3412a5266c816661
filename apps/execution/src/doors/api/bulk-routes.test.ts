// suite: both
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import type { BulkAction, BulkActionList, WorkflowRunSummary } from "@crosszone/contracts";
import { someOf } from "@crosszone/testkit/cpu";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { startSignIn, startZone } from "../../testing/index.ts";

const adminToken = "an-admin-token-of-at-least-32-letters";

/** Its runs wait for a person. */
const workflow = {
  workflow_id: "sign",
  name: "Sign",
  version: "1",
  start_step: "ask",
  steps: {
    ask: {
      id: "ask",
      type: "human",
      input: "approve",
      prompt: "Sign?",
      decide: { people: ["token:ops"], requester: true },
    },
  },
};

/** Ids of nothing, as long as ids can be, which no engine compresses. */
const unknownIds = (count: number): string[] =>
  Array.from({ length: count }, () => randomBytes(190).toString("base64url").slice(0, 250));

onBothEngines("bulk actions", (newDatabase, engine) => {
  async function open(database?: string) {
    const url = database ?? (await newDatabase());
    const zone = await startZone(undefined, { database: url, env: { ADMIN_TOKENS: adminToken } });
    const ask = async <Body>(line: string, body?: object, more: Record<string, string> = {}) => {
      const [method = "", path = ""] = line.split(" ");
      const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json", ...more };
      const text = body === undefined ? undefined : JSON.stringify(body);
      const response = await fetch(`${zone.url}/api/v1${path}`, { method, headers, body: text });
      return { status: response.status, body: (await response.json()) as Body };
    };
    const ended = async (id: string): Promise<BulkAction> => {
      const read = async () => (await ask<BulkAction>(`GET /bulk-actions/${id}`)).body;
      await expect.poll(async () => (await read()).ended_at, { timeout: 20_000, interval: 200 }).toBeDefined();
      return read();
    };
    const act = async (body: object, key?: string): Promise<BulkAction> => {
      const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
      const { status, body: started } = await ask<BulkAction>("POST /bulk-actions", body, headers);
      expect(status).toBe(201);
      return ended(started.bulk_action_id);
    };
    const runs = async (count: number): Promise<string[]> => {
      expect(await ask("POST /workflows", workflow)).toMatchObject({ status: 201 });
      const started = Array.from({ length: count }, () =>
        ask<WorkflowRunSummary>("POST /runs", { workflow_id: "sign", input: {} }),
      );
      const begun = await Promise.all(started);
      expect(begun.map(({ status, body }) => status === 201 || body)).toEqual(begun.map(() => true));
      return begun.map(({ body }) => body.run_id);
    };
    return { ...zone, ask, act, ended, runs };
  }

  test("runs are canceled one after the other; what can't be is left alone with its reason", async () => {
    const zone = await open();
    const ids = await zone.runs(5);
    await zone.ask(`POST /runs/${ids[1]}/cancel`);
    const asked = { action: "run.cancel", ids: [...ids, "unknown-run", ids[0]] };

    const { bulk_action_id: id, ...action } = await zone.act(asked, "k1");
    expect(action).toMatchObject({
      state: "finished",
      total: 6,
      done: 4,
      skipped: 2,
      failed: 0,
      created_by: "bootstrap",
    });
    expect(action.problems).toEqual([
      { id: ids[1], outcome: "skipped", reason: "The run is canceled." },
      { id: "unknown-run", outcome: "skipped", reason: "There is no such run." },
    ]);
    const acts = (await zone.acts()).filter((event) => event.correlation_id === id);
    expect(acts.map(({ action: name, target }) => `${name} ${target.id}`)).toEqual(
      ids.filter((run) => run !== ids[1]).map((run) => `run.cancel ${run}`),
    );
    expect(acts[0]).toMatchObject({ actor: { id: "bootstrap" }, content: { address: expect.any(String) as string } });
    // The same key returns the same action; another request with it is refused.
    expect((await zone.act(asked, "k1")).bulk_action_id).toBe(id);
    const reused = await zone.ask("POST /bulk-actions", { ...asked, ids: ["other"] }, { "idempotency-key": "k1" });
    expect(reused).toMatchObject({ status: 422, body: { type: expect.stringContaining("key-reused") as string } });
    const { body: list } = await zone.ask<BulkActionList>("GET /bulk-actions");
    expect(list.bulk_actions.map((one) => [one.bulk_action_id, one.problems])).toEqual([[id, undefined]]);
  });

  test("input requests are withdrawn in the name of who asked for it", async () => {
    const zone = await open();
    await zone.runs(3);
    const read = async () => (await zone.ask<{ input_requests: { request_id: string }[] }>("GET /input-requests")).body;
    await expect.poll(async () => (await read()).input_requests.length, { interval: 200 }).toBe(3);
    const ids = (await read()).input_requests.map(({ request_id }) => request_id);
    const ended = await zone.act({ action: "input_request.withdraw", ids: [...ids, "inp_0123456789abcdef"] });
    expect(ended).toMatchObject({ done: 3, problems: [{ reason: "There is no such input request." }] });
    expect(await zone.act({ action: "input_request.withdraw", ids })).toMatchObject({ done: 0, skipped: 3 });
    const acts = (await zone.acts()).filter(({ action }) => action === "input.withdraw");
    expect(acts.map(({ actor }) => actor.id)).toEqual(["bootstrap", "bootstrap", "bootstrap"]);
  });

  test("one that is stopped ends before its next item", async () => {
    const zone = await open();
    const ids = Array.from({ length: 5_000 }, (_, at) => `run-${at}`);
    const { body } = await zone.ask<BulkAction>("POST /bulk-actions", { action: "run.retry", ids });
    await delay(50);
    const stop = `POST /bulk-actions/${body.bulk_action_id}/stop`;
    expect((await zone.ask<BulkAction>(stop)).body.state).toMatch(/^stopp(ing|ed)$/);
    const { state, skipped, done } = await zone.ended(body.bulk_action_id);
    expect([state, done, skipped < 5_000]).toEqual(["stopped", 0, true]);
    expect((await zone.ask<BulkAction>(stop)).body).toMatchObject({ state: "stopped", skipped });
    const acts = (await zone.acts()).map(({ action }) => action).filter((action) => action.startsWith("bulk."));
    expect(acts).toEqual(["bulk.start", "bulk.stop"]);
    const unknown = await zone.ask("POST /bulk-actions/unknown/stop");
    expect(unknown.status).toBe(404);
  });

  test("X19: a bulk action of items that need nothing rewrote its problems for each: twice the items, twice the bytes", async () => {
    const url = await newDatabase();
    const zone = await open(url);
    const file = url.replace("sqlite:", "");
    // As long as a reader holds a snapshot, SQLite only appends to its log.
    const reader = engine === "sqlite" ? new DatabaseSync(file, { readOnly: true }) : undefined;
    reader?.exec("begin; select count(*) from bulk_action");
    const written = async (): Promise<number> => {
      if (reader) return statSync(`${file}-wal`).size;
      const size = sql<{ bytes: string }>`select pg_total_relation_size('bulk_action') +
        pg_total_relation_size('bulk_problems') as bytes`;
      return Number((await size.execute(zone.database.db)).rows[0]?.bytes);
    };
    const bytesOf = async (count: number): Promise<number> => {
      const before = await written();
      const ended = await zone.act({ action: "run.cancel", ids: unknownIds(count) });
      expect([ended.skipped, ended.problems?.length]).toEqual([count, count]);
      return (await written()) - before;
    };
    const [one, two] = [await bytesOf(300), await bytesOf(600)];
    reader?.close();
    expect(two / one).toBeLessThan(2.5);
    // The ids, the problems, and the pages around them.
    expect(two / 600).toBeLessThan(10_000);
  });

  /** Starts a bulk action whose items take 5 ms each, does something in its middle, and returns it at its end. */
  async function inTheMiddle(
    zone: Awaited<ReturnType<typeof startZone>>,
    {
      start,
      meanwhile,
      read,
    }: Record<"start" | "read", () => Promise<unknown>> & { meanwhile: () => Promise<unknown> },
  ): Promise<BulkAction & { tookMs: number }> {
    const { workflows } = zone.roles;
    const { cancel } = workflows;
    vi.spyOn(workflows, "cancel").mockImplementation(async (...of) => (await delay(5), cancel(...of)));
    await start();
    await expect.poll(async () => ((await read()) as BulkAction).skipped, { timeout: 20_000 }).toBeGreaterThan(0);
    await meanwhile();
    const from = performance.now();
    await expect.poll(read, { timeout: 20_000 }).toHaveProperty("ended_at");
    return { ...((await read()) as BulkAction), tookMs: performance.now() - from };
  }

  test("X23: a revoked token's bulk action went on to its end: it ends within 5 seconds, and says what was not done", async () => {
    const zone = await open();
    const { body } = await zone.ask<{ token: string }>("POST /tokens", {
      name: "ci",
      scopes: ["runs:read", "runs:act"],
      expires_in: 3_600,
    });
    const headers = { authorization: `Bearer ${body.token}` };
    let path = "";
    const ended = await inTheMiddle(zone, {
      start: async () => {
        const started = { action: "run.cancel", ids: unknownIds(1_000) };
        path = (await zone.ask<BulkAction>("POST /bulk-actions", started, headers)).body.bulk_action_id;
      },
      meanwhile: () =>
        fetch(`${zone.url}/api/v1/tokens/ci`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${adminToken}` },
        }),
      read: async () => (await zone.ask(`GET /bulk-actions/${path}`)).body,
    });
    const left = 1_000 - ended.skipped;
    expect(ended).toMatchObject({
      state: "stopped",
      created_by: "token:ci",
      stopped_because: `The right of the sender ended (revoked). ${left} of 1000 items were not done.`,
    });
    expect([left > 0, ended.problems?.length, ended.tookMs < 5_000]).toEqual([true, ended.skipped, true]);
    const stopped = (await zone.acts()).filter(({ action }) => action === "bulk.stop");
    expect(stopped).toMatchObject([{ actor: { type: "zone" }, details: { because: ended.stopped_because } }]);
  });

  const endings = [
    ["signs out", "signed out"],
    ["loses the role", "without a role"],
    ["gets a smaller role", "without the scope runs:act"],
  ] as const;
  test.each(someOf(endings, 1))("X23: a bulk action of a person who %s ends too", async (does, because) => {
    const signIn = await startSignIn(await newDatabase());
    const [olga, adam] = [await signIn.as("olga"), await signIn.as("adam")];
    let path = "";
    const roles = { viewer: ["viewers", ...(does === "loses the role" ? [] : ["ops"])], admin: ["admins"] };
    const ended = await inTheMiddle(signIn.zone, {
      start: async () => {
        const started = await olga.act("/api/v1/bulk-actions", { action: "run.cancel", ids: unknownIds(1_000) });
        path = (JSON.parse(started.body) as BulkAction).bulk_action_id;
      },
      meanwhile: async () => {
        if (does === "signs out") await olga.act("/auth/logout");
        else signIn.edit({ roles });
      },
      read: async () => JSON.parse((await adam.ask(`/api/v1/bulk-actions/${path}`)).body) as BulkAction,
    });
    expect(ended.stopped_because).toContain(`ended (${because})`);
    expect(ended.skipped).toBeLessThan(1_000);
  });
});
