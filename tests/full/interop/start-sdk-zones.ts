import { startCrosszone, type Crosszone, type CrosszoneOptions } from "../../harness/start-crosszone.ts";
import { writeAgentsFile } from "../../harness/write-agents-file.ts";
import type { SdkAgent } from "./start-sdk-agent.ts";

type Registered = Pick<SdkAgent, "name" | "url">;

/** Both zones and a local Slack, with these agents registered by their base URL and nothing else. Ends with the test. */
export async function startSdkZones(
  agents: readonly Registered[],
  { env, limits, ...options }: CrosszoneOptions = {},
): Promise<Crosszone> {
  return startCrosszone({
    ...options,
    // As in production: with 66 questions at once a file may take longer than in other tests.
    fileTimeoutMs: 30_000,
    limits: { taskDeadlineMs: 180_000, ...limits },
    env: {
      AGENTS_FILE: await writeAgentsFile(agents.map(({ name, url }) => ({ name, url }))),
      AGENT_ORIGINS: [...new Set(agents.map(({ url }) => new URL(url).origin))].join(","),
      USER_MESSAGES_PER_MINUTE: "1000",
      CHANNEL_MESSAGES_PER_MINUTE: "1000",
      TEAM_MESSAGES_PER_MINUTE: "1000",
      ...env,
    },
  });
}
