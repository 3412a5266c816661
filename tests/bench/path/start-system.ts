import { startDevSlack } from "@crosszone/dev-slack";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { converse } from "../../harness/converse.ts";
import { slackEnv } from "../../harness/slack-env.ts";
import { tune } from "../../harness/tune.ts";
import { answerOf, answerText } from "../agents/dialects.ts";
import { startDatabases } from "../durable/databases.ts";
import { startZone } from "../load-run/zone-process.ts";
import { connectRecorder, recorderEnv, type Recorder } from "./connect-recorder.ts";

export type Engine = "sqlite" | "postgres";
export const zones = ["verification", "execution"] as const;
export type Zone = (typeof zones)[number];

/** Both zones as processes, with a recorder in each, between a local Slack and an HTTP agent. */
export interface PathSystem {
  readonly recorders: Readonly<Record<Zone, Recorder>>;
  /** A person asks the agent in a direct message. Resolves when Slack has its answer, rejects if that is not the agent's. */
  readonly ask: () => Promise<void>;
  /** The lines of both logs that say `error`. */
  readonly errors: () => readonly string[];
  readonly stop: () => Promise<void>;
}

/** The agent answers at once; only the recorder is slow. A version that shows its work at once has no such constant. */
function patience(root: string): Readonly<Record<string, string>> {
  const constants = readFileSync(join(root, "apps/verification/src/config/constants.ts"), "utf8");
  return constants.includes("SHOW_WORK_AFTER_MS") ? tune({ SHOW_WORK_AFTER_MS: 10_000 }) : {};
}

/** Starts everything with the usual settings of the zones in the repository at `root`. Each zone has a database of its own. */
export async function startSystem(engine: Engine, root: string): Promise<PathSystem> {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-path-"));
  const databases = await startDatabases(new Set([engine]));
  const agent = await startAgent();
  const origin = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const agentsFile = join(folder, "agents.yaml");
  writeFileSync(agentsFile, JSON.stringify({ agents: [{ name: "lima", url: `${origin}/` }] }));
  const slack = await startDevSlack();
  const token = randomBytes(32).toString("hex");
  const start = async (zone: Zone, env: Readonly<Record<string, string>>) => {
    const data = join(folder, `${zone}-data`);
    mkdirSync(data);
    const database = engine === "postgres" ? { DATABASE_URL: (await databases.create(engine)).url } : undefined;
    const recorder = recorderEnv(folder, zone, root);
    return startZone(zone, { ...recorder, DATA_DIR: data, ...database, ...env }, { folder, root });
  };
  const execution = await start("execution", {
    EXECUTION_PORT: "0",
    EXECUTION_TOKEN: token,
    AGENTS_FILE: agentsFile,
    AGENT_ORIGINS: origin,
    DEFAULT_AGENT: "lima",
  });
  const verification = await start("verification", {
    VERIFICATION_PORT: "0",
    ...slackEnv(slack),
    EXECUTION_URL: `${execution.url}/rpc`,
    EXECUTION_TOKEN: token,
    ...patience(root),
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
    errors: () => [...verification.errors(), ...execution.errors()],
    stop: async () => {
      await Promise.all([verification.stop(), execution.stop()]);
      await slack.close();
      agent.closeAllConnections();
      agent.close();
      await databases.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** An agent of another team: it answers `message/send` of A2A at once, and has no card. */
async function startAgent(): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method === "POST") void answer(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const question = JSON.parse(Buffer.concat((await request.toArray()) as Buffer[]).toString()) as { id: string };
  response.writeHead(200, { "content-type": "application/json" }).end(answerOf("jsonrpc-2.0", question));
}
