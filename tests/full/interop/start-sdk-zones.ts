import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import { startCrosszone, type Crosszone, type CrosszoneOptions } from "../../harness/start-crosszone.ts";
import { startTaskProcess, type TaskProcess } from "../../harness/start-task-process.ts";
import { startVerification } from "../../harness/start-verification.ts";
import { writeAgentsFile } from "../../harness/write-definitions.ts";
import type { SdkAgent } from "./start-sdk-agent.ts";

type Registered = Pick<SdkAgent, "name" | "url">;

/** Starts both zones and a local Slack, and registers these agents by their base URL only. Ends with the test. */
export async function startSdkZones(
  agents: readonly Registered[],
  { env, limits, ...options }: CrosszoneOptions = {},
): Promise<Crosszone> {
  return startCrosszone({
    ...options,
    // As in production: with 66 simultaneous questions, a file may take longer than in other tests.
    fileTimeoutMs: 30_000,
    limits: { taskDeadlineMs: 180_000, ...limits },
    env: {
      AGENTS_FILE: await writeAgentsFile(agents.map(({ name, url }) => ({ name, url }))),
      AGENT_ORIGINS: [...new Set(agents.map(({ url }) => new URL(url).origin))].join(","),
      MESSAGES_PER_MINUTE: "1000",
      ...env,
    },
  });
}

interface KillableZones {
  readonly slack: DevSlack;
  /** Starts a process of execution with these roles. With the role `rpc` it listens where verification expects it. */
  readonly start: (roles: string) => Promise<TaskProcess>;
  /** Counts open agent calls with a durable remote task id: another process can follow them. */
  readonly followed: () => number;
}

/** Starts a local Slack and verification. The test starts and kills processes of execution on one database. Ends with the test. */
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

export interface WrongWorld {
  /** Returns the agent card for the server's URL. Default: a 404. */
  readonly card?: (url: string) => object;
  /** Answers all other requests. Default: a 404. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Starts a server that differs from its registration, on a free port of loopback. Resolves with its URL. Ends with the test. */
export async function startWrongWorld({ card, answer }: WrongWorld): Promise<string> {
  let url = "";
  const server = createServer((request, response) => {
    if (card && request.url === "/.well-known/agent-card.json") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(card(url)));
    } else if (answer) answer(request, response);
    else response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}
