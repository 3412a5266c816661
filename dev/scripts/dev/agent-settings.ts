import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const paths = ["AGENT_SECRETS_DIR", "WORKFLOWS_DIR"];
const lists = ["EXECUTION_FILE", "VERIFICATION_FILE"];

/** Agents that an author runs on this machine, on any port. */
const loopback = ["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"];

export interface AgentSettings {
  readonly env: Readonly<Record<string, string>>;
  /** The file to write the sample agents to; undefined when they don't run. */
  readonly samplesFile: string | undefined;
}

/**
 * Returns the agents and workflows of the execution zone: those of EXECUTION_FILE, whose edits apply at once, and with the local
 * Slack also the sample agents and example workflows. A real workspace gets no samples.
 */
export function agentSettings(
  env: NodeJS.ProcessEnv,
  { localSlack, dataFolder }: { readonly localSlack: boolean; readonly dataFolder: string },
): AgentSettings {
  const files = agentFiles(env);
  const always = { ...files, AGENT_ORIGINS: agentOrigins(env), SHOW_AGENT_ERRORS: "true" };
  if (!localSlack) return { env: always, samplesFile: undefined };
  const samplesFile = join(dataFolder, "sample-agents.yaml");
  const both = [samplesFile, files["EXECUTION_FILE"]].filter(Boolean).join(",");
  return { env: { WORKFLOWS_DIR: join(root, "examples/workflows"), ...always, EXECUTION_FILE: both }, samplesFile };
}

/** Returns the allowed origins of agents during development: AGENT_ORIGINS, or any public address, and always this machine. */
export function agentOrigins(env: NodeJS.ProcessEnv): string {
  return [env["AGENT_ORIGINS"] || "https://*", ...loopback].join(",");
}

/** Returns the configured files of settings, and folders of agents and workflows, as absolute paths, because the zone runs in its own folder. */
export function agentFiles(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = paths.flatMap((name) => {
    const path = env[name];
    return path ? [[name, resolve(root, path)]] : [];
  });
  const listed = lists.flatMap((name) => {
    const given = (env[name] ?? "").split(",").flatMap((path) => (path.trim() ? [resolve(root, path.trim())] : []));
    return given.length > 0 ? [[name, given.join(",")]] : [];
  });
  return Object.fromEntries([...set, ...listed]) as Record<string, string>;
}
