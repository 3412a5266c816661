import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Message, startDevSlack } from "@crosszone/dev-slack";
import { type Conversation, converse, slackEnv } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import type { EngineName, NewDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { expect, onTestFinished } from "vitest";
import { bracketAgents, bracketWorkflows } from "../harness/bracket-workflows.ts";
import type { HttpAgent } from "../harness/start-http-agent.ts";
import { startProcess, type ZoneProcess } from "../harness/start-process.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { run } from "./run-command.ts";

const repoDir = resolve(import.meta.dirname, "../..");

/** A build in its own folder. */
export interface PreviousBuild {
  readonly dir: string;
  readonly remove: () => void;
}

/** What is known of the previous build without its files. */
interface FoundBuild {
  /** Its commit or tag; undefined if no test can run it. */
  readonly name?: string;
  /** Whether it runs on the tables of this build: all migrations that it lacks are additive. */
  readonly canGoBack: boolean;
  /** What can't be tested, and why. */
  readonly untested?: string;
}

/** Finds the previous build: the last release, or the commit before the last change of a zone. */
export function findPreviousBuild(): FoundBuild {
  const released = git("describe", "--tags", "--abbrev=0", "--match", "crosszone@*", "HEAD^");
  const changed = git("rev-list", "--first-parent", "--max-count=1", "HEAD", "--", "apps", "packages", "schemas");
  const name = released ?? (changed === undefined ? undefined : git("rev-parse", "--short", "--verify", `${changed}^`));
  const before = name === undefined ? undefined : stepsOf((path) => git("show", `${name}:${path}`));
  if (name === undefined || before === undefined)
    return { canGoBack: false, untested: "an upgrade from the previous build, which is not in the git history here" };
  const now = stepsOf((path) => readFileSync(join(repoDir, path), "utf8")) ?? [];
  if (!before.every((step) => now.includes(step)))
    return { canGoBack: false, untested: `an upgrade from ${name}, whose tables are of before the first release` };
  const canGoBack = now.every((step) => before.includes(step) || / \d{4}_add_/.test(step));
  if (canGoBack) return { name, canGoBack };
  return { name, canGoBack, untested: `the way back to ${name}, which can't use the tables of this build` };
}

/** Returns the names of the migrations of both zones; undefined if a file is missing. */
function stepsOf(read: (path: string) => string | undefined): string[] | undefined {
  const steps = ["execution", "verification"].map((zone) => {
    const text = read(`apps/${zone}/src/database/migrations.ts`);
    return text === undefined ? undefined : [...text.matchAll(/"(\d{4}_\w+)":/g)].map(([, step]) => `${zone} ${step}`);
  });
  return steps.some((of) => of === undefined) ? undefined : steps.flatMap((of = []) => of);
}

/** Checks a commit out into a temporary folder and installs the packages of its zones, from the package store where possible. */
export async function installPreviousBuild(name: string): Promise<PreviousBuild> {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-previous-"));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  try {
    const archive = join(dir, "archive.tar");
    await run("git", ["archive", "--output", archive, name], { cwd: repoDir });
    await run("tar", ["-xf", archive, "-C", dir], { cwd: dir });
    const zones = ["--filter", "@crosszone/execution...", "--filter", "@crosszone/verification..."];
    await run("pnpm", ["install", "--prefer-offline", "--frozen-lockfile", ...zones], { cwd: dir });
    return { dir, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function git(...args: readonly string[]): string | undefined {
  try {
    return (
      execFileSync("git", args, { cwd: repoDir, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() ||
      undefined
    );
  } catch {
    return undefined;
  }
}

export type Zone = "execution" | "verification";

/** A local Slack and both zones as processes. Another build's processes can replace them, with the same addresses and data. */
export interface Installation extends Conversation {
  /** Starts a zone from the folder of a build, and stops its present process first. */
  readonly use: (zone: Zone, build: string) => Promise<void>;
  /** Returns the URL of a zone's database, for `openDatabase`. */
  readonly databaseUrl: (zone: Zone) => string;
}

const many = "100000";
const unlimited = {
  MESSAGES_PER_MINUTE: many,
};

/** Prepares an installation without starting a zone. The bracket workflows call `agent` in both protocols. Ends with the test. */
export async function startInstallation(
  agent: HttpAgent,
  { newDatabase, engine }: { readonly newDatabase: NewDatabase; readonly engine: EngineName },
): Promise<Installation> {
  const [slack, dataDir, executionPort, verificationPort] = await Promise.all([
    startDevSlack(),
    mkdtemp(join(tmpdir(), "crosszone-installation-")),
    freePort(),
    freePort(),
  ]);
  onTestFinished(async () => {
    await slack.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const database = engine === "postgres" ? await newDatabase() : undefined;
  const both = {
    DATA_DIR: dataDir,
    EXECUTION_TOKEN: `link-${randomUUID()}${randomUUID()}`,
    ...(database !== undefined && { DATABASE_URL: database }),
  };
  // Work that does not finish at once is released, and the next process continues it.
  const hasty = { STOP_GRACE_MS: 100 };
  const env: Record<Zone, Record<string, string>> = {
    execution: {
      ...tune(hasty, both),
      EXECUTION_PORT: String(executionPort),
      AGENTS_FILE: writeAgentsFile(bracketAgents(agent)),
      AGENT_ORIGINS: agent.origin,
      WORKFLOWS_DIR: writeWorkflows(...bracketWorkflows.map(({ definition }) => definition)),
    },
    verification: {
      ...both,
      ...slackEnv(slack),
      VERIFICATION_PORT: String(verificationPort),
      EXECUTION_URL: `http://127.0.0.1:${executionPort}/rpc`,
      ...tune({ ...hasty, POLL_WAIT_MS: 500 }),
      ...unlimited,
    },
  };
  slack.setEventsUrl(`http://127.0.0.1:${verificationPort}/slack/events`);
  const running: Partial<Record<Zone, ZoneProcess>> = {};
  const args = ["--conditions=@crosszone/source", "src/main.ts"];
  return {
    ...converse(slack.control),
    use: async (zone, build) => {
      await running[zone]?.stop();
      running[zone] = await startProcess({ cwd: join(build, "apps", zone), args, env: env[zone] });
    },
    databaseUrl: (zone) => database ?? `sqlite:${join(dataDir, `${zone}.sqlite`)}`,
  };
}

/** Long, since the machine may be busy, milliseconds. */
const timeoutMs = 60_000;

/** Creates a gate that delays the agent's answers between `hold` and `release`. */
export function createGate() {
  let open = Promise.withResolvers<void>();
  open.resolve();
  return {
    hold: () => void (open = Promise.withResolvers<void>()),
    release: () => open.resolve(),
    pass: () => open.promise,
  };
}

/** A question, and a text that its answer contains. */
export interface Asked {
  readonly root: Message;
  readonly expected: string;
}

/** Starts work of every kind: at an agent, at the built-in agent, and in a workflow run. */
export async function startWork({ write }: Installation, agent: HttpAgent, word: string): Promise<readonly Asked[]> {
  const works = [
    { text: `ask newer: ${word}-asked`, expected: `(${word}-asked)` },
    { text: `run chain: ${word}-run`, expected: `([([(${word}-run)])])` },
    { text: `slow 2 ${word}-slow`, expected: `${word}-slow` },
  ];
  const asked = works.map(({ text, expected }) => ({ root: write({ text }), expected }));
  for (const text of [`${word}-asked`, `${word}-run`])
    await expect.poll(() => agent.requests.map((request) => request.text), { timeout: timeoutMs }).toContain(text);
  return asked;
}

/** Expects that each question has one answer, the correct one. */
export async function expectAnswers({ answerTo, replies }: Installation, asked: readonly Asked[]): Promise<void> {
  for (const { root, expected } of asked) {
    const answer = await answerTo(root, timeoutMs);
    expect(answer.text + (answer.markdown_text ?? "")).toContain(expected);
    expect(replies(root)).toHaveLength(1);
  }
}
