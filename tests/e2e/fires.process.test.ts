// suite: rest
// @module-tag judge
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { expect, test, vi } from "vitest";
import { fillSchedule, pressSchedule } from "../harness/slack-schedules.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

vi.setConfig({ testTimeout: 180_000 });

onBothEngines("a fire whose verification is killed", (newDatabase) => {
  test.each([
    ["before it is taken", ({ event, kind_of_record }) => event === "policy_allowed" && kind_of_record === "fire"],
    ["once its message is posted", ({ operation }) => operation === "chat.postMessage"],
    ["once its task runs", ({ event }) => event === "task_accepted"],
  ] as [string, (line: Readonly<Record<string, unknown>>) => boolean][])(
    "%s, is asked and answered once",
    async (_, isTime) => {
      const [execution, verification] = [databaseEnv(await newDatabase()), databaseEnv(await newDatabase())];
      const zones = await startWithAgents({
        view: true,
        slack: { retryScheduleMs: [100, 5_000, 20_000] },
        env: execution,
        verificationEnv: { ...verification, LOG_LEVEL: "debug" },
      });
      const { slack, log } = zones;
      const { control } = slack;
      const { view_id } = await fillSchedule(slack, { user: "alice", channel: "general" });
      await control.submitView({ view_id, user: "alice" });
      await control.waitForMessage(({ text }) => text.startsWith("Saved"), 20_000);
      const before = log.length;
      await pressSchedule(slack, { user: "alice", change: "Run now" });
      const process = zones.verification;
      if (!("signal" in process)) throw new Error("verification is no process");
      const later = () => log.slice(before).filter(({ zone, event }) => zone === "verification" && event !== undefined);
      await vi.waitUntil(() => later().some(isTime), { timeout: 30_000, interval: 1 });
      process.signal("SIGKILL");
      await process.ended;
      await process.restart();
      const posted = () =>
        control
          .messages({ channel: "general" })
          .filter(({ bot_id, ephemeral_for }) => bot_id !== undefined && ephemeral_for === undefined);
      const isDone = () =>
        posted().length > 0 && posted().every(({ metadata }) => metadata?.event_payload["state"] === "done");
      await vi.waitUntil(isDone, { timeout: 60_000, interval: 200 });
      await control.idle();
      expect(posted().map(({ thread_ts }) => thread_ts)).toEqual([undefined]);
      expect(JSON.stringify(posted()[0]?.blocks)).toContain("*Daily report* · schedule of <@U0ALICE0001>");
    },
  );
});
