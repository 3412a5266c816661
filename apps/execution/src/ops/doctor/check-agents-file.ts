import { loadAgentsFile, AgentFailure, type AgentChecks, type SecretSource } from "@crosszone/agent-bridge";
import type { AgentSettings } from "@crosszone/contracts";
import { ConfigError } from "@crosszone/service-kit";
import { failed, passed, skipped, type Check } from "@crosszone/ops/doctor";
import { FileProblemsError } from "@crosszone/service-kit/yaml";

/**
 * Opens the checks and secrets that the agents of the file need. Rejects with a `ConfigError`, as the zone does at
 * startup.
 */
export type OpenWay = () => Promise<{ readonly checks: AgentChecks; readonly secrets: SecretSource }>;

const reads = ["AGENTS_FILE", "AGENT_ORIGINS", "AGENT_SECRETS_DIR", "AGENT_SECRETS_ORIGINS"];

/** Checks AGENTS_FILE and each secret that its agents name. Sends nothing to any agent. */
export function agentsFileChecks(path: readonly string[] | undefined, open: OpenWay): Check[] {
  if (path === undefined)
    return [
      { name: "agents file", reads, run: () => skipped("AGENTS_FILE is not set: agents are registered over the API") },
    ];
  return [
    {
      name: "agents file",
      reads,
      run: async () => {
        try {
          const agents = await loadAgentsFile(path, (await open()).checks);
          return passed(agents.map(({ name }) => name).join(", ") || "the file declares no agents");
        } catch (error) {
          if (error instanceof ConfigError)
            return failed("the file can't be used", ...error.problems.map(({ name, wrong }) => `${name} ${wrong}.`));
          if (!(error instanceof FileProblemsError)) throw error;
          return failed("the file has mistakes, and the zone can't start", ...error.message.split("\n"));
        }
      },
    },
    {
      name: "agent secrets",
      needs: ["agents file"],
      reads,
      run: async () => {
        const { checks, secrets } = await open();
        const references = new Set((await loadAgentsFile(path, checks)).flatMap(secretsOf));
        const wrong = (await Promise.all([...references].map((reference) => unavailable(secrets, reference)))).flat();
        return wrong.length > 0
          ? failed(`${wrong.length} of ${references.size} can't be read`, ...wrong)
          : passed(`${references.size} found`);
      },
    },
  ];
}

/** The references of an agent's secrets, never the secrets themselves. */
function secretsOf({ auth }: AgentSettings): string[] {
  return Object.values(auth ?? {}).filter(
    (value) => typeof value === "string" && /^(env|file):/.test(value),
  ) as string[];
}

async function unavailable(secrets: SecretSource, reference: string): Promise<string[]> {
  try {
    await secrets.read(reference);
    return [];
  } catch (error) {
    if (error instanceof AgentFailure) return [error.message];
    throw error;
  }
}
