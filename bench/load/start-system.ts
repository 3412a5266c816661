import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownUsage, usageOfWorker, usageOfZone } from "../kit/usage.ts";
import { spawnWorker } from "../kit/worker.ts";
import type { SlackAbout } from "../zone/local-slack.ts";
import { manyMessages, startBothZones } from "../zone/zones.ts";
import type { PeerPlan } from "./bolt-peer-worker.ts";
import type { Mention } from "./kinds.ts";
import type { SlackSide } from "./slack-kinds.ts";

interface SystemPlan {
  /** How many mentions the local Slack has. */
  readonly mentions: number;
  /** Starts a bare Bolt app too. */
  readonly withPeer?: boolean;
  /** Further variables of each zone. */
  readonly execution?: Readonly<Record<string, string>>;
  readonly verification?: Readonly<Record<string, string>>;
}

/**
 * Starts what runs under load, each in its own process: the local Slack with some mentions, and both zones with their usual settings but limits that are high enough
 * for the load. Logs and data of the zones are in `folder`.
 */
export async function startSystem({ mentions: count, withPeer, execution: more, verification: others }: SystemPlan) {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-load-"));
  const slackWorker = spawnWorker("load/slack-worker.ts");
  const about = await slackWorker.call<SlackAbout>("about");
  const mentions = await slackWorker.call<Mention[]>("write", count);
  const zones = await startBothZones({
    slackEnv: about.env,
    folder,
    execution: { MAX_RUNNING_TASKS: "1000", MAX_REQUESTS_PER_MINUTE: "0", ...more },
    verification: { ...manyMessages, ...others },
  });
  const { verification, execution } = zones;
  await slackWorker.call("connect", `${verification.url}/slack/events`);
  const peer = withPeer
    ? await startPeer({ slackEnv: about.env, execution: execution.url, token: zones.token })
    : undefined;
  const usage = [
    ...(peer === undefined ? [] : [usageOfWorker("peer", peer.worker)]),
    usageOfZone("verification", verification),
    usageOfZone("execution", execution),
    usageOfWorker("local Slack", slackWorker),
    { name: "load", read: async () => ownUsage() },
  ];
  const slackSide: SlackSide = { ...about, mentions };
  return { zones, slackWorker, slackSide, peer, usage, folder };
}

/** Starts a Bolt app on the same execution zone. Resolves when it listens. */
async function startPeer(plan: PeerPlan) {
  const worker = spawnWorker("load/bolt-peer-worker.ts");
  return { worker, url: await worker.call<string>("listen", plan), stop: () => worker.stop() };
}
