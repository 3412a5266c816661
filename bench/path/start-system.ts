import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv } from "@crosszone/dev-slack/client";
import { tune } from "@crosszone/testkit/tune";
import { answerText } from "../agents/dialects.ts";
import { startDatabases } from "../kit/databases.ts";
import { spawnWorker } from "../kit/worker.ts";
import { startBothZones } from "../zone/both-zones.ts";
import { connectRecorder, recorderEnv, type Recorder } from "./connect-recorder.ts";

export const engines = ["sqlite", "postgres"] as const;
export type Engine = (typeof engines)[number];
export const zones = ["verification", "execution"] as const;
export type Zone = (typeof zones)[number];

/** Both zones as processes, with a recorder in each, between a local Slack and an HTTP agent. */
export interface PathSystem {
  readonly recorders: Readonly<Record<Zone, Recorder>>;
  /** A person sends the agent a question in a direct message. Resolves when Slack has its answer, rejects if that is another one. */
  readonly ask: () => Promise<void>;
  /** The lines of both logs with the level `error`. */
  readonly errors: () => readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts everything with the usual settings of the zones in the repository at `root`. Each zone has its own database. */
export async function startSystem(engine: Engine, root: string): Promise<PathSystem> {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-path-"));
  const databases = await startDatabases(new Set([engine]));
  const agents = spawnWorker("agents/agents-worker.ts");
  const origin = await agents.call<string>("listen");
  const agentsFile = join(folder, "agents.yaml");
  writeFileSync(agentsFile, JSON.stringify({ agents: [{ name: "lima", url: `${origin}/jsonrpc-2.0/0` }] }));
  const slack = await startDevSlack();
  const envOf = async (zone: Zone): Promise<Record<string, string>> => ({
    ...recorderEnv(folder, zone, root),
    ...(engine === "postgres" && { DATABASE_URL: (await databases.create(engine)).url }),
  });
  const agentEnv = { AGENTS_FILE: agentsFile, AGENT_ORIGINS: origin, DEFAULT_AGENT: "lima" };
  const { verification, errors, stop } = await startBothZones({
    slackEnv: slackEnv(slack),
    folder,
    root,
    execution: { ...(await envOf("execution")), ...agentEnv },
    // The agent answers at once; only the recorder is slow.
    verification: tune({ SHOW_WORK_AFTER_MS: 10_000 }, await envOf("verification")),
  });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  const { write, answerTo } = converse(slack.control);

  return {
    recorders: {
      verification: connectRecorder(folder, "verification"),
      execution: connectRecorder(folder, "execution"),
    },
    ask: async () => {
      const { text } = await answerTo(write({ text: "What is the capital of Peru?" }), 30_000);
      if (!text.includes(answerText.trim())) throw new Error(`the answer is not the agent's: ${text}`);
    },
    errors,
    stop: async () => {
      await stop();
      await slack.close();
      await agents.stop();
      await databases.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
