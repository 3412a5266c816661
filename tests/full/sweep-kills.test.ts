// @module-tag judge
import { setTimeout } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import { expect, test, vi } from "vitest";
import { startWithAgents } from "../harness/start-crosszone.ts";

vi.setConfig({ testTimeout: 300_000 });

const [questions, kills] = [60, 20];

onBothEngines("a process that is killed while it reads what it missed", (newDatabase) => {
  test("P5: after 20 kills each question is answered once", async () => {
    const url = await newDatabase();
    const zones = await startWithAgents({
      view: true,
      verificationEnv: {
        DATA_DIR: tempFolder(),
        ...(!url.startsWith("sqlite:") && { DATABASE_URL: url }),
        ...tune({ SWEEP_PACE_MS: 50, HEARTBEAT_MS: 200, INBOX_LEASE_MS: 2_000, INBOX_ATTEMPTS: 100 }),
      },
    });
    const { verification, slack, replies, log, ask } = zones;
    if (!("restart" in verification)) throw new Error("verification is no process");
    expect(await ask("builtin", "1 + 1")).toContain("2");
    verification.signal("SIGKILL");
    await verification.ended;
    const roots = Array.from({ length: questions }, (_, at) => {
      const text = `@Crosszone ${1_000 + at} + ${at}`;
      return slack.control.postMessage({ channel: "general", user: at % 2 === 0 ? "bob" : "alice", text });
    });
    for (let kill = 0; kill < kills; kill += 1) {
      const process = await verification.restart();
      // The first kill meets the reading, on a busy machine too.
      if (kill === 0) await vi.waitUntil(() => log.some(({ event }) => event === "message_swept"), 30_000);
      else await setTimeout(300 + ((kill * 377) % 1_100));
      process.signal("SIGKILL");
      await process.ended;
    }
    await verification.restart();
    await vi.waitFor(() => expect(log.some(({ event }) => event === "history_swept")).toBe(true), 60_000);
    const answered = () => roots.map((root) => replies(root).filter(({ text }) => text.includes("=")).length);
    await vi.waitFor(() => expect(answered()).toEqual(roots.map(() => 1)), { timeout: 90_000, interval: 500 });
    await setTimeout(3_000);
    expect(roots.map((root) => replies(root).length)).toEqual(roots.map(() => 1));
  });
});
