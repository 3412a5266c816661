// suite: both
import { setTimeout as delay } from "node:timers/promises";
import type { BulkAction, BulkActionList, WorkflowRunSummary } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test } from "vitest";
import { startZone } from "../../testing/index.ts";

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

onBothEngines("bulk actions", (newDatabase) => {
  async function open() {
    const zone = await startZone(undefined, { database: await newDatabase(), env: { ADMIN_TOKENS: adminToken } });
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
    await expect.poll(async () => (await read()).input_requests.length, { timeout: 10_000, interval: 200 }).toBe(3);
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

  describe("a request that is not valid", () => {
    test.each([
      [422, { action: "run.delete", ids: ["a"] }],
      [422, { action: "run.cancel", ids: [] }],
      [422, { action: "run.cancel", ids: Array.from({ length: 5_001 }, (_, at) => `${at}`) }],
    ])("is refused with %i", async (status, body) => {
      const zone = await open();
      expect((await zone.ask("POST /bulk-actions", body)).status).toBe(status);
      expect((await zone.ask<BulkActionList>("GET /bulk-actions")).body.bulk_actions).toEqual([]);
    });
  });
});
