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
type Zone = (typeof zones)[number];

/** What is on the way of one question to a registered HTTP agent, from Slack and back. */
export interface Way {
  /** Source files of apps and packages of which a function ran for each of the three questions, in either zone. */
  readonly files: readonly string[];
  /** The question that needed the fewest statements: background work can only add some. */
  readonly sql: Readonly<Record<Zone, SqlWay>>;
}

const socketOf = (folder: string, name: string): string => join(folder, `${name}.sock`);

/** The environment in which a Node process records itself, on a socket in `folder`. */
export const recorderEnv = (folder: string, name: string) => ({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL("recorder.ts", import.meta.url))}`,
  PATH_RECORDER: socketOf(folder, name),
});

/** Returns what the recorder of a process has found since it was asked before. */
export function askRecorder(folder: string, name: string): Promise<Recording> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: socketOf(folder, name), agent: false }, (response) => {
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
  const agentEnv = { AGENTS_FILE: agentsFile, AGENT_ORIGINS: origin, DEFAULT_AGENT: "lima" };
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

/** Asks three questions alone, and finds what each of them took. */
export async function measureWay(): Promise<Way> {
  const { ask, take, errors, stop } = await startSystem();
  try {
    for (let asked = 0; asked < 3; asked++) await ask();
    await wait(200);
    await take();
    await wait(5_000);
    const idle = await take();
    const wayIn = (at: number, statements: readonly Statement[] = []) =>
      findSqlWay(statements, idle[at]?.statements ?? []);
    const questions: Recording[][] = [];
    while (questions.length < 3) {
      await take();
      await ask();
      // The answer is posted before the zones have stored that.
      await wait(500);
      questions.push(await take());
    }
    const [complaint] = errors();
    if (complaint !== undefined) throw new Error(`a zone logged an error: ${complaint}`);
    const fewest = (at: number): SqlWay => {
      const ways = questions.map((of) => wayIn(at, of[at]?.statements));
      return ways.toSorted((a, b) => a.steps.length - b.steps.length)[0] as SqlWay;
    };
    const ran = zones.map((_, at) => questions.map((of) => of[at]?.functions ?? []));
    const files = new Set(ran.flatMap((recordings) => findFiles(ownRoot, recordings)));
    return { files: [...files].toSorted(), sql: { verification: fewest(0), execution: fewest(1) } };
  } finally {
    await stop();
  }
}

/** The files of apps and packages of which a function ran each time. What ran only sometimes was background work by chance. */
export function findFiles(root: string, recordings: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = recordings.map((functions) => new Set(functions));
  const always = [...first].filter((one) => others.every((functions) => functions.has(one)));
  const files = new Set(always.map((one) => relative(root, one.slice(0, one.lastIndexOf(" ")))));
  return [...files].filter((path) => /^(apps|packages)\//.test(path) && !path.includes("/generated/"));
}

/** The figures of a way, by the names of their limits. */
export function summarize({ files, sql: { verification, execution } }: Way): Figures {
  return {
    files: files.length,
    writes: verification.writes + execution.writes,
    tables: verification.tables.length + execution.tables.length,
    verificationStatements: verification.steps.length,
    verificationCommits: verification.commits,
    executionStatements: execution.steps.length,
    executionCommits: execution.commits,
  };
}

/** The highest figures that are allowed. A change that needs more raises them here; one that needs less lowers them. */
export const limits = {
  files: 240,
  writes: 12,
  tables: 6,
  // `begin` and `commit` among them, and up to three of timers.
  verificationStatements: 17,
  verificationCommits: 4,
  executionStatements: 12,
  executionCommits: 3,
};

type Figures = Readonly<typeof limits>;

if (import.meta.main) {
  const way = await measureWay();
  console.log("One question, on SQLite, with its limits:");
  const found = summarize(way);
  console.table(
    Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [name, { found: found[name as keyof Figures], limit }]),
    ),
  );
  for (const zone of zones)
    console.log([`\n${zone}`, ...way.sql[zone].steps.map(({ text }) => text.slice(0, 150))].join("\n  "));
  console.log(["\nfiles", ...way.files].join("\n  "));
}
