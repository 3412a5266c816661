import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { startDevSlack } from "./server/start-dev-slack.ts";
import type { GuideSection } from "./protocol/guide.ts";
import type { DevSlack } from "./server/dev-slack.ts";

/** The environment variables of the process. */
const ENVIRONMENT = z.object({
  DEV_SLACK_HOST: z.string().min(1).default("127.0.0.1"),
  DEV_SLACK_PORT: z.coerce.number().int().min(0).max(65_535).default(3100),
  DEV_SLACK_EVENTS_URL: z.url().default("http://127.0.0.1:3000/slack/events"),
  DEV_SLACK_UPSTREAM: z.url().default("http://127.0.0.1:4000"),
  /** The file of the app's manifest. */
  DEV_SLACK_MANIFEST: z.string().min(1).optional(),
  DATA_DIR: z.string().optional(),
  SLACK_SIGNING_SECRET: z.string().min(1).optional(),
  SLACK_BOT_TOKEN: z.string().startsWith("xoxb-").optional(),
  SLACK_APP_TOKEN: z.string().startsWith("xapp-").optional(),
});

/** Slack's own schedule, and two more retries before its minute: an app on this machine is back within seconds of an edit. */
const RETRY_SCHEDULE_MS = [0, 1_000, 5_000, 60_000, 300_000];

/** Returns the guide that `./crosszone dev` writes once everything is up; empty until then. */
function readGuide(folder: string): readonly GuideSection[] {
  try {
    return JSON.parse(readFileSync(join(folder, "guide.json"), "utf8")) as GuideSection[];
  } catch {
    return [];
  }
}

/** Prints a message for a person and exits. */
function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

async function start(): Promise<DevSlack> {
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
  const read = ENVIRONMENT.safeParse(given);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return refuse(`The local Slack cannot start: ${problems.join("; ")}`);
  }
  const env = read.data;
  try {
    const { DATA_DIR: folder, DEV_SLACK_MANIFEST: manifest } = env;
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await startDevSlack({
      host: env.DEV_SLACK_HOST,
      port: env.DEV_SLACK_PORT,
      eventsUrl: env.DEV_SLACK_EVENTS_URL,
      upstream: env.DEV_SLACK_UPSTREAM,
      retryScheduleMs: RETRY_SCHEDULE_MS,
      ...(manifest !== undefined && { manifest: JSON.parse(readFileSync(manifest, "utf8")) as unknown }),
      ...(folder !== undefined && { file: join(folder, "slack.sqlite"), guide: () => readGuide(folder) }),
      secrets: {
        signingSecret: env.SLACK_SIGNING_SECRET,
        botToken: env.SLACK_BOT_TOKEN,
        appToken: env.SLACK_APP_TOKEN,
      },
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      return refuse(`Port ${env.DEV_SLACK_PORT} is in use. Set DEV_SLACK_PORT to another port for the local Slack.`);
    }
    return refuse(`The local Slack cannot start: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const slack = await start();
console.log(`The local Slack is at ${slack.url}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void slack.close().then(() => process.exit(0)));
}
