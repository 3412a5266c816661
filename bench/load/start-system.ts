import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownUsage, usageOfWorker, usageOfZone, type UsageSource } from "../kit/usage.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";
import { manyMessages, startBothZones, type BothZones } from "../zone/both-zones.ts";
import type { SlackAbout } from "../zone/local-slack.ts";
import type { Mention } from "./kinds.ts";
import type { SlackSide } from "./slack-kinds.ts";

/** Everything that runs under load, each in its own process. */
export interface LoadSystem {
  readonly zones: BothZones;
  readonly slackWorker: Worker;
  readonly slackSide: SlackSide;
  readonly usage: readonly UsageSource[];
  /** The zones' logs and data are here. */
  readonly folder: string;
}

/**
 * Starts the local Slack with some mentions, and both zones of the repository at `root`. The zones have their usual settings, but limits that
 * are high enough for the load.
 */
export async function startSystem(mentionCount: number, root: string): Promise<LoadSystem> {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-load-"));
  const slackWorker = spawnWorker("load/slack-worker.ts");
  const about = await slackWorker.call<SlackAbout>("about");
  const mentions = await slackWorker.call<Mention[]>("write", mentionCount);
  const zones = await startBothZones({
    slackEnv: about.env,
    folder,
    root,
    execution: { MAX_RUNNING_TASKS: "1000", MAX_REQUESTS_PER_MINUTE: "0" },
    verification: manyMessages,
  });
  const { verification, execution } = zones;
  await slackWorker.call("connect", `${verification.url}/slack/events`);
  const usage = [
    usageOfZone("verification", verification.url),
    usageOfZone("execution", execution.url),
    usageOfWorker("local Slack", slackWorker),
    { name: "load", read: async () => ownUsage() },
  ];
  return { zones, slackWorker, slackSide: { ...about, mentions }, usage, folder };
}
