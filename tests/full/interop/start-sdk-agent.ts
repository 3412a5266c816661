import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join, dirname } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@crosszone/testkit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";
import { npmFolderFor, pythonEnv, pythonOf } from "../../harness/install-once.ts";
import { startServer, type CommandLine } from "../../harness/run-program.ts";
import type { JournalEntry } from "./agents/play-scenario.ts";

const agents = join(import.meta.dirname, "agents");

interface Sdk {
  /** Name of the agent in Slack. */
  readonly name: string;
  /** Title in the table. */
  readonly title: string;
  readonly program: string;
  /** Requirements file of its Python packages. */
  readonly requirements?: string;
  /** Serves A2A 0.3 next to 1.0. */
  readonly compat?: true;
}

export const sdks: readonly Sdk[] = [
  { name: "js03", title: "JS 0.3.14", program: "js03.ts" },
  { name: "js1", title: "JS 1.3.0", program: "js1.ts" },
  { name: "js1compat", title: "JS 1.3.0 legacy", program: "js1.ts", compat: true },
  { name: "py03", title: "Python 0.3.26", program: "py03.py", requirements: "requirements-03.txt" },
  { name: "py1", title: "Python 1.3.0", program: "py1.py", requirements: "requirements-1.txt" },
  {
    name: "py1compat",
    title: "Python 1.3.0 compat",
    program: "py1.py",
    requirements: "requirements-1.txt",
    compat: true,
  },
];

export function sdkNamed(name: string): Sdk {
  const found = sdks.find((sdk) => sdk.name === name);
  if (!found) throw new Error(`There is no SDK called ${name}.`);
  return found;
}

export type SdkAgent = Awaited<ReturnType<typeof startSdkAgent>>;

/** Starts a scenario agent on an official SDK as a process. Ends with the test. */
export async function startSdkAgent(sdk: Sdk) {
  const runtime = sdk.requirements === undefined ? process.execPath : await pythonOf(join(agents, sdk.requirements));
  const child = spawn(runtime, [join(agents, sdk.program)], {
    env: { ...process.env, ...pythonEnv, ...(sdk.compat && { INTEROP_COMPAT: "1" }) },
    stdio: ["ignore", "pipe", process.env["INTEROP_VERBOSE"] === undefined ? "ignore" : "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const started = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith('{"url"')) started.resolve((JSON.parse(line) as { url: string }).url);
  });
  void ended.then(() => started.reject(new Error(`${sdk.program} ended before it listened`)));
  const url = await started.promise;
  return {
    ...sdk,
    /** The base URL: the card is at `/.well-known/agent-card.json`. */
    url,
    /** Returns the requests to the agent, oldest first. */
    journal: async () => (await (await fetch(`${url}/journal`)).json()) as readonly JournalEntry[],
  };
}

const folders = join(import.meta.dirname, "frameworks");

interface Framework {
  /** As its authors write it, with its version. */
  readonly title: string;
  /** Folder of its program and its pinned packages. */
  readonly folder: string;
  /** Path of the URL that its documentation names for its agent. Default: the base URL. */
  readonly path?: (base: string) => Promise<string>;
  readonly env?: Readonly<Record<string, string>>;
  /** The text in which the framework itself embeds a person's words for its model. */
  readonly promptFor?: (words: string) => string;
  /** Accepts files, but its model gets nothing of them. A client can't know that. */
  readonly ignoresFiles?: true;
}

const cardOfAssistant = async (base: string): Promise<string> => {
  const search = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  const [assistant] = (await (await fetch(`${base}/assistants/search`, search)).json()) as { assistant_id: string }[];
  return `/.well-known/agent-card.json?assistant_id=${assistant?.assistant_id}`;
};

const promptOfCrew = (words: string): string =>
  `\nCurrent Task: ${words}\n\nThis is the expected criteria for your final answer: Response to the user's request\nyou MUST return the actual complete content as the final answer, not a summary.`;

export const frameworks: readonly Framework[] = [
  { title: "LangGraph's server 0.16.7", folder: "langgraph", path: cardOfAssistant },
  { title: "Agno 3.1.10", folder: "agno", path: async () => "/a2a/agents/answer" },
  { title: "Mastra 1.71.0", folder: "mastra", path: async () => "/api/.well-known/answer/agent-card.json" },
  { title: "Microsoft agent-framework 1.23.0", folder: "agent_framework" },
  { title: "Pydantic AI 2.68.0", folder: "pydantic_ai" },
  { title: "Google ADK 2.13.0", folder: "adk" },
  { title: "Strands 1.62.0", folder: "strands" },
  { title: "Strands 1.62.0 with artifacts", folder: "strands", env: { A2A_STREAMING: "1" } },
  { title: "CrewAI 1.15.30", folder: "crewai", promptFor: promptOfCrew, ignoresFiles: true },
];

/** Reports nothing to the authors of the frameworks, and reads nothing from their sites. */
const offline = {
  AGNO_TELEMETRY: "false",
  CREWAI_DISABLE_TELEMETRY: "true",
  CREWAI_TRACING_ENABLED: "false",
  DO_NOT_TRACK: "1",
  LANGGRAPH_CLI_NO_ANALYTICS: "1",
  LANGSMITH_TRACING: "false",
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
  MASTRA_TELEMETRY_DISABLED: "1",
  OTEL_SDK_DISABLED: "true",
};

/**
 * Starts the agent of a framework as its documentation does, with an OpenAI-compatible model at this URL. Resolves with the URL that a
 * person registers. Ends with the test.
 */
export async function startFramework({ folder, path, env }: Framework, modelUrl: string): Promise<string> {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const [command, cwd] = await programOf(folder, port);
  await startServer(command, {
    cwd,
    env: {
      ...offline,
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_API_BASE: `${modelUrl}/v1`,
      PORT: port,
      // CrewAI keeps files in the home folder.
      HOME: cwd,
      ...env,
    },
    // Any answer means that it listens.
    url: base,
  });
  return base + ((await path?.(base)) ?? "");
}

/** Returns the command line of a framework's program and its folder, where it can leave files. Installs its packages on first use. */
async function programOf(folder: string, port: string): Promise<[CommandLine, string]> {
  const source = join(folders, folder);
  if (folder === "mastra") {
    const installed = await npmFolderFor(source);
    await cp(join(source, "agent.mjs"), join(installed, "agent.mjs"));
    return [[process.execPath, "agent.mjs"], installed];
  }
  const python = await pythonOf(join(source, "requirements.txt"));
  const cwd = tempFolder();
  await cp(source, cwd, { recursive: true });
  await cp(join(folders, "look_up.py"), join(cwd, "look_up.py"));
  const server = ["dev", "--no-browser", "--no-reload", "--port", port];
  return [folder === "langgraph" ? [join(dirname(python), "langgraph"), ...server] : [python, "agent.py"], cwd];
}
