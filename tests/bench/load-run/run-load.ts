import { rmSync } from "node:fs";
import { setInterval as every, setTimeout as wait } from "node:timers/promises";
import { judgeAnswers, type AnswerFigures } from "./judge-answers.ts";
import { executionKinds } from "./execution-kinds.ts";
import type { Kind } from "./load-request.ts";
import { createMix } from "./mix.ts";
import { runOpenLoop } from "./open-loop.ts";
import type { LoadOptions } from "./options.ts";
import { slackKinds } from "./slack-kinds.ts";
import type { MentionOutcome } from "./mentions.ts";
import { startSystem, type LoadSystem } from "./start-system.ts";
import { createTally, type TallyRow } from "./tally.ts";
import { readAll, type Reading } from "./watch.ts";

/** What a run found. */
export interface LoadFigures {
  rows: TallyRow[];
  /** Requests of the warm-up, which are judged as all others are. */
  warmUp: { requests: number; undeserved: number };
  answers: AnswerFigures;
  /** Answers that were not deserved, lines that a zone logged as an error, exit codes other than 0: the first of them. */
  complaints: string[];
  readings: { name: string; reading: Reading }[];
  /** Seconds between the reading after the warm-up and the last one. */
  measuredSeconds: number;
}

/** The last answers may take this long after the last request. */
const settleMs = 30_000;

/** Runs everything once: warm-up, the load, then the wait for the last answers. `progress` gets a line every few seconds. */
export async function runLoad(options: LoadOptions, progress: (line: string) => void): Promise<LoadFigures> {
  const { rate, seconds, warmUpSeconds, mentions, onlyMentions, root } = options;
  const system = await startSystem(Math.ceil(mentions * (seconds + warmUpSeconds)), root);
  const { verification, execution, slackWorker, watched } = system;
  const all = [...slackKinds(system.slackSide), ...executionKinds(system.token)];
  const kinds = onlyMentions ? all.filter((kind) => kind.asks) : all;
  const next = createMix(kinds);
  const urls = { verification: verification.url, execution: execution.url };
  const dueTimes: number[] = [];
  const onSend = (kind: Kind, turn: number, dueAt: number): void => {
    if (kind.asks) dueTimes[turn] ??= performance.timeOrigin + dueAt;
  };
  const phase = async (name: string, phaseSeconds: number): Promise<ReturnType<typeof createTally>> => {
    const tally = createTally(kinds);
    const over = new AbortController();
    const telling = tell(`${name}:`, tally, { progress, signal: over.signal });
    await runOpenLoop({ rate, seconds: phaseSeconds, next, urls, tally, onSend });
    over.abort();
    await telling;
    return tally;
  };

  const readings = [{ name: "at the start", reading: await readAll(watched) }];
  const warmUp = await phase("warm-up", warmUpSeconds);
  readings.push({ name: "after the warm-up", reading: await readAll(watched) });
  const measuredFrom = performance.now();
  const load = await phase("load", seconds);
  readings.push({ name: "at the end", reading: await readAll(watched) });
  const measuredSeconds = (performance.now() - measuredFrom) / 1_000;
  const answers = judgeAnswers(await settledOutcomes(system), dueTimes);
  const codes = [await verification.stop(), await execution.stop()];
  await slackWorker.stop();
  const complaints = [
    ...warmUp.examples(),
    ...load.examples(),
    ...[...verification.errors(), ...execution.errors()].slice(0, 10),
    ...codes.filter((code) => code !== 0).map((code) => `a zone ended with ${code}`),
  ];
  if (complaints.length > 0 || answers.right < answers.mentions)
    progress(`the logs of both zones are in ${system.folder}`);
  else rmSync(system.folder, { recursive: true });
  return { rows: load.rows(), warmUp: warmUp.totals(), answers, complaints, readings, measuredSeconds };
}

async function tell(
  name: string,
  tally: ReturnType<typeof createTally>,
  { progress, signal }: { progress: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  try {
    for await (const _ of every(5_000, undefined, { signal })) {
      const { requests, undeserved } = tally.totals();
      progress(`${name} ${requests} answered, ${undeserved} of them not as deserved`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** What became of the mentions, a little after every one has its answer or the time is over: a second answer may come late. */
async function settledOutcomes({ slackWorker }: LoadSystem): Promise<MentionOutcome[]> {
  const end = performance.now() + settleMs;
  const ask = (): Promise<MentionOutcome[]> => slackWorker.ask<MentionOutcome[]>("outcomes");
  while ((await ask()).some(({ answeredAt }) => answeredAt === undefined) && performance.now() < end) await wait(200);
  await wait(2_000);
  return ask();
}
