import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import type { SlackSide } from "./slack-kinds.ts";
import type { Mention } from "./mentions.ts";
import { watchSelf, watchWorker, watchZone, type Watched } from "./watch.ts";
import { startZone, type ZoneProcess } from "./zone-process.ts";

/** Everything that runs under load, each in a process of its own. */
export interface LoadSystem {
  verification: ZoneProcess;
  execution: ZoneProcess;
  slackWorker: Worker;
  /** What a sender of Slack's events knows. */
  slackSide: SlackSide;
  /** The bearer token of execution. */
  token: string;
  watched: readonly Watched[];
  /** Where the zones' logs are. */
  folder: string;
}

type About = Omit<SlackSide, "mentions"> & { apiUrl: string; botToken: string };

/**
 * Starts the local Slack with `mentionCount` mentions, and both zones of the repository at `root`. The zones have their usual settings, but
 * limits that are high enough for the load.
 */
export async function startSystem(mentionCount: number, root: string): Promise<LoadSystem> {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-load-"));
  const slackWorker = spawnWorker("load-run/slack-worker.ts", []);
  const about = await slackWorker.ask<About>("about");
  const mentions = await slackWorker.ask<Mention[]>("write", mentionCount);
  const token = randomBytes(32).toString("hex");
  const execution = await startZone(
    "execution",
    {
      EXECUTION_PORT: "0",
      EXECUTION_TOKEN: token,
      MAX_RUNNING_TASKS: "1000",
      MAX_REQUESTS_PER_MINUTE: "1000000",
      MAX_REQUEST_BURST: "10000",
    },
    { folder, root },
  );
  const verification = await startZone(
    "verification",
    {
      VERIFICATION_PORT: "0",
      SLACK_API_URL: about.apiUrl,
      SLACK_BOT_TOKEN: about.botToken,
      SLACK_SIGNING_SECRET: about.signingSecret,
      SLACK_APP_ID: about.appId,
      EXECUTION_URL: `${execution.url}/rpc`,
      EXECUTION_TOKEN: token,
      USER_MESSAGES_PER_MINUTE: "100000",
      CHANNEL_MESSAGES_PER_MINUTE: "100000",
      TEAM_MESSAGES_PER_MINUTE: "100000",
    },
    { folder, root },
  );
  await slackWorker.ask("connect", `${verification.url}/slack/events`);
  return {
    verification,
    execution,
    slackWorker,
    slackSide: { ...about, mentions },
    token,
    folder,
    watched: [
      watchZone("verification", verification.url),
      watchZone("execution", execution.url),
      watchWorker("local Slack", slackWorker),
      watchSelf("load"),
    ],
  };
}
