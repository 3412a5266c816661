// suite: rest
// @module-tag judge
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { openExecutionDatabase } from "@crosszone/execution";
import { nowText } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openWithoutHttp } from "@crosszone/execution/testing";
import { startAgent } from "@crosszone/testkit";
import { workflowOf } from "../harness/runs-api.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";

const decide = { people: ["U_BOSS"] };
const work = { id: "work", type: "agent", agent_name: "slow", input_mapping: { text: "hello" } } as const;
const ask = { id: "ask", type: "human", input: "approve", prompt: "Pay?", decide, expires_in_ms: 600_000 } as const;

const workflows = [
  workflowOf("working", [work], { deadline_ms: 600_000 }),
  workflowOf("short", [work], { deadline_ms: 8_000 }),
  workflowOf("asking", [ask]),
];

const hourMs = 3_600_000;

/** Puts a clock between the database and its programs, which jumps by so many milliseconds. On SQLite, it is also that of this process. */
async function jumpingClock(url: string): Promise<(ms: number) => Promise<void>> {
  // Defaults of columns can't read the table.
  await (await openExecutionDatabase({ url })).close();
  const before = { ...nowText };
  onTestFinished(() => void Object.assign(nowText, before));
  const table = "create table clock_ahead (ms bigint not null); insert into clock_ahead values (0)";
  if (url.startsWith("sqlite:")) {
    const file = new DatabaseSync(url.slice("sqlite:".length));
    onTestFinished(() => file.close());
    file.exec(table);
    Object.assign(nowText, { sqlite: `(${nowText.sqlite} + (select ms from clock_ahead))` });
    const RealDate = Date;
    let aheadMs = 0;
    vi.stubGlobal(
      "Date",
      class extends RealDate {
        constructor(given: number = RealDate.now() + aheadMs) {
          super(given);
        }
        static override now = (): number => RealDate.now() + aheadMs;
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    return async (ms) => {
      file.exec(`update clock_ahead set ms = ms + ${ms}`);
      aheadMs += ms;
    };
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(table);
  Object.assign(nowText, { postgres: `(${nowText.postgres} + (select ms from public.clock_ahead))` });
  return async (ms) => void (await client.query("update clock_ahead set ms = ms + $1", [ms]));
}

onBothEngines("a clock that jumps", (newDatabase) => {
  test.each([2 * hourMs, -2 * hourMs])("O10: a jump of %i ms timed runs out at once, or never", async (ms) => {
    const url = await newDatabase();
    const jump = await jumpingClock(url);
    const answers = Promise.withResolvers<string>();
    const agent = await startAgent(() => answers.promise);
    const EXECUTION_FILE = writeAgentsFile([{ name: "slow", url: agent.url, timeout_ms: 60_000 }]);
    const env = { EXECUTION_FILE, AGENT_ORIGINS: agent.origin, WORKFLOWS_DIR: writeWorkflows(...workflows) };
    // Two processes notice the jump. One of them gives the time back.
    const zones = [await openWithoutHttp(url, env), await openWithoutHttp(url, env)];
    for (const zone of zones) await zone.start();
    const [zone] = zones;
    if (zone === undefined) throw new Error("no zone");
    // Without it nobody could decide.
    await zone.inputs.requests.follow("verification");
    const begin = async (workflow_id: string): Promise<string> => {
      const started = await zone.workflows.startRun({ workflow_id, input: {} }, {});
      if (!("run" in started)) throw new Error(started.outcome);
      return started.run.run_id;
    };
    const stateOf = async (runId: string) => (await zone.workflows.getRun(runId))?.run.state;
    const [working, short, asking] = [await begin("working"), await begin("short"), await begin("asking")];
    await vi.waitFor(() => expect(agent.requests).toHaveLength(2));
    const openInputs = async () =>
      (await zone.inputs.requests.list({ live: true }, { limit: 10 })).map(({ state }) => state);
    await expect.poll(openInputs).toEqual(["open"]);

    await jump(ms);
    await delay(5_000);
    expect([await stateOf(working), await stateOf(asking), await openInputs()]).toEqual([
      "running",
      "running",
      ["open"],
    ]);
    // By the time that has passed, this one has timed out.
    await expect.poll(() => stateOf(short)).toBe("timed_out");
    const told = zones.flatMap(({ log }) => log.filter(({ event }) => event === "clock_jumped"));
    expect(told.map((line) => Math.round(Number(line["ms"]) / 60_000))).toEqual([ms / 60_000]);
    answers.resolve("done");
    await expect.poll(() => stateOf(working)).toBe("succeeded");
    const takenOver = zones.flatMap(({ log }) => log.filter(({ because }) => because === "taken_over"));
    expect(takenOver).toEqual([]);
    expect([await stateOf(asking), await openInputs()]).toEqual(["running", ["open"]]);
  });
});
