import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tune } from "@crosszone/testkit/tune";
import { usageOfZone } from "../kit/usage.ts";
import { spawnWorker } from "../kit/worker.ts";
import { manyMessages, startBothZones } from "../zone/zones.ts";
import type { SlackAbout } from "../zone/local-slack.ts";

export type StreamSystem = Awaited<ReturnType<typeof startSystem>>;

/** Starts the local Slack and both zones with their usual settings, and limits above that many questions. The agent `tokens` and the model are at `source`. */
export async function startSystem(source: string) {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-stream-"));
  const agents = join(folder, "agents.yaml");
  const agent = { name: "tokens", url: `${source}/`, max_concurrency: 500, timeout_ms: 120_000 };
  writeFileSync(agents, JSON.stringify({ agents: [agent] }));
  const slack = spawnWorker("stream/slack-worker.ts");
  const { env } = await slack.call<SlackAbout>("about");
  // On a busy machine a request may wait for its process longer than usual.
  const timeouts = tune({ HEADERS_TIMEOUT_MS: 30_000, REQUEST_TIMEOUT_MS: 30_000 });
  const { verification, execution, token, errors, stop } = await startBothZones({
    slackEnv: env,
    folder,
    execution: {
      ...timeouts,
      MAX_REQUESTS_PER_MINUTE: "0",
      MAX_RUNNING_TASKS: "500",
      EXECUTION_FILE: agents,
      AGENT_ORIGINS: source,
      DEFAULT_AGENT: "tokens",
      OPENAI_BASE_URL: `${source}/v1`,
      MODEL: "openai/tokens",
    },
    verification: { ...timeouts, ...manyMessages, MAX_QUESTIONS: "500" },
  });
  await slack.call("connect", `${verification.url}/slack/events`);
  return {
    slack,
    execution: { url: execution.url, token },
    usage: [usageOfZone("verification", verification), usageOfZone("execution", execution)],
    errors,
    stop: async () => {
      await stop();
      await slack.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
