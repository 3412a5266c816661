import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevSlack, type Message } from "@crosszone/dev-slack";
import { converse, slackEnv, type Conversation } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import type { EngineName, NewDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { expect, onTestFinished } from "vitest";
import { bracketAgents, bracketWorkflows } from "../harness/bracket-workflows.ts";
import type { HttpAgent } from "../harness/start-http-agent.ts";
import { startProcess, type ZoneProcess } from "../harness/start-process.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/write-definitions.ts";

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
      AGENTS_FILE: await writeAgentsFile(bracketAgents(agent)),
      AGENT_ORIGINS: agent.origin,
      WORKFLOWS_DIR: await writeWorkflows(...bracketWorkflows.map(({ definition }) => definition)),
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
