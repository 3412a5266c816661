import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { begin, ended, openExecutor, soon } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
const chain = workflowOf(ids.map((id, index) => agentStep(id, { next_step: ids[index + 1] ?? null })));

/** Records the statements that are sent from now on. */
function sentTexts(): () => readonly string[] {
  const sent = vi.spyOn(Client.prototype as unknown as { query: (query: unknown) => unknown }, "query");
  onTestFinished(() => sent.mockRestore());
  return () =>
    sent.mock.calls.map(([query]) => (typeof query === "string" ? query : (query as { readonly text: string }).text));
}

test("on PostgreSQL, a step of a run is one round trip and one commit", async () => {
  const executor = await openExecutor(await newPostgresDatabase());
  const agents = await startFakeAgents(executor);
  // The first run waits for the worker's first poll, which tells this process the database's time.
  await ended(executor, await begin(executor, chain));
  const texts = sentTexts();
  const started = await executor.workflows.startRun({ workflow_id: "w", input: {} });
  await expect.poll(() => executor.observed.filter(([name]) => name === "runEnded").length, soon).toBe(2);
  const all = texts();
  expect(started.outcome).toBe("started");
  expect(agents.tasks).toHaveLength(40);
  const turns = all.filter((text) => text.startsWith("with runs as"));
  expect(turns).toHaveLength(1 + ids.length);
  expect(all.filter((text) => /^(begin|start transaction|commit)/i.test(text))).toEqual([]);
  // Leases, timers and shares are checked whatever the number of steps.
  const others = /job_worker|^\s*with recursive|min\(due_at\)|^select \* from "workflow"|^select "id", .* from "job"/;
  expect(all.filter((text) => !turns.includes(text) && !others.test(text))).toEqual([]);
});
