import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv } from "@crosszone/dev-slack/client";
import { tune } from "@crosszone/testkit/tune";
import { answerText } from "../agents/dialects.ts";
import { spawnWorker } from "../kit/worker.ts";
import { startBothZones, ownRoot } from "../zone/zones.ts";
import type { Recording, Statement } from "./recorder.ts";
import { findSqlWay, type SqlWay } from "./sql-way.ts";

const zones = ["verification", "execution"] as const;

/** What is on the way of one question to a registered HTTP agent, from Slack and back. */
export interface Way {
  /** Source files of apps and packages of which a function ran for each question, in either zone. */
  readonly passed: readonly string[];
  /** Those of which a function ran that does not run without a question. */
  readonly files: readonly string[];
  /** The question that needed the fewest statements: background work can only add some. */
  readonly verification: SqlWay;
  readonly execution: SqlWay;
}

/** The environment in which a Node process records itself, on a socket in `folder`. */
const recorderEnv = (folder: string, name: string) => ({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL("recorder.ts", import.meta.url))}`,
  PATH_RECORDER: join(folder, `${name}.sock`),
});

/** Returns what the recorder of a process has found since it was asked before. */
function askRecorder(folder: string, name: string): Promise<Recording> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: join(folder, `${name}.sock`), agent: false }, (response) => {
      response.toArray().then((chunks) => resolve(JSON.parse(Buffer.concat(chunks as Buffer[]).toString())), reject);
    });
    sent.once("error", reject).end();
  });
}

/** Starts both zones, each on SQLite, between a local Slack and an agent. */
async function startSystem() {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-path-"));
  const agents = spawnWorker("agents/agents-worker.ts");
  const slack = await startDevSlack();
  const origin = await agents.call<string>("listen");
  const agentsFile = join(folder, "agents.yaml");
  writeFileSync(agentsFile, JSON.stringify({ agents: [{ name: "lima", url: `${origin}/jsonrpc-2.0/0` }] }));
  const agentEnv = { EXECUTION_FILE: agentsFile, AGENT_ORIGINS: origin, DEFAULT_AGENT: "lima" };
  const { verification, errors, stop } = await startBothZones({
    slackEnv: slackEnv(slack),
    folder,
    execution: { ...recorderEnv(folder, "execution"), ...agentEnv },
    // The agent answers at once; only the recorder is slow.
    verification: tune({ SHOW_WORK_AFTER_MS: 10_000 }, recorderEnv(folder, "verification")),
  });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  const { write, answerTo } = converse(slack.control);
  return {
    errors,
    ask: async (): Promise<void> => {
      const { text } = await answerTo(write({ text: "What is the capital of Peru?" }), 30_000);
      if (!text.includes(answerText.trim())) throw new Error(`the answer is not the agent's: ${text}`);
    },
    take: () => Promise.all(zones.map((zone) => askRecorder(folder, zone))),
    stop: async (): Promise<void> => {
      await stop();
      await slack.close();
      await agents.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Is sent every two seconds, however many questions there are: on a slow machine, once in the time of each. */
const agentsAgain: Statement = { text: 'select * from "agent"', rows: Infinity, connection: 0 };

/** Asks questions, one at a time, and finds what each of them took. */
export async function measureWay(): Promise<Way> {
  const { ask, take, errors, stop } = await startSystem();
  try {
    for (let asked = 0; asked < 3; asked++) await ask();
    await wait(200);
    await take();
    await wait(5_000);
    const idle = await take();
    const questions: Recording[][] = [];
    while (questions.length < 6) {
      await ask();
      // The answer is posted before the zones have stored that.
      await wait(500);
      questions.push(await take());
    }
    const [complaint] = errors();
    if (complaint !== undefined) throw new Error(`a zone logged an error: ${complaint}`);
    const inZones = zones.map((_, at) => questions.map((of) => of[at] as Recording));
    const [verification, execution] = inZones.map((recordings, at) => {
      const others = [...(idle[at]?.statements ?? []), agentsAgain];
      const ways = recordings.map(({ statements }) => findSqlWay(statements, others));
      return ways.toSorted((a, b) => a.steps.length - b.steps.length)[0] as SqlWay;
    }) as [SqlWay, SqlWay];
    const passed = inZones.flatMap((recordings) => findFiles(recordings, []));
    // On a slow machine, some of the background work runs in the time of each question.
    const files = inZones.flatMap((recordings, at) => findFiles(recordings, idle[at]?.functions ?? []));
    return { passed, files: [...new Set(files)].toSorted(), verification, execution };
  } finally {
    await stop();
  }
}

/** The files of apps and packages of which a function ran each time, without those in `idle`. What ran only sometimes was background work by chance. */
function findFiles(recordings: readonly Recording[], idle: readonly string[]): string[] {
  const [first = new Set<string>(), ...others] = recordings.map(({ functions }) => new Set(functions));
  const always = [...others.reduce((functions, more) => functions.intersection(more), first).difference(new Set(idle))];
  const files = always.map((one) => relative(ownRoot, one.slice(0, one.lastIndexOf(" "))));
  return files.filter((path) => /^(apps|packages)\//.test(path) && !path.includes("/generated/"));
}

/**
 * The highest figures that are allowed. A change that needs more raises them here; one that needs less lowers them. Files are only counted: a limit
 * would join two stories in one file.
 */
const limits: Readonly<Record<string, readonly [limit: number, found: (way: Way) => number]>> = {
  files: [Infinity, ({ files }) => files.length],
  writes: [11, ({ verification, execution }) => verification.writes + execution.writes],
  tables: [6, ({ verification, execution }) => verification.tables.length + execution.tables.length],
  // `begin` and `commit` among them, and up to two of timers.
  "verification statements": [17, ({ verification }) => verification.steps.length],
  "verification commits": [3, ({ verification }) => verification.commits],
  "execution statements": [12, ({ execution }) => execution.steps.length],
  "execution commits": [3, ({ execution }) => execution.commits],
};

/** The figures of a way, and their limits. */
export const summarize = (way: Way): { name: string; found: number; limit: number }[] =>
  Object.entries(limits).map(([name, [limit, found]]) => ({ name, found: found(way), limit }));

if (import.meta.main) {
  const way = await measureWay();
  console.log("One question, on SQLite, with its limits:");
  console.table(summarize(way));
  for (const zone of zones)
    console.log([`\n${zone}`, ...way[zone].steps.map(({ text }) => text.slice(0, 150))].join("\n  "));
  console.log(["\nfiles", ...way.files].join("\n  "));
}
