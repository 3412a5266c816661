import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { watchZone, type Watched } from "../load-run/watch.ts";
import { startZone } from "../load-run/zone-process.ts";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import { tune } from "../../harness/tune.ts";

/** Both zones, each as a process as in production, and the local Slack. */
export interface Zones {
  readonly slack: Worker;
  /** Where execution is, and its bearer token. */
  readonly execution: { readonly url: string; readonly token: string };
  readonly watched: readonly Watched[];
  /** The lines of both logs that say `error`. */
  readonly errors: () => readonly string[];
  readonly stop: () => Promise<void>;
}

interface SlackAbout {
  readonly apiUrl: string;
  readonly botToken: string;
  readonly signingSecret: string;
  readonly appId: string;
}

/** Starts both zones with their usual settings, and limits that so many questions at once fit in. The agent `tokens` is at `source`, and so is the model. */
export async function startZones(source: string, cpuProf: string | undefined): Promise<Zones> {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-stream-"));
  const agents = join(folder, "agents.yaml");
  const agent = { name: "tokens", url: `${source}/`, max_concurrency: 500, timeout_ms: 120_000 };
  writeFileSync(agents, JSON.stringify({ agents: [agent] }));
  const slack = spawnWorker("stream/slack-worker.ts", []);
  const { apiUrl, botToken, signingSecret, appId } = await slack.ask<SlackAbout>("about");
  const token = randomBytes(32).toString("hex");
  // On a busy machine a request may wait for its process longer than usual.
  const patience = tune({ HEADERS_TIMEOUT_MS: 30_000, REQUEST_TIMEOUT_MS: 30_000 });
  const execution = await startZone(
    "execution",
    {
      ...patience,
      MAX_REQUESTS_PER_MINUTE: "0",
      MAX_RUNNING_TASKS: "500",
      ...dataIn(folder, "execution"),
      ...profileIn(cpuProf, "execution"),
      EXECUTION_PORT: "0",
      EXECUTION_TOKEN: token,
      AGENTS_FILE: agents,
      AGENT_ORIGINS: source,
      DEFAULT_AGENT: "tokens",
      OPENAI_BASE_URL: `${source}/v1`,
      MODEL: "openai/tokens",
    },
    { folder },
  );
  const verification = await startZone(
    "verification",
    {
      ...dataIn(folder, "verification"),
      ...profileIn(cpuProf, "verification"),
      ...patience,
      VERIFICATION_PORT: "0",
      SLACK_API_URL: apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_APP_ID: appId,
      EXECUTION_URL: `${execution.url}/rpc`,
      EXECUTION_TOKEN: token,
      MAX_QUESTIONS: "500",
      USER_MESSAGES_PER_MINUTE: "100000",
      CHANNEL_MESSAGES_PER_MINUTE: "100000",
      TEAM_MESSAGES_PER_MINUTE: "100000",
    },
    { folder },
  );
  await slack.ask("connect", `${verification.url}/slack/events`);
  return {
    slack,
    execution: { url: execution.url, token },
    watched: [watchZone("verification", verification.url), watchZone("execution", execution.url)],
    errors: () => [...verification.errors(), ...execution.errors()],
    stop: async () => {
      await Promise.all([verification.stop(), execution.stop()]);
      await slack.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function dataIn(folder: string, zone: string): Record<string, string> {
  const data = join(folder, `${zone}-data`);
  mkdirSync(data);
  return { DATA_DIR: data };
}

function profileIn(folder: string | undefined, zone: string): Record<string, string> {
  if (folder === undefined) return {};
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(folder, zone)}` };
}
