import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const paths = ["AGENTS_FILE", "AGENT_SECRETS_DIR", "AGENT_CA_FILE"];

export interface AgentSettings {
  readonly env: Readonly<Record<string, string>>;
  /** Whether the sample agents are to be started, and written to the file that AGENTS_FILE names. */
  readonly samples: boolean;
}

/**
 * Which agents the execution zone finds: those of AGENTS_FILE, or else, with the local Slack, the samples at `url`. A workspace of real people
 * gets no samples.
 */
export function agentSettings(
  env: NodeJS.ProcessEnv,
  { localSlack, url, dataFolder }: { readonly localSlack: boolean; readonly url: string; readonly dataFolder: string },
): AgentSettings {
  const files = agentFiles(env);
  if (!localSlack || files["AGENTS_FILE"] !== undefined) return { env: files, samples: false };
  const origins = [env["AGENT_ORIGINS"], url].filter(Boolean).join(",");
  return { env: { ...files, AGENTS_FILE: join(dataFolder, "agents.yaml"), AGENT_ORIGINS: origins }, samples: true };
}

/** The files and folders of agents that are set. The zone runs in a folder of its own, so a relative one is one of the repository's root. */
export function agentFiles(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = paths.flatMap((name) => {
    const path = env[name];
    return path ? [[name, resolve(root, path)]] : [];
  });
  return Object.fromEntries(set) as Record<string, string>;
}
