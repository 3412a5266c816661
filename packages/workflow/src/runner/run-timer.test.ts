import { randomUUID } from "node:crypto";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openWorkflowDatabase } from "../testing/executor-parts.ts";
import { addRuns, runRow } from "../testing/run-row.ts";
import { createTimer } from "./run-timer.ts";

onBothEngines("run timers", (newDatabase) => {
  test("B10: many unreachable runs are not polled without a pause", { timeout: 60_000 }, async () => {
    const database = await openWorkflowDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const rows = Array.from({ length: 300 }, () => runRow({ run_id: randomUUID(), due_at: 1 }));
    await addRuns(database, rows);
    const looks = Promise.withResolvers<number>();
    const began = performance.now();
    let told = 0;
    const advance = async (): Promise<never> => {
      told += 1;
      if (told === 2000) looks.resolve(performance.now() - began);
      throw Object.assign(new Error("lost"), { code: "57P01" });
    };
    const timer = createTimer({
      database,
      advance,
      retryAdvance: advance,
      observer: { timerFailed: () => undefined },
    });
    timer.start();
    onTestFinished(timer.stop);
    // Ten polls with nine pauses.
    expect(await looks.promise).toBeGreaterThan(9 * 150);
  });
});
