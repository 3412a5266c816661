import { openExecutionDatabase } from "@crosszone/execution";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { runData } from "../harness/run-program.ts";
import { databaseEnv } from "../harness/start-task-process.ts";

// Each command is a process.
vi.setConfig({ testTimeout: 90_000 });

/** Returns the variables of a zone with a database. */
async function envOfZone() {
  const url = await newSqliteDatabase();
  const database = await openExecutionDatabase({ url: url.replace(/^(sqlite:.*\/).*/, "$1execution.sqlite") });
  onTestFinished(() => database.close());
  return databaseEnv(url);
}

test("B8: without Kafka, the commands that list and redeliver dead letters say why there are none", async () => {
  const env = await envOfZone();
  const why = expect.stringMatching(
    /^Only messages on Kafka become dead letters, and KAFKA_BROKERS is not set\. .*\n$/,
  );
  expect(await runData(env, "dead-letters")).toEqual({ code: 0, out: why, err: "" });
  expect(await runData(env, "replay", "all")).toEqual({ code: 1, out: "", err: why });
});

test("B8: if a configured Kafka is unreachable, listing says so, and other commands do not need it", async () => {
  const env = { ...(await envOfZone()), KAFKA_BROKERS: "127.0.0.1:1" };
  const { code, err } = await runData(env, "dead-letters");
  expect([code, err]).toEqual([1, expect.stringContaining("KAFKA_BROKERS names brokers that can't be used right now")]);
  expect(await runData(env, "reseal")).toMatchObject({ err: expect.stringContaining("DATA_KEYS") });
});
