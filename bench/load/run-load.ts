import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ownUsage, readAll, usageOfWorker, usageOfZone, watchAcceptQueue } from "../kit/usage.ts";
import type { AcceptFigures, Reading } from "../kit/usage.ts";
import type { Progress } from "../kit/benchmark.ts";
import { spawnWorker, type Worker } from "../kit/worker.ts";
import type { SlackAbout } from "../zone/local-slack.ts";
import { manyMessages, startBothZones } from "../zone/zones.ts";
import type { PeerPlan } from "./bolt-peer-worker.ts";
import { executionKinds } from "./execution-kinds.ts";
import { createMix, type Mention, mentionsPerMille } from "./kinds.ts";
import { runOpenLoop, type OpenLoopOptions } from "./open-loop.ts";
import { slackKinds, type SlackSide } from "./slack-kinds.ts";
import type { MentionOutcome } from "./slack-worker.ts";
import { createTally, judgeAnswers, type AnswerFigures, type Tally, type TallyRow } from "./tally.ts";

export interface LoadOptions {
  /** Requests a second. */
  readonly rate: number;
  /** How long is measured, after the warm-up. */
  readonly seconds: number;
  /** 0 for a cold start. */
  readonly warmUpSeconds: number;
  /** Sends nothing else than mentions, to one of these. */
  readonly mentionsTo?: Answerer;
}

/** Who answers mentions: the zone, or a bare Bolt app in its place. */
export type Answerer = "verification" | "peer";

/** New mentions a second. Each of them is three requests. */
export const mentionsIn = ({ rate, mentionsTo }: LoadOptions): number =>
  mentionsTo === undefined ? (rate * mentionsPerMille) / 1_000 : rate / 3;

/** What a run found. */
export interface LoadFigures {
  readonly rows: readonly TallyRow[];
  /** Requests of the warm-up, which are judged as all others are. */
  readonly warmUp: { readonly requests: number; readonly undeserved: number };
  readonly answers: AnswerFigures;
  /** The first undeserved answers, lines that a zone logged as an error, and exit codes other than 0. */
  readonly complaints: readonly string[];
  readonly readings: readonly { readonly name: string; readonly reading: Reading }[];
  /** Seconds between the reading after the warm-up and the last one. */
  readonly measuredSeconds: number;
  /** The queue of the port that mentions go to; undefined where it cannot be seen. */
  readonly queue: AcceptFigures | undefined;
}

/** Runs everything once: warm-up, the load, then the wait for the last answers. */
export async function runLoad(options: LoadOptions, progress: Progress): Promise<LoadFigures> {
  const { rate, seconds, warmUpSeconds } = options;
  const mentions = Math.ceil(mentionsIn(options) * (seconds + warmUpSeconds));
  const system = await startSystem({ mentions, withPeer: options.mentionsTo === "peer" });
  const { zones, slackWorker, peer, usage, folder } = system;
  const all = [...slackKinds(system.slackSide), ...executionKinds(zones.token)];
  const kinds = options.mentionsTo ? all.filter(({ asks }) => asks) : all;
  /** When each mention was due for the first time, Unix milliseconds. */
  const dueTimes: number[] = [];
  const onSend: OpenLoopOptions["onSend"] = ({ asks }, turn, dueAt) => {
    if (asks) dueTimes[turn] ??= performance.timeOrigin + dueAt;
  };
  const urls = { verification: peer?.url ?? zones.verification.url, execution: zones.execution.url };
  const loop = { rate, next: createMix(kinds), urls, onSend };
  const phase = async (name: string, phaseSeconds: number): Promise<Tally> => {
    const tally = createTally(kinds);
    await runOpenLoop({ ...loop, seconds: phaseSeconds, tally });
    const { requests, undeserved } = tally.totals();
    progress(`${name}: ${requests} answered, ${undeserved} of them not as deserved\n`);
    return tally;
  };

  const atStart = await readAll(usage);
  const warmUp = await phase("warm-up", warmUpSeconds);
  const afterWarmUp = await readAll(usage);
  const measuredFrom = performance.now();
  const stopWatching = watchAcceptQueue(Number(new URL(urls.verification).port));
  const load = await phase("load", seconds);
  const readings = [
    { name: "at the start", reading: atStart },
    { name: "after the warm-up", reading: afterWarmUp },
    { name: "at the end", reading: await readAll(usage) },
  ];
  const measuredSeconds = (performance.now() - measuredFrom) / 1_000;
  const queue = stopWatching();
  const answers = judgeAnswers(await settledOutcomes(slackWorker), dueTimes);
  const codes = await zones.stop();
  await Promise.all([slackWorker.stop(), peer?.stop()]);
  const complaints = [
    ...warmUp.examples(),
    ...load.examples(),
    ...zones.errors().slice(0, 10),
    ...codes.filter((code) => code !== 0).map((code) => `a zone ended with ${code}`),
  ];
  if (complaints.length > 0 || answers.right < answers.mentions) progress(`the logs of both zones are in ${folder}\n`);
  else rmSync(folder, { recursive: true });
  return { rows: load.rows(), warmUp: warmUp.totals(), answers, complaints, readings, measuredSeconds, queue };
}

/** The last answers may take this long after the last request. */
const drainMs = 30_000;

/** What became of the mentions, a little after the last has its answer or the time is over: a second answer may come late. */
export async function settledOutcomes(slackWorker: Worker): Promise<MentionOutcome[]> {
  const end = performance.now() + drainMs;
  const read = (): Promise<MentionOutcome[]> => slackWorker.call<MentionOutcome[]>("outcomes");
  while ((await read()).some(({ answeredAt }) => answeredAt === undefined) && performance.now() < end) await wait(200);
  await wait(2_000);
  return read();
}

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
