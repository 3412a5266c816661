import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Agent, TaskPaused } from "@crosszone/execution";
import { startAskedZone, token } from "@crosszone/execution/testing";
import { wideLimits } from "./start-crosszone.ts";
import { writeAgentsFile, writeSettings } from "./temp-file.ts";

interface AskedOptions {
  readonly agents?: readonly Agent[];
  /** The zone's agents elsewhere: their names and URLs. */
  readonly registered?: Readonly<Record<string, string>>;
  readonly limits?: Partial<typeof wideLimits>;
  readonly env?: Readonly<Record<string, string>>;
  /** Sections of the settings besides the agents. */
  readonly sections?: object;
  /** How long a call of MCP is held, milliseconds. */
  readonly holdMs?: number;
}

/**
 * Starts a zone that programs ask over A2A and MCP, with the agents of its registry. A token is the name of a program, and `wrong` is refused.
 * Ends with the test.
 */
export async function startAsked({ agents, registered = {}, limits, env, sections, holdMs }: AskedOptions) {
  // An agent elsewhere can be added to it later: two zones can't know the URL of each other before they start.
  const auth = { type: "bearer" as const, token: "env:AGENT_SECRET_ZONE" };
  const agentsFile = writeAgentsFile(Object.entries(registered).map(([name, url]) => ({ name, url, auth })));
  const files = [agentsFile, sections && writeSettings(sections)].filter(Boolean).join(",");
  const elsewhere = { EXECUTION_FILE: files, AGENT_ORIGINS: "http://127.0.0.1:*", AGENT_SECRET_ZONE: "zone" };
  const options = { ...wideLimits, ...limits, tokens: [token], env: { ...elsewhere, ...env }, holdMs };
  const asked = await startAskedZone(agents, options);
  return { ...asked, urlOf: (agent: string) => `${asked.a2a}${agent}/`, agentsFile };
}

const cli = resolve(import.meta.dirname, "../../tools/cli/src/main.ts");

/** Returns how a client of MCP starts the bridge of the command line to a zone. */
export const mcpServe = (url: string, program = "ci") => ({
  command: process.execPath,
  args: ["--conditions=@crosszone/source", cli, "programs", "mcp", "--url", url, "--token-env", "ASK"],
  env: { ASK: program, NODE_NO_WARNINGS: "1" },
});

export const agentThat = (name: string, run: Agent["run"], description = ""): Agent => ({
  name,
  description,
  skills: [],
  run,
});

/** Asks why, and says so. */
export const askingAgent = agentThat(
  "asking",
  async ({ text }, { inputs }) => {
    const asked = { key: "why", kind: "text" as const, title: "Why?", body: "In a word." };
    const decision = inputs?.decided.get(asked.key);
    if (decision === undefined) throw new TaskPaused([asked], { continuation: { at: 1 } });
    const value = decision.answer?.verdict === "answer" ? decision.answer.value : decision.state;
    return { response_text: `${text} because ${value}` };
  },
  "Asks why",
);

/** Takes longer than a held answer is silent. */
const echo = agentThat(
  "echo",
  async ({ text }, { preview, signal }) => {
    if (text === "hold" || text === "wait") await delay(text === "hold" ? 17_000 : 60_000, undefined, { signal });
    if (text === "stream") {
      preview?.text("one ");
      await delay(300);
      return { response_text: "one two" };
    }
    return { response_text: `${text} ended` };
  },
  "Echoes",
);

/** What an official A2A client prints that calls every operation of the agents of `startCalledZone`. */
export const calledAnswers = {
  asked: "input-required",
  answered: "go because it rains",
  got: "completed",
  streamed: "one two",
  subscribed: "working canceled",
  canceled: "canceled",
  card: "Echoes",
  push: [-32_003],
  held: "hold ended",
};

/** Starts a zone and returns the URL below which its agents are. */
export async function startCalledZone(): Promise<string> {
  return (await startAsked({ agents: [echo, askingAgent], limits: { taskDeadlineMs: 60_000 } })).a2a;
}
