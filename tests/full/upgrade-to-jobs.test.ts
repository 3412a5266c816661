import { resolve } from "node:path";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { inBrackets } from "../harness/bracket-workflows.ts";
import { findBuildBefore, installPreviousBuild, type PreviousBuild } from "./previous-build.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { createGate, expectAnswers, startInstallation, startWork, type Asked } from "./start-installation.ts";

const current = resolve(import.meta.dirname, "../..");
const olderName = findBuildBefore("packages/jobs/package.json");
let older: PreviousBuild | undefined;

beforeAll(async () => {
  if (olderName === undefined)
    process.stderr.write("NOT TESTED: an upgrade from the build before jobs, which is not in the git history here\n");
  else older = await installPreviousBuild(olderName);
}, 120_000);
afterAll(() => older?.remove());

vi.setConfig({ testTimeout: 300_000 });

onBothEngines("an upgrade to the job table", (newDatabase, engine) => {
  const prepare = async () => {
    const gate = createGate();
    const agent = await startHttpAgent(async (text, method) => {
      await gate.pass();
      return inBrackets(text, method);
    });
    const installation = await startInstallation(agent, { newDatabase, engine });
    const from = older?.dir ?? "";
    for (const zone of ["execution", "verification"] as const) await installation.use(zone, from);
    return { gate, agent, installation };
  };

  test.skipIf(olderName === undefined)(
    "takes over what is under way in both zones, also what waits its turn in a thread: all is answered once",
    async () => {
      const { gate, agent, installation } = await prepare();
      gate.hold();
      const asked: Asked[] = [...(await startWork(installation, agent, "before"))];
      const [{ root }] = asked as [Asked];
      installation.write({ text: "ask newer: before-behind", thread_ts: root.ts });
      await installation.use("execution", current);
      await installation.use("verification", current);
      gate.release();
      await expectAnswers(installation, asked.slice(1));
      const replies = () => installation.replies(root).map(({ text, markdown_text = "" }) => text + markdown_text);
      const answered = (word: string) => replies().filter((text) => text.includes(`(${word})`)).length;
      await expect
        .poll(() => [answered("before-asked"), answered("before-behind")], { timeout: 60_000 })
        .toEqual([1, 1]);
      const again = await startWork(installation, agent, "after");
      await expectAnswers(installation, again);
    },
  );

  test.skipIf(olderName === undefined || engine === "sqlite")(
    "next to processes of the previous version: they refuse work until they are replaced, and every question is answered once",
    async () => {
      const { gate, agent, installation } = await prepare();
      gate.hold();
      const before = await startWork(installation, agent, "before");
      const added = await installation.addExecution(current);
      gate.release();
      const beside = await startWork(installation, agent, "beside");
      await expectAnswers(installation, [...before, ...beside]);
      await installation.use("execution", current);
      const after = await startWork(installation, agent, "after");
      await expectAnswers(installation, [...before, ...beside, ...after]);
      expect(await added.stop()).toBe(0);
    },
  );
});
