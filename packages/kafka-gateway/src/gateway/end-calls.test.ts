import { callId } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryTopics } from "../testing/memory-bus.ts";
import { jobsOf, newAgentTask, openProcess } from "../testing/open-process.ts";
import { startEndingOverdue } from "./end-calls.ts";

onBothEngines("overdue calls", (newDatabase) => {
  test("a call without a result ends an hour after its deadline", async () => {
    const url = await newDatabase();
    const bus = createMemoryTopics().newBus();
    const process = await openProcess({ url, bus, roles: ["rpc"] });
    for (const name of ["old", "young"]) await process.call(newAgentTask(name));
    const waiting = ["publish agent_tasks", 3, null];
    await expect.poll(() => jobsOf(process)).toEqual([waiting, waiting]);
    const deadline_at = Date.now() - 2 * 3_600_000;
    const id = callId(newAgentTask("old"));
    await process.database.db.updateTable("job").set({ deadline_at }).where("id", "=", id).execute();
    onTestFinished(startEndingOverdue(process.database));
    await expect.poll(() => jobsOf(process)).toEqual([["publish agent_tasks", 4, "failed"], waiting]);
  });
});
