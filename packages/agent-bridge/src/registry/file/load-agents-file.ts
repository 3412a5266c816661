import { isAgentsFile, problemsOf, type AgentSettings, type AgentsFile, type ParamProblem } from "@crosszone/contracts";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import { settingsProblems, type AgentChecks } from "../agent-checks.ts";
import { fillSettings } from "../agent-settings.ts";

/**
 * Reads the agents that a YAML 1.2 file declares: `agents:` and a list of `AgentSettings`. Throws a `FileProblemsError` that names all that is
 * wrong at once, each with its line.
 */
export async function loadAgentsFile(path: string, checks?: AgentChecks): Promise<readonly AgentSettings[]> {
  const { value, problemAt } = await readYamlFile(path, "file of agents");
  const refuseIfAny = (problems: readonly ParamProblem[]): void => {
    if (problems.length > 0) throw new FileProblemsError(problems.map(problemAt));
  };
  refuseIfAny(problemsOf(isAgentsFile, value));
  const { agents } = value as AgentsFile;
  const lineOf = (pointer: string): number => problemAt({ pointer, message: "" }).line;
  const checked = checks === undefined ? [] : await problemsOfAll(agents, checks);
  refuseIfAny([...duplicates(agents, lineOf), ...checked]);
  return agents;
}

function duplicates(agents: readonly AgentSettings[], lineOf: (pointer: string) => number): ParamProblem[] {
  const first = new Map<string, number>();
  return agents.flatMap(({ name }, index) => {
    const before = first.getOrInsertComputed(name, () => index);
    if (before === index) return [];
    return [
      {
        pointer: `/agents/${index}/name`,
        message: `is the name of the agent in line ${lineOf(`/agents/${before}`)} too`,
      },
    ];
  });
}

async function problemsOfAll(agents: readonly AgentSettings[], checks: AgentChecks): Promise<ParamProblem[]> {
  const problems: ParamProblem[] = [];
  for (const [index, agent] of agents.entries())
    for (const { pointer, message } of await settingsProblems(fillSettings(agent), checks))
      problems.push({ pointer: `/agents/${index}${pointer}`, message });
  return problems;
}
