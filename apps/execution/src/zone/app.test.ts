import { expect, test, vi } from "vitest";
import { agentThat, startZone, task } from "../testing/start-zone.ts";

test("a zone purges expired tasks by itself, and stops purging when it stops", async () => {
  const zone = await startZone([agentThat(async () => ({ response_text: "done" }))], {
    retentionMs: 1,
    retentionEveryMs: 20,
  });
  const purges = (): number => zone.log.filter(({ event }) => event === "rows_purged").length;
  await zone.call("execute_task", task(), "1");
  await vi.waitFor(() => expect(purges()).toBe(1));
  await zone.call("execute_task", task(), "2");
  await vi.waitFor(() => expect(purges()).toBe(2));
  await zone.app.stop(0);
  expect(zone.log.filter(({ event }) => event === "purge_failed")).toEqual([]);
});
