import { loadAgentsFile, AgentFailure, type AgentChecks, type SecretSource } from "@crosszone/agent-bridge";
import type { AgentSettings } from "@crosszone/contracts";
import { ConfigError } from "@crosszone/service-kit";
import { failed, passed, skipped, type Check } from "@crosszone/service-kit/doctor";
import { FileProblemsError } from "@crosszone/service-kit/yaml";

/** How the agents of the file are spoken with, and where their secrets are; rejects with a `ConfigError` as the zone does at its start. */
export type OpenWay = () => Promise<{ readonly checks: AgentChecks; readonly secrets: SecretSource }>;

const reads = ["AGENTS_FILE", "AGENT_ORIGINS", "AGENT_SECRETS_DIR", "AGENT_SECRETS_ORIGINS", "AGENT_CA_FILE"];

/** Whether the agents of AGENTS_FILE can be used: the file itself, and each secret that they name. No agent is asked. */
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
          return passed(agents.map(({ name }) => name).join(", ") || "it declares none");
        } catch (error) {
          if (error instanceof ConfigError)
            return failed("files cannot be used", ...error.problems.map(({ name, wrong }) => `${name} ${wrong}.`));
          if (!(error instanceof FileProblemsError)) throw error;
          return failed("it has mistakes, and the zone does not start", ...error.message.split("\n"));
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
          ? failed(`${wrong.length} of ${references.size} cannot be had`, ...wrong)
          : passed(`${references.size}, all there`);
      },
    },
  ];
}

/** The places of secrets that an agent names; none is a secret itself. */
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
