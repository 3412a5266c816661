import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const paths = ["AGENTS_FILE", "AGENT_SECRETS_DIR", "AGENT_CA_FILE", "WORKFLOWS_DIR"];

export interface AgentSettings {
  readonly env: Readonly<Record<string, string>>;
  /** Whether the sample agents are to be started, and written to the file that AGENTS_FILE names. */
  readonly samples: boolean;
}

/**
 * Which agents and workflows the execution zone finds: those of AGENTS_FILE and WORKFLOWS_DIR, or else, with the local Slack, the samples at
 * `url` and the examples that they do the steps of. A workspace of real people gets neither.
 */
export function agentSettings(
  env: NodeJS.ProcessEnv,
  { localSlack, url, dataFolder }: { readonly localSlack: boolean; readonly url: string; readonly dataFolder: string },
): AgentSettings {
  const files = agentFiles(env);
  if (!localSlack || files["AGENTS_FILE"] !== undefined) return { env: files, samples: false };
  const origins = [env["AGENT_ORIGINS"], url].filter(Boolean).join(",");
  const ours = { WORKFLOWS_DIR: join(root, "examples/workflows"), AGENTS_FILE: join(dataFolder, "agents.yaml") };
  return { env: { ...ours, ...files, AGENT_ORIGINS: origins }, samples: true };
}

/** The files and folders of agents and workflows that are set. The zone runs in a folder of its own, so a relative one is one of the repository's root. */
export function agentFiles(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = paths.flatMap((name) => {
    const path = env[name];
    return path ? [[name, resolve(root, path)]] : [];
  });
  return Object.fromEntries(set) as Record<string, string>;
}
