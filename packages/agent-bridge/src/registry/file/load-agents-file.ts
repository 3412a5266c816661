import { readFile } from "node:fs/promises";
import { isAgentsFile, problemsOf, type AgentSettings, type AgentsFile, type ParamProblem } from "@crosszone/contracts";
import { LineCounter, parseDocument, type Document } from "yaml";
import { settingsProblems, type AgentChecks } from "../agent-checks.ts";
import { fillSettings } from "../agent-settings.ts";
import { AgentsFileError, type AgentsFileProblem } from "./agents-file-error.ts";
import { locate } from "./locate.ts";

/** Far more than a file of agents has, in UTF-16 units. */
const longest = 4_000_000;

/**
 * Reads the agents that a YAML 1.2 file declares: `agents:` and a list of `AgentSettings`. Throws an `AgentsFileError` that names all that is
 * wrong at once, each with its line. https://yaml.org/spec/1.2.2/
 */
export async function loadAgentsFile(path: string, checks?: AgentChecks): Promise<readonly AgentSettings[]> {
  const text = await readText(path);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const refuseIfAny = (problems: readonly AgentsFileProblem[]): void => {
    if (problems.length > 0) throw new AgentsFileError(path, problems);
  };
  const placed = ({ pointer, message }: ParamProblem): AgentsFileProblem => ({
    ...locate(document, lines, pointer),
    pointer,
    message,
  });
  refuseIfAny(
    [...document.errors, ...document.warnings].map(({ pos: [offset], message }) => {
      const { line, col } = lines.linePos(offset);
      // After a colon, the parser shows what stands there.
      return { line, column: col, pointer: "", message: message.split(":", 1)[0] as string };
    }),
  );
  const file = valueOf(document, path);
  refuseIfAny(problemsOf(isAgentsFile, file).map(placed));
  const { agents } = file as AgentsFile;
  const checked = checks === undefined ? [] : await problemsOfAll(agents, checks);
  refuseIfAny([...duplicates(agents, (pointer) => locate(document, lines, pointer).line), ...checked].map(placed));
  return agents;
}

async function readText(path: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    if (text.length <= longest) return text;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    const message = `the file of agents cannot be read (${code}): put one there, or name another`;
    throw new AgentsFileError(path, [{ line: 1, column: 1, pointer: "", message }]);
  }
  const message = "the file of agents is too large: 4,000,000 characters at the most";
  throw new AgentsFileError(path, [{ line: 1, column: 1, pointer: "", message }]);
}

function valueOf(document: Document, path: string): unknown {
  try {
    return document.toJS();
  } catch {
    // A few lines of aliases of aliases could stand for more than memory holds.
    const message = "the aliases stand for more than is read: write the agents out";
    throw new AgentsFileError(path, [{ line: 1, column: 1, pointer: "", message }]);
  }
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
