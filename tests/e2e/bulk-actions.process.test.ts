// suite: rest
// @module-tag judge
import type { AuditEventList, BulkAction, RunList, WorkflowRunSummary } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { startOnDatabase } from "@crosszone/testkit/process";
import { expect, test } from "vitest";
import { adminToken } from "../harness/runs-api.ts";

const headersWith = (token: string) => ({ "content-type": "application/json", authorization: `Bearer ${token}` });
/** Looks on. The other token has spent what it may send. */
const watching = headersWith(`${adminToken}-watching`);

/** Its runs wait for someone. */
const decide = { people: ["token:ops"], requester: true };
const ask = { id: "ask", type: "human", input: "approve", prompt: "Go on?", decide };
const workflow = { workflow_id: "wait", name: "Wait", version: "1", start_step: "ask", steps: { ask } };

const count = 120;

onBothEngines("a bulk action whose process is killed", (newDatabase) => {
  test("goes on in another process: each run is canceled once, by the person who asked for it", async () => {
    const database = await newDatabase();
    const start = () => startOnDatabase(database, { ADMIN_TOKENS: `${adminToken},${adminToken}-watching` });
    let zone = await start();
    const call = async <Body>(path: string, body?: object, headers = headersWith(adminToken)): Promise<Body> => {
      const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
      for (;;) {
        const response = await fetch(`${zone.url}/api/v1${path}`, init);
        if (response.status !== 429) return (await response.json()) as Body;
        await new Promise((done) => void setTimeout(done, 1_000));
      }
    };
    await call("/workflows", workflow);
    const ids: string[] = [];
    while (ids.length < count)
      ids.push((await call<WorkflowRunSummary>("/runs", { workflow_id: "wait", input: {} })).run_id);
    const { bulk_action_id: id } = await call<BulkAction>("/bulk-actions", { action: "run.cancel", ids });
    const read = () => call<BulkAction>(`/bulk-actions/${id}`, undefined, watching);
    await expect.poll(async () => (await read()).done, { interval: 20 }).toBeGreaterThan(5);
    zone.signal("SIGKILL");
    await zone.ended;
    const killedAt = Date.now();
    zone = await start();
    await expect.poll(async () => (await read()).state, { timeout: 60_000, interval: 500 }).toBe("finished");
    const { done, skipped, failed, problems, ended_at = "" } = await read();
    expect(Date.parse(ended_at)).toBeGreaterThan(killedAt);
    // The run that was being canceled at the kill can be found canceled.
    expect([done + skipped, failed, skipped <= 1]).toEqual([count, 0, true]);
    expect(problems?.map(({ reason }) => reason).join()).toMatch(/^(The run is canceled\.)?$/);
    const canceled = await call<RunList>("/runs?state=canceled&limit=200");
    expect(canceled.runs.map((run) => run.run_id).toSorted()).toEqual(ids.toSorted());
    const { events } = await call<AuditEventList>("/audit/events?action=run.cancel&limit=200");
    expect(events.map(({ event }) => event.target.id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(events.map(({ event }) => `${event.actor.id} ${event.correlation_id}`))).toEqual(
      new Set([`bootstrap ${id}`]),
    );
  });
});
