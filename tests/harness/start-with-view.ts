import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { slackEnv } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { runProgram, type ProgramEnd } from "./run-program.ts";
import { adminToken } from "./runs-api.ts";
import { startProcess } from "./start-process.ts";
import { startWithAgents, type WithAgents } from "./start-with-agents.ts";

export const viewToken = "view-token-of-thirty-two-characters-or-more";

export interface WithView extends WithAgents {
  /** URL of verification's read-only API. */
  readonly view: string;
  /** The variables of `crosszone` for both zones, and for execution alone. */
  readonly env: Readonly<Record<"both" | "execution", Readonly<Record<string, string>>>>;
  /** Runs `crosszone tasks show`. */
  readonly show: (reference: string, env?: Readonly<Record<string, string>>, ...more: string[]) => Promise<ProgramEnd>;
}

/** Starts both zones as processes, with verification's read-only API. Ends with the test. */
export async function startWithView(): Promise<WithView> {
  const EXECUTION_TOKEN = `link-${randomUUID()}`;
  const zones = await startWithAgents({
    env: { EXECUTION_TOKEN, AGENT_ADMIN_TOKENS: adminToken },
    verificationEnv: { EXECUTION_TOKEN },
  });
  const viewPort = await freePort();
  const { url } = await startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/verification"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: {
      ...slackEnv(zones.slack),
      EXECUTION_TOKEN,
      EXECUTION_URL: `${zones.slack.tapUrl}/rpc`,
      VERIFICATION_PORT: "0",
      VERIFICATION_VIEW_PORT: String(viewPort),
      VERIFICATION_VIEW_TOKENS: viewToken,
    },
  });
  zones.slack.setEventsUrl(`${url}/slack/events`);
  const view = `http://127.0.0.1:${viewPort}`;
  const execution = { CROSSZONE_URL: zones.url, CROSSZONE_TOKEN: adminToken, NO_COLOR: "1" };
  const both = { ...execution, CROSSZONE_VERIFICATION_URL: view, CROSSZONE_VIEW_TOKEN: viewToken };
  const show: WithView["show"] = (reference, env = both, ...more) =>
    runProgram("packages/cli/src/main.ts", env, "tasks", "show", reference, ...more);
  return { ...zones, view, env: { both, execution }, show };
}
