import { resolve } from "node:path";
import type { Message } from "@crosszone/dev-slack";
import { adminToken, runsApi, type RunsApi } from "./runs-api.ts";
import { runProgram, type ProgramEnd } from "./run-program.ts";
import { startWithAgents, type WithAgents, type WithAgentsOptions } from "./start-with-agents.ts";

export interface WithWorkflows extends WithAgents {
  readonly api: RunsApi;
  /** Runs the command line against the zone. */
  readonly cli: (...words: string[]) => Promise<ProgramEnd>;
  /** Somebody runs a workflow in a direct message; gives the final answer. */
  readonly runInSlack: (name: string, text: string) => Promise<Message>;
}

export const exampleWorkflows = resolve(import.meta.dirname, "../../examples/workflows");

/** Both zones, a local Slack, the sample agents and the example workflows, as `pnpm dev` joins them. Ends with the test. */
export async function startWithWorkflows({ env, ...options }: WithAgentsOptions = {}): Promise<WithWorkflows> {
  const zones = await startWithAgents({
    taskMs: 200,
    ...options,
    env: { AGENT_ADMIN_TOKENS: adminToken, WORKFLOWS_DIR: exampleWorkflows, ...env },
  });
  return {
    ...zones,
    api: runsApi(zones.url),
    cli: (...words) =>
      runProgram(
        "packages/cli/src/main.ts",
        { CROSSZONE_URL: zones.url, CROSSZONE_TOKEN: adminToken, NO_COLOR: "1" },
        ...words,
      ),
    runInSlack: (name, text) => zones.answerTo(zones.write({ text: `run ${name}: ${text}` }), 60_000),
  };
}
