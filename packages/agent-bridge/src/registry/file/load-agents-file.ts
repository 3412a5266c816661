import { type CardKey, isCardKey } from "@crosszone/a2a/signatures";
import { type AgentSettings, type AgentsFile, isAgentsFile, type ParamProblem, problemsOf } from "@crosszone/contracts";
import { isNearName } from "@crosszone/service-kit/text";
import { type FileProblem, FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { type AgentChecks, settingsProblems } from "../agent-checks.ts";
import { agentDefaults, completeParts, fillSettings, settingNames } from "../agent-settings.ts";

/** The agents in a set of files. */
export interface DeclaredAgents {
  /** The agents of the files that have no problems. */
  readonly agents: readonly AgentSettings[];
  /** The keys whose signatures of agent cards are trusted. */
  readonly cardKeys: readonly CardKey[];
  readonly problems: readonly FileProblem[];
}

/**
 * Reads the agents of YAML 1.2 files: `agents:` and a list of `AgentSettings`. Throws a `FileProblemsError` that lists
 * every problem with its line.
 */
export async function loadAgentsFile(
  path: string | readonly string[],
  checks?: AgentChecks,
): Promise<readonly AgentSettings[]> {
  const { agents, problems } = await readAgentsFiles(typeof path === "string" ? [path] : path, checks);
  if (problems.length > 0) throw new FileProblemsError(problems);
  return agents;
}

/** Reads the agents of files that people edit. Problems in one file don't hide the agents of the others. */
export async function readAgentsFiles(paths: readonly string[], checks?: AgentChecks): Promise<DeclaredAgents> {
  const agents: AgentSettings[] = [];
  const cardKeys: CardKey[] = [];
  const problems: FileProblem[] = [];
  const first = new Map<string, string>();
  for (const path of paths) {
    try {
      const { card_keys, ...declared } = await readAgentsFile(path, { first, checks });
      agents.push(...declared.agents);
      cardKeys.push(...(card_keys?.keys ?? []));
    } catch (error) {
      if (!(error instanceof FileProblemsError)) throw error;
      problems.push(...error.problems);
    }
  }
  return { agents, cardKeys, problems };
}

interface Around {
  /** Where each name was first declared, such as `line 2`; the names of this file are added. */
  readonly first: Map<string, string>;
  readonly checks?: AgentChecks;
}

async function readAgentsFile(path: string, { first, checks }: Around): Promise<AgentsFile> {
  const file = await readYamlFile(path, "file of agents");
  const value = withCompleteParts(file.value);
  refuseIfAny(
    file,
    problemsOf(isAgentsFile, value).map((problem) => inWords(problem, value)),
  );
  const content = value as AgentsFile;
  const { agents, card_keys } = content;
  const lineOf = (pointer: string): number => file.problemAt({ pointer, message: "" }).line;
  const own = new Map<string, string>();
  const twice = agents.flatMap(({ name }, index) => {
    const before = own.get(name) ?? first.get(name);
    own.set(name, before ?? `in line ${lineOf(`/agents/${index}`)}`);
    if (before === undefined) return [];
    return [{ pointer: `/agents/${index}/name`, message: `is also the name of the agent ${before}` }];
  });
  const badKeys = (card_keys?.keys ?? []).flatMap((key, index) =>
    isCardKey(key)
      ? []
      : [{ pointer: `/card_keys/keys/${index}`, message: "must be a public key of P-256, RSA or Ed25519" }],
  );
  refuseIfAny(file, [...twice, ...badKeys, ...(checks === undefined ? [] : await problemsOfAll(agents, checks))]);
  for (const [name, place] of own) first.set(name, `${place} of ${path}`);
  return content;
}

function refuseIfAny({ problemAt }: YamlFile, problems: readonly ParamProblem[]): void {
  if (problems.length > 0) throw new FileProblemsError(problems.map(problemAt));
}

async function problemsOfAll(agents: readonly AgentSettings[], checks: AgentChecks): Promise<ParamProblem[]> {
  const problems: ParamProblem[] = [];
  for (const [index, agent] of agents.entries())
    for (const { pointer, message } of await settingsProblems(fillSettings(agent), "file", checks))
      problems.push({ pointer: `/agents/${index}${pointer}`, message });
  return problems;
}

/** Returns a file's content with the defaults of `retry` and `breaker`. */
function withCompleteParts(value: unknown): unknown {
  const agents = ownMember(value, "agents");
  return Array.isArray(agents) && isObject(value) ? { ...value, agents: agents.map(completeParts) } : value;
}

/** Members of an agent and of its groups. */
const members = [...settingNames, ...Object.keys(agentDefaults.retry), ...Object.keys(agentDefaults.breaker)];

/** Rewords the problem of an agents file to say what to write. Shows the value only where it can't be a secret. */
function inWords({ pointer, message }: ParamProblem, file: unknown): ParamProblem {
  const member = pointer.slice(pointer.lastIndexOf("/") + 1);
  if (message === "is not a known member") return { pointer, message: `${message}${didYouMean(member)}` };
  if (pointer === "" && message === "must be object")
    return { pointer, message: "must start with `agents:` and list the agents below it" };
  if (!message.startsWith("must match pattern")) return { pointer, message };
  if (/^\/agents\/\d+\/url$/.test(pointer)) return { pointer, message: urlWords(valueAt(file, pointer)) };
  if (/^\/agents\/\d+\/name$/.test(pointer))
    return { pointer, message: "must be 1 to 255 characters without control characters" };
  if (pointer.includes("/auth/"))
    return { pointer, message: "must name a secret, not contain it: write env:AGENT_SECRET_… or file:…" };
  return { pointer, message };
}

function urlWords(url: unknown): string {
  const text = String(url);
  if (/^https?:\/\//.test(text)) return "must be a URL without spaces, user, password and #fragment";
  // The text before an @ may be a password.
  const got = text.includes("@") ? "" : `, got "${text.slice(0, 100)}"`;
  return `must be a URL that starts with http:// or https://${got}`;
}

function didYouMean(name: string): string {
  const near = members.find((known) => isNearName(name, known) || known.startsWith(`${name}_`));
  return near === undefined ? "" : `. Did you mean ${near}?`;
}

function valueAt(file: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((value, key) => (value as Record<string, unknown>)[key], file);
}
