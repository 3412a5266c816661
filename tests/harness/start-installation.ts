import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevSlack } from "@crosszone/dev-slack";
import { freePort } from "@crosszone/testkit";
import type { NewDatabase, EngineName } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { bracketAgents, bracketWorkflows } from "./bracket-workflows.ts";
import { converse, type Conversation } from "@crosszone/dev-slack/client";
import { slackEnv } from "@crosszone/dev-slack/client";
import { startProcess, type ZoneProcess } from "./start-process.ts";
import type { HttpAgent } from "./start-http-agent.ts";
import { writeAgentsFile } from "./write-agents-file.ts";
import { startTurns } from "./start-turns.ts";
import { writeWorkflows } from "./write-workflows.ts";

export type Zone = "execution" | "verification";

/** A local Slack, and both zones as processes that can be replaced by another build's: same addresses, same data. */
export interface Installation extends Conversation {
  /** Starts a zone of a build, which is named by its folder. Stops the one that is there first. */
  readonly use: (zone: Zone, build: string) => Promise<void>;
  /** Starts another process of execution beside those that are there. From now on verification asks all of them in turn. */
  readonly addExecution: (build: string) => Promise<ZoneProcess>;
  /** Of a zone, as `openDatabase` takes it. */
  readonly databaseUrl: (zone: Zone) => string;
}

const many = "100000";

/** Prepares it; no zone runs yet. `agent` is an agent of both protocols, which the bracket workflows ask. Ends with the test. */
export async function startInstallation(
  agent: HttpAgent,
  { newDatabase, engine }: { readonly newDatabase: NewDatabase; readonly engine: EngineName },
): Promise<Installation> {
  const [slack, dataDir, executionPort, verificationPort, turns] = await Promise.all([
    startDevSlack(),
    mkdtemp(join(tmpdir(), "crosszone-installation-")),
    freePort(),
    freePort(),
    startTurns(),
  ]);
  onTestFinished(async () => {
    await slack.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const database = engine === "postgres" ? await newDatabase() : undefined;
  const both = {
    DATA_DIR: dataDir,
    EXECUTION_TOKEN: `link-${randomUUID()}${randomUUID()}`,
    // Work that is not done at once is given back, and the next process goes on with it.
    STOP_GRACE: "100ms",
    ...(database !== undefined && { DATABASE_URL: database }),
  };
  const env: Record<Zone, Record<string, string>> = {
    execution: {
      ...both,
      EXECUTION_PORT: String(executionPort),
      AGENTS_FILE: await writeAgentsFile(bracketAgents(agent)),
      AGENT_ORIGINS: agent.origin,
      WORKFLOWS_DIR: await writeWorkflows(...bracketWorkflows.map(({ definition }) => definition)),
    },
    verification: {
      ...both,
      ...slackEnv(slack),
      VERIFICATION_PORT: String(verificationPort),
      EXECUTION_URL: `${turns.url}/rpc`,
      // Older builds read it; newer ones log a warning.
      POLL_WAIT: "500ms",
      USER_MESSAGES_PER_MINUTE: many,
      CHANNEL_MESSAGES_PER_MINUTE: many,
      TEAM_MESSAGES_PER_MINUTE: many,
    },
  };
  slack.setEventsUrl(`http://127.0.0.1:${verificationPort}/slack/events`);
  turns.add(executionPort);
  const running: Partial<Record<Zone, ZoneProcess>> = {};
  const args = ["--conditions=@crosszone/source", "src/main.ts"];
  const start = (zone: Zone, build: string, more: Record<string, string> = {}): Promise<ZoneProcess> =>
    startProcess({ cwd: join(build, "apps", zone), args, env: { ...env[zone], ...more } });
  return {
    ...converse(slack.control),
    use: async (zone, build) => {
      await running[zone]?.stop();
      running[zone] = await start(zone, build);
    },
    addExecution: async (build) => {
      const port = await freePort();
      const added = await start("execution", build, { EXECUTION_PORT: String(port) });
      turns.add(port);
      return added;
    },
    databaseUrl: (zone) => database ?? `sqlite:${join(dataDir, `${zone}.sqlite`)}`,
  };
}
