import { isDeepStrictEqual } from "node:util";
import { type CardKey, isCardKey } from "@crosszone/a2a/signatures";
import type { Author } from "@crosszone/audit";
import { type AgentSettings, type AgentsFile, isAgentsFile, type ParamProblem, problemsOf } from "@crosszone/contracts";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { isNearName } from "@crosszone/service-kit/text";
import { type FileProblem, FileProblemsError, readYamlFile, type YamlFile } from "@crosszone/service-kit/yaml";
import {
  type AgentChecks,
  agentDefaults,
  completeParts,
  fillSettings,
  type FullSettings,
  settingNames,
  settingsOf,
  settingsProblems,
} from "./agent-settings.ts";
import type { AgentStore } from "./agent-store.ts";
import { isReadable } from "./agent-table.ts";

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

/**
 * Reads the agents of files that people edit, and the keys whose signatures of agent cards are trusted. Problems in one file don't hide the
 * agents of the others.
 */
export async function readAgentsFiles(paths: readonly string[], checks?: AgentChecks) {
  const agents: AgentSettings[] = [];
  const cardKeys: CardKey[] = [];
  const problems: FileProblem[] = [];
  const first = new Map<string, string>();
  for (const path of paths) {
    try {
      const { card_keys, ...declared } = await readAgentsFile(path, first, checks);
      agents.push(...declared.agents);
      for (const key of card_keys?.keys ?? []) cardKeys.push(key);
    } catch (error) {
      if (!(error instanceof FileProblemsError)) throw error;
      problems.push(...error.problems);
    }
  }
  return { agents, cardKeys, problems };
}

/** `first`: where each name was first declared, such as `line 2`; the names of this file are added. */
async function readAgentsFile(
  path: string,
  first: Map<string, string>,
  checks: AgentChecks | undefined,
): Promise<AgentsFile> {
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
  const unsound = checks === undefined ? [] : await problemsOfAll(agents, checks);
  refuseIfAny(file, [...twice, ...badKeys, ...unsound]);
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
  const isUrl = message.startsWith("must match pattern") && /^\/agents\/\d+\/url$/.test(pointer);
  return { pointer, message: isUrl ? urlWords(valueAt(file, pointer)) : message };
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

/** Names of agents, by what was done to them. The `moved` are the updated ones whose protocol has changed. */
type AppliedAgents = Readonly<Record<"created" | "updated" | "removed" | "kept" | "moved", string[]>>;

/**
 * Makes the registry match a file. It stores the file's agents and takes over agents of the API with the same name. It
 * removes agents of the file that are no longer in it. Several processes can do this at the same
 * time. Agents that already match are not changed.
 */
export async function applyAgentsFile(
  store: AgentStore,
  agents: readonly AgentSettings[],
  by: Author,
): Promise<AppliedAgents> {
  const applied: AppliedAgents = { created: [], updated: [], removed: [], kept: [], moved: [] };
  for (const settings of agents.map((declared) => fillSettings(declared))) {
    const { outcome, isMoved } = await untilDone(() => applyOne(store, settings, by));
    applied[outcome].push(settings.name);
    if (isMoved) applied.moved.push(settings.name);
  }
  const declared = new Set(agents.map(({ name }) => name));
  const gone = (await store.all()).filter(
    (agent) => isReadable(agent) && agent.source === "file" && !declared.has(agent.name),
  );
  // When an agent has changed meanwhile, the other change wins.
  for (const agent of gone) if (await store.remove(agent, by)) applied.removed.push(agent.name);
  return applied;
}

async function applyOne(
  store: AgentStore,
  settings: FullSettings,
  by: Author,
): Promise<{ readonly outcome: "created" | "updated" | "kept"; readonly isMoved: boolean } | undefined> {
  const known = await store.get(settings.name);
  if (known === undefined) return (await store.create(settings, "file", by)) && { outcome: "created", isMoved: false };
  if (!isReadable(known)) {
    await store.remove(known, by);
    return undefined;
  }
  if (known.source === "file" && isDeepStrictEqual(settingsOf(known), settings))
    return { outcome: "kept", isMoved: false };
  const updated = await store.update(known, { settings, source: "file" }, by);
  return updated && { outcome: "updated", isMoved: known.protocol !== settings.protocol };
}

/** Another process may be faster each time, but every round one process succeeds. */
async function untilDone<Outcome>(attempt: () => Promise<Outcome | undefined>): Promise<Outcome> {
  for (;;) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
  }
}
