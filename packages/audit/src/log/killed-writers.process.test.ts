// suite: rest
// @module-tag judge
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openAuditDatabase, openTestLog } from "../testing/open-audit.ts";
import { verifyAudit } from "../verify/verify-audit.ts";

const program = fileURLToPath(new URL("../testing/acts-program.ts", import.meta.url));
const [acts, kills] = [10_000, 6];

/** Starts a program. It may have ended before anybody waits for its end. */
async function start(url: string, count: number) {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url, `${count}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  return { child, ended };
}

onBothEngines("killed writers", (newDatabase) => {
  test("V1, V4: no act without its event, no event without its act, and no fork", async () => {
    const url = await newDatabase();
    const database = await openAuditDatabase(url);
    onTestFinished(() => database.close());
    const log = await openTestLog(database);
    for (let kill = 0; kill < kills; kill += 1) {
      const pair = [await start(url, acts), await start(url, acts)];
      // At any point of their acts.
      await delay(300 + Math.random() * 300);
      for (const { child } of pair) child.kill("SIGKILL");
    }
    const done = await database.db.selectFrom("act").select("id").execute();
    const left = Math.max(0, acts - done.length);
    const last = [await start(url, Math.ceil(left / 2)), await start(url, Math.ceil(left / 2))];
    await Promise.all(last.map(({ ended }) => ended));
    await log.sign();
    const ids = (await database.db.selectFrom("act").select("id").execute()).map(({ id }) => `test:${id}`);
    const targets = (await database.db.selectFrom("audit_event").select("target").execute()).map(
      ({ target }) => target,
    );
    expect(targets.toSorted()).toEqual(ids.toSorted());
    expect(ids.length).toBeGreaterThanOrEqual(acts);
    const verdict = await verifyAudit(await log.lines(), { keys: log.keys });
    expect(verdict).toMatchObject({ events: ids.length, erased: 0 });
    expect(verdict.finding).toBeUndefined();
  }, 300_000);
});
