import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { freePort } from "@crosszone/testkit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { slackEnv } from "@crosszone/dev-slack/client";
import { startTaskProcess, type TaskProcess } from "../../harness/start-task-process.ts";
import { startVerification } from "../../harness/start-verification.ts";
import { writeAgentsFile } from "../../harness/write-agents-file.ts";
import type { SdkAgent } from "./start-sdk-agent.ts";
import { tune } from "@crosszone/testkit/tune";

export interface KillableZones {
  readonly slack: DevSlack;
  /** Starts a process of execution with these roles. With the role `rpc` it listens where verification expects it. */
  readonly start: (roles: string) => Promise<TaskProcess>;
  /** Counts open agent calls with a durable remote task id: another process can follow them. */
  readonly followed: () => number;
}

/** A local Slack, verification, and processes of execution on one database that can be killed. Ends with the test. */
export async function startKillableZones(agents: readonly SdkAgent[]): Promise<KillableZones> {
  const database = await newSqliteDatabase();
  const port = await freePort();
  const env = {
    AGENTS_FILE: await writeAgentsFile(agents.map(({ name, url }) => ({ name, url }))),
    AGENT_ORIGINS: agents.map(({ url }) => url).join(","),
    LOG_LEVEL: "debug",
  };
  const slack = await startDevSlack();
  const verification = await startVerification({
    env: {
      ...slackEnv(slack),
      EXECUTION_URL: `http://127.0.0.1:${port}/rpc`,
      ...tune({ POLL_WAIT_MS: 500, EXECUTION_RETRY_BUDGET_MS: 30_000 }),
    },
    log: [],
  });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  onTestFinished(async () => {
    await verification.stop();
    await slack.close();
  });
  const followed = (): number => {
    const file = join(dirname(database.slice("sqlite:".length)), "execution.sqlite");
    using reading = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const row = reading.prepare(
      "select count(*) as n from job where kind = 'agent_call' and state < 4 and handle is not null",
    );
    return Number(row.get()?.["n"]);
  };
  return {
    slack,
    followed,
    start: (roles) =>
      startTaskProcess(database, {
        ...env,
        EXECUTION_ROLES: roles,
        EXECUTION_PORT: String(roles.includes("rpc") ? port : 0),
      }),
  };
}
