import { cp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { freePort } from "@crosszone/testkit";
import { npmFolderOf, pythonOf } from "../../harness/install-once.ts";
import { startServer, type CommandLine } from "../../harness/run-program.ts";
import { tempFolder } from "@crosszone/testkit/temporary";

const folders = join(import.meta.dirname, "frameworks");

export interface Framework {
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
    const { dependencies } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const installed = await npmFolderOf(folder, ...Object.entries(dependencies).map((pinned) => pinned.join("@")));
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
