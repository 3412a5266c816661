import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Message, startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv, stateOf } from "@crosszone/dev-slack/client";
import { freePort, startAgent } from "@crosszone/testkit";
import { programArgs } from "@crosszone/testkit/bundle";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { type LogLine, startProcess, type ZoneProcess } from "@crosszone/testkit/process";
import { tune } from "@crosszone/testkit/tune";
import { expect, onTestFinished, test, vi } from "vitest";
import { openGateway } from "../chaos/system/engine.ts";
import { shareOf } from "../harness/random.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

vi.setConfig({ testTimeout: 600_000 });

type Zone = "verification" | "execution";

const newKey = (id: string): string => `${id}:${randomBytes(32).toString("base64")}`;
const soon = { timeout: 180_000, interval: 500 };
const many = { burst: 100_000, per_minute: 6_000_000 };
/** In each question, and so in each answer. */
const planted = "planted-words";

/** Two processes of each zone on PostgreSQL. Slack, and calls between the zones, reach each of the two in turn, whether it is ready or not. */
async function startPairs(keys: string) {
  const rateLimits = { tier_2: many, tier_3: many, tier_4: many, post_message: many };
  const slack = await startDevSlack({ retryScheduleMs: Array.from({ length: 100 }, () => 500), rateLimits });
  onTestFinished(() => slack.close());
  const agent = await startAgent(async (text) => (await delay(200 + (text.length % 7) * 100), `answer to ${text}`));
  const database = await newPostgresDatabase();
  const ports = { verification: [await freePort(), await freePort()], execution: [await freePort(), await freePort()] };
  const turns = { verification: 0, execution: 0 };
  const listens = new Set<number>();
  const wires = await Promise.all(
    (["verification", "execution"] as const).map((zone) =>
      openGateway(() => {
        const live = ports[zone].filter((port) => listens.has(port));
        return live[turns[zone]++ % live.length];
      }),
    ),
  );
  onTestFinished(() => wires.forEach((wire) => wire.close()));
  const [front, link] = wires.map(({ port }) => `http://127.0.0.1:${port}`);
  const both = { DATABASE_URL: database, EXECUTION_TOKEN: randomBytes(32).toString("hex") };
  const env: Record<Zone, Record<string, string>> = {
    execution: {
      ...tune({ STOP_GRACE_MS: 1_000, TASK_ATTEMPTS: 100, AGENT_CALL_ATTEMPTS: 100 }, both),
      EXECUTION_FILE: writeAgentsFile([{ name: "teller", url: agent.url, max_concurrency: 100 }]),
      AGENT_ORIGINS: agent.origin,
      MAX_REQUESTS_PER_MINUTE: "0",
      MAX_RUNNING_TASKS: "500",
      DEFAULT_AGENT: "teller",
    },
    verification: {
      ...both,
      ...slackEnv(slack),
      EXECUTION_URL: `${link}/rpc`,
      MESSAGES_PER_MINUTE: "100000",
      // On a busy machine, leases are lost, and attempts with them.
      ...tune({ STOP_GRACE_MS: 1_000, INBOX_ATTEMPTS: 100, POLL_WAIT_MS: 500, EXECUTION_RETRY_BUDGET_MS: 60_000 }),
    },
  };
  slack.setEventsUrl(`${front}/slack/events`);
  const lines: LogLine[] = [];
  const running = new Map<number, ZoneProcess>();
  const start = async (zone: Zone, place: number, dataKeys: string): Promise<void> => {
    const port = ports[zone][place] ?? 0;
    listens.delete(port);
    await running.get(port)?.stop();
    const started = startProcess({
      cwd: resolve(import.meta.dirname, "../../apps", zone),
      args: await programArgs(`apps/${zone}/src/main.ts`),
      env: { ...env[zone], [`${zone.toUpperCase()}_PORT`]: String(port), DATA_KEYS: dataKeys },
      onLine: (line) => lines.push(line),
    });
    // One that waits for its keys listens too, but says that it doesn't work.
    started.then(
      (one) => running.set(port, one),
      () => undefined,
    );
    await expect.poll(() => readyOf(port), soon).toBeDefined();
    listens.add(port);
  };
  const readyOf = async (port: number | undefined): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return ((await response?.json()) as { checks: Record<string, unknown> } | undefined)?.checks["keys"];
  };
  for (const zone of ["execution", "verification"] as const) for (const place of [0, 1]) await start(zone, place, keys);
  const { write, replies } = converse(slack.control);
  const roots: Message[] = [];
  return {
    start,
    lines,
    readyOf: (zone: Zone, place: number) => readyOf(ports[zone][place]),
    /** Restarts processes, and asks 20 questions a second from the start of each. */
    restart: async (all: readonly (readonly [zone: Zone, place: number, dataKeys: string])[]): Promise<void> => {
      for (const [zone, place, dataKeys] of all) {
        const started = start(zone, place, dataKeys);
        for (let at = 0; at < perRestart; at += 1) {
          roots.push(write({ text: `@Crosszone ${planted} ${roots.length}`, channel: "general" }));
          await delay(50);
        }
        await started;
      }
    },
    /** Expects that each question has one answer, the agent's, and that no line of a log has a word of it. */
    expectAnswers: async (): Promise<void> => {
      const answers = (root: Message): string =>
        replies(root)
          .map(
            (reply) => `${String(stateOf(reply))} ${`${reply.text}${reply.markdown_text ?? ""}`.includes("answer to")}`,
          )
          .join();
      await expect.poll(() => roots.map(answers).filter((answer) => answer !== "done true"), soon).toEqual([]);
      expect(lines.filter(({ event }) => /dead|parked$|answer_lost|schedule_skipped/.test(String(event)))).toEqual([]);
      expect(lines.filter((line) => JSON.stringify(line).includes(planted))).toEqual([]);
    },
  };
}

const [k1, k2] = [newKey("k1"), newKey("k2")];
/** Questions while one process restarts. */
const perRestart = shareOf(100, 20);

test.each([
  ["in the order of the docs", [`${k1},${k2}`, `${k2},${k1}`]],
  ["with the new key first at once", [`${k2},${k1}`]],
])(
  "O31, O32: DATA_KEYS rotated %s, under 20 mentions a second: each is answered once, no log has a word of it",
  async (_how, steps) => {
    const pairs = await startPairs(k1);
    const zones = ["verification", "execution"] as const;
    await pairs.restart(
      steps.flatMap((keys) => [0, 1].flatMap((place) => zones.map((zone) => [zone, place, keys] as const))),
    );
    await pairs.expectAnswers();
    expect(await pairs.readyOf("verification", 0)).toEqual({ ok: true });
  },
);

test("O31: a wrong key in one of two processes: it says so and works on nothing, the other answers each question once", async () => {
  const pairs = await startPairs(k1);
  const wrong = newKey("k1");
  await pairs.restart([
    ["verification", 1, wrong],
    ["execution", 1, wrong],
  ]);
  await pairs.expectAnswers();
  const reason = expect.stringContaining('another key "k1" than DATA_KEYS of this process has');
  for (const zone of ["verification", "execution"] as const)
    expect([await pairs.readyOf(zone, 0), await pairs.readyOf(zone, 1)]).toEqual([{ ok: true }, { ok: false, reason }]);
});
