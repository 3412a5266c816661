// @module-tag judge
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { resolve, join } from "node:path";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { type DevSlack, type Message, startDevSlack } from "@crosszone/dev-slack";
import { type Conversation, converse, slackEnv } from "@crosszone/dev-slack/client";
import { executionMigrations } from "@crosszone/execution";
import { inspectDatabase, openDatabase, type MigrationStep } from "@crosszone/sql";
import { listTables } from "@crosszone/sql/testing";
import { freePort, startAgent, type TestAgent } from "@crosszone/testkit";
import { newSqliteDatabase, onFreshDatabases, type EngineName, type NewDatabase } from "@crosszone/testkit/postgres";
import { takeConstants, tune } from "@crosszone/testkit/tune";
import { verificationMigrations } from "@crosszone/verification";
import { afterAll, beforeAll, expect, test, vi, onTestFinished } from "vitest";
import { inBrackets, bracketAgents, bracketWorkflows } from "../harness/bracket-workflows.ts";
import { startProcess, type ZoneProcess } from "@crosszone/testkit/process";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { run } from "./run-command.ts";

const repoDir = resolve(import.meta.dirname, "../..");
const migrations = { execution: executionMigrations, verification: verificationMigrations };
const zones: readonly Zone[] = ["execution", "verification"];

/** A build in its own folder. */
interface PreviousBuild {
  readonly dir: string;
  readonly remove: () => void;
}

/** The digest of each migration step by zone, step and engine. */
type Steps = Readonly<Record<string, string>>;

const stepsFile = "packages/sql/src/generated/steps.json";

/**
 * Finds the build that landed before this one, and whether it runs on the tables of this one: all steps that it lacks are additive. Throws if it is no
 * earlier commit, or if its databases can't be brought forward.
 */
function findPreviousBuild(): { readonly name: string; readonly canGoBack: boolean } {
  const name = readFileSync(join(repoDir, ".ci/landed"), "utf8").trim();
  if (git("merge-base", name, "HEAD") !== name || git("rev-parse", "HEAD") === name)
    throw new Error(`.ci/landed names ${name}, expected an earlier commit of this branch: the one that landed last.`);
  const text = git("show", `${name}:${stepsFile}`);
  if (text === undefined) throw new Error(`The build ${name} has no ${stepsFile}: an upgrade from it can't be tested.`);
  const before = JSON.parse(text) as Steps;
  const now = JSON.parse(readFileSync(join(repoDir, stepsFile), "utf8")) as Steps;
  const changed = Object.keys(before).filter((step) => now[step] !== before[step]);
  if (changed.length > 0)
    throw new Error(`Databases of ${name} have other steps than this build: ${changed.join(", ")}. Restore them.`);
  return { name, canGoBack: Object.keys(now).every((step) => step in before || / \d{4}_add_/.test(step)) };
}

/** Checks a commit out into a temporary folder and installs the packages of its zones, from the package store where possible. */
async function installPreviousBuild(name: string): Promise<PreviousBuild> {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-previous-"));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  try {
    const archive = join(dir, "archive.tar");
    await run("git", ["archive", "--output", archive, name], { cwd: repoDir });
    await run("tar", ["-xf", archive, "-C", dir], { cwd: dir });
    const filters = ["--filter", "@crosszone/execution...", "--filter", "@crosszone/verification..."];
    await run("pnpm", ["install", "--prefer-offline", "--frozen-lockfile", ...filters], { cwd: dir });
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

type Zone = "execution" | "verification";

/** A local Slack and both zones as processes. Another build's processes can replace them, with the same addresses and data. */
interface Installation extends Conversation {
  /** Starts a zone from the folder of a build, and stops its present process first. */
  readonly use: (zone: Zone, build: string) => Promise<void>;
  /** Returns the URL of a zone's database, for `openDatabase`. */
  readonly databaseUrl: (zone: Zone) => string;
  readonly control: DevSlack["control"];
}

const many = "100000";
const unlimited = { MESSAGES_PER_MINUTE: many };

/** Prepares an installation without starting a zone. The bracket workflows call `agent` in both protocols. Ends with the test. */
async function startInstallation(
  agent: TestAgent,
  {
    newDatabase,
    engine,
    workflows = [],
  }: {
    readonly newDatabase: NewDatabase;
    readonly engine: EngineName;
    readonly workflows?: readonly WorkflowDefinition[];
  },
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
      AGENT_ORIGINS: agent.origin,
      EXECUTION_FILE: writeAgentsFile(bracketAgents(agent)),
      WORKFLOWS_DIR: writeWorkflows(...bracketWorkflows.map(({ definition }) => definition), ...workflows),
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
  const args = ["--conditions=@crosszone/source", takeConstants, "src/main.ts"];
  return {
    ...converse(slack.control),
    use: async (zone, build) => {
      await running[zone]?.stop();
      running[zone] = await startProcess({
        cwd: join(build, "apps", zone),
        args,
        env: env[zone],
      });
    },
    control: slack.control,
    databaseUrl: (zone) => database ?? `sqlite:${join(dataDir, `${zone}.sqlite`)}`,
  };
}

/** Long, since the machine may be busy, milliseconds. */
const timeoutMs = 60_000;

/** Creates a gate that delays the agent's answers between `hold` and `release`. */
function createGate() {
  let open = Promise.withResolvers<void>();
  open.resolve();
  return {
    hold: () => void (open = Promise.withResolvers<void>()),
    release: () => open.resolve(),
    pass: () => open.promise,
  };
}

/** A question, and a text that its answer contains. */
interface Asked {
  readonly root: Message;
  readonly expected: string;
}

/** Starts work of every kind: at an agent, at the built-in agent, and in a workflow run. */
async function startWork({ write }: Installation, agent: TestAgent, word: string): Promise<readonly Asked[]> {
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
async function expectAnswers({ answerTo, replies }: Installation, asked: readonly Asked[]): Promise<void> {
  for (const { root, expected } of asked) {
    const answer = await answerTo(root, timeoutMs);
    expect(answer.text + (answer.markdown_text ?? "")).toContain(expected);
    expect(replies(root)).toHaveLength(1);
  }
}

const bob = "U0BOB000001";

/** Asks Bob before its agent gets the text. */
const approved: WorkflowDefinition = {
  workflow_id: "approved",
  name: "approved",
  version: "1",
  start_step: "ask",
  steps: {
    ask: {
      id: "ask",
      type: "human",
      input: "approve",
      prompt: "Send ${workflow.input.text}?",
      decide: { people: [bob] },
      expires_in_ms: 86_400_000,
      next_step: "send",
    },
    send: { id: "send", type: "agent", agent_name: "newer", input_mapping: { text: "${workflow.input.text}" } },
  },
  output_mapping: { text: "${send.output.text}" },
};

/** Starts a run that waits for Bob. Returns what approves it, and expects its answer. */
async function startApproval({ control, write }: Installation) {
  const root = write({ user: "alice", channel: "general", text: "@Crosszone run approved: waiting-approved" });
  const actionOf = ({ blocks }: Message): string | undefined =>
    /input:approve:[\w-]+/.exec(JSON.stringify(blocks))?.[0];
  const card = await control.waitForMessage((message) => actionOf(message) !== undefined, timeoutMs);
  return async (): Promise<void> => {
    const { channel, ts } = card;
    expect(await control.act({ user: "bob", channel, ts, action_id: actionOf(card) ?? "" })).not.toHaveProperty(
      "warning",
    );
    const answers = (message: Message): boolean => JSON.stringify(message).includes("(waiting-approved)");
    expect(await control.waitForMessage(answers, timeoutMs)).toMatchObject({ thread_ts: root.ts });
  };
}

const { name, canGoBack } = findPreviousBuild();
if (!canGoBack) process.stderr.write(`NOT TESTED: the way back to ${name}, which can't use the tables of this build\n`);
let previous: PreviousBuild | undefined;
beforeAll(async () => void (previous = await installPreviousBuild(name)));
afterAll(() => previous?.remove());

/** Applies a migration step to a zone's tables, as a newer build does, while the zone runs. */
async function takeStep(installation: Installation, zone: Zone, step: Record<string, MigrationStep>): Promise<void> {
  const url = installation.databaseUrl(zone);
  const options = { url, schema: zone, migrations: { ...migrations[zone], ...step } };
  await (await openDatabase(options)).close();
}

const down = async (): Promise<void> => undefined;
/** Everything that a newer build may add: a column in every table, and a table. */
const widen: MigrationStep = {
  up: async (db, engine) => {
    for (const table of await listTables({ db, engine } as never))
      await db.schema.alterTable(table).addColumn("added_later", "text").execute();
    await db.schema.createTable("made_later").addColumn("id", "text").execute();
  },
  down,
};

vi.setConfig({ testTimeout: 300_000 });

// A database that another test used has the tables of this build.
onFreshDatabases("upgrades", (newDatabase, engine) => {
  const prepare = async (workflows: readonly WorkflowDefinition[] = []) => {
    const gate = createGate();
    const agent = await startAgent(async (text, method) => {
      await gate.pass();
      return inBrackets(text, method);
    });
    return { gate, agent, installation: await startInstallation(agent, { newDatabase, engine, workflows }) };
  };

  test(`from ${name} to this build and back, zone by zone: nothing under way is lost, and all is answered once`, async () => {
    const { gate, agent, installation } = await prepare();
    const older = previous?.dir ?? "";
    await Promise.all(zones.map((zone) => installation.use(zone, older)));
    const there = zones.map((zone) => [zone, repoDir] as const);
    const back = canGoBack ? zones.toReversed().map((zone) => [zone, older] as const) : [];
    const moves = [...there, ...back];
    const all: Asked[] = [];
    for (const [index, [zone, build]] of moves.entries()) {
      gate.hold();
      const asked = await startWork(installation, agent, `move${index}`);
      await installation.use(zone, build);
      gate.release();
      await expectAnswers(installation, asked);
      all.push(...asked);
    }
    await expectAnswers(installation, all);
    const ids = agent.requests.filter(({ text }) => text.includes("-run")).map(({ id }) => id);
    expect(new Set(ids).size).toBe(5 * moves.length);
  });

  test(`O13: the tables of ${name} are brought forward, and what waited is answered once`, async () => {
    const { gate, agent, installation } = await prepare([approved]);
    const older = previous?.dir ?? "";
    await Promise.all(zones.map((zone) => installation.use(zone, older)));
    gate.hold();
    const asked = await startWork(installation, agent, "waiting");
    const approve = await startApproval(installation);
    for (const zone of zones) await installation.use(zone, repoDir);
    gate.release();
    await expectAnswers(installation, asked);
    await approve();
    await expectAnswers(installation, await startWork(installation, agent, "later"));
    for (const zone of zones)
      expect(
        await inspectDatabase({ url: installation.databaseUrl(zone), schema: zone, migrations: migrations[zone] }),
      ).toMatchObject({ pending: [], changed: [], missing: [] });
  });

  test("tables can be extended while work is in progress: the zones continue, even after a restart", async () => {
    const { gate, agent, installation } = await prepare();
    await Promise.all(zones.map((zone) => installation.use(zone, repoDir)));
    gate.hold();
    const asked = await startWork(installation, agent, "before");
    for (const zone of zones) await takeStep(installation, zone, { "9998_add_everywhere": widen });
    gate.release();
    await expectAnswers(installation, asked);
    gate.hold();
    const again = await startWork(installation, agent, "after");
    for (const zone of zones) await installation.use(zone, repoDir);
    gate.release();
    await expectAnswers(installation, again);
    expect(new Set([...asked, ...again].map(({ root }) => root.ts)).size).toBe(6);
  });
});

test("a zone does not start on tables that a newer build changed in another way", async () => {
  const agent = await startAgent(inBrackets);
  const installation = await startInstallation(agent, { newDatabase: newSqliteDatabase, engine: "sqlite" });
  const starts = zones.map(async (zone) => {
    await takeStep(installation, zone, { "9999_drop_something": { up: async () => undefined, down } });
    await expect(installation.use(zone, repoDir)).rejects.toThrow(/ended with 1 before it listened/);
  });
  await Promise.all(starts);
});
