import { readFileSync } from "node:fs";
import { hideSecrets } from "../logging/redact.ts";
import { editDistance, isNearName } from "../values/text.ts";
import { ConfigError, type ConfigProblem } from "./config-error.ts";
import {
  type ConfigDefinition,
  type ConfigEntry,
  type ConfigValues,
  constantsOf,
  type Environment,
  expectedText,
  variablesOf,
} from "./definition.ts";

/** What to use instead of variables that are gone. */
const gone: readonly (readonly [names: RegExp, use: string])[] = [
  [/^(USER|CHANNEL|TEAM)_MESSAGES_PER_MINUTE$/, "MESSAGES_PER_MINUTE"],
  [/^AGENT_ADMIN_TOKENS$/, "ADMIN_TOKENS"],
  [/^(AGENT_|VERIFICATION_)?VIEW_TOKENS$/, "a token of `crosszone tokens create`"],
  [/^(ALLOWED_(TEAMS|CHANNELS|USERS)|ALLOW_(GUESTS|SHARED_CHANNELS)|FILE_TYPES)$/, "VERIFICATION_FILE"],
  [/^MCP_(SERVERS|TOKENS|READ_ONLY|TIMEOUT(_MS)?)$/, "EXECUTION_FILE"],
  [/^(AGENTCORE_(ACCOUNT_ID|QUALIFIER|REGION)|EXECUTION_(TRANSPORT|SESSION_QUERY))$/, "EXECUTION_URL"],
  [/^AGENTCORE_ENDPOINT$/, "AWS_ENDPOINT_URL_BEDROCK_AGENTCORE"],
  [/^EXECUTION_HMAC_SECRET$/, "EXECUTION_TOKEN"],
  [/^EXECUTION_(GOOGLE_AUDIENCE|ENTRA_SCOPE)$/, "EXECUTION_AUDIENCE"],
  [/^EXECUTION_AUTH$/, "CALLER_AUTH"],
  [/^EXECUTION_TLS_(CERT|KEY)_FILE$/, "TLS_$1_FILE"],
  [/^(EXECUTION_)?TLS_CA_FILE$/, "CALLER_TLS_CA_FILE"],
  [/^(EXECUTION_JWT_(ISSUER|AUDIENCE|JWKS)(_URL)?|CALLER_JWT_(JWKS)_URL)$/, "CALLER_JWT_$2$4"],
  [/^(CALLER_(JWT|TLS)_ALLOWED|EXECUTION_JWT_CALLERS|TLS_CLIENTS)$/, "CALLER_ALLOWED"],
  [/^KAFKA_(TLS|CA_FILE|CERT_FILE|KEY_FILE|SASL|USERNAME|PASSWORD)$/, "KAFKA_PROPERTIES_FILE"],
  [/^KAFKA_TOPIC_AGENT_(TASKS|RESULTS|CANCELLATIONS)$/, "KAFKA_TOPIC_PREFIX"],
  [/^(MAX_AGENT_CALLS|WORKFLOW_MAX_RUNNING)$/, "MAX_RUNNING_TASKS"],
  [/^(CONVERSATION_RETENTION(_MS)?|THREAD_RETENTION_DAYS)$/, "THREAD_RETENTION"],
  [/^(ANSWER_DEADLINE|TASK_DEADLINE|TASK_RETENTION)_MS$/, "$1"],
  [/^AGENT_FILES_URL$/, "EXECUTION_PUBLIC_URL"],
  [/^AGENT_CA_FILE$/, "NODE_EXTRA_CA_CERTS"],
  [/^(EXECUTION_(CLIENT|TLS)|TLS)_KEY_PASSPHRASE$/, "a key without a passphrase"],
];

/** Below which line of which file the content of a former file goes. A zone that ignored one would run by other rules than its operator wrote. */
const movedFiles: Readonly<Record<string, readonly [file: string, line: string]>> = {
  AGENTS_FILE: ["EXECUTION_FILE", "agents:"],
  APPROVALS_FILE: ["EXECUTION_FILE", "approvals:"],
  ASK_FILE: ["EXECUTION_FILE", "programs:"],
  ASSISTANT_FILE: ["EXECUTION_FILE", "assistant:"],
  CONSOLE_FILE: ["EXECUTION_FILE", "console:"],
  HOOKS_FILE: ["EXECUTION_FILE", "hooks:"],
  MCP_FILE: ["EXECUTION_FILE", "mcp:, which replaces servers:"],
  POLICY_FILE: ["VERIFICATION_FILE", "policy:"],
  SCHEDULES_FILE: ["EXECUTION_FILE", "schedules:"],
};

/** Returns the variables of a zone's files that are sections of its settings now. */
const movedProblems = (definition: ConfigDefinition, env: Environment): ConfigProblem[] =>
  Object.entries(movedFiles).flatMap(([name, [file, line]]) => {
    const expected = `its content in the file of ${file}, below ${line}`;
    return env[name] && Object.hasOwn(definition, file) ? [{ name, wrong: "is gone: remove it", expected }] : [];
  });

/** Variables that are gone and have no other, besides those that are constants now. */
const goneForGood = /^(AGENTS_FILE_FOLLOW|CALLER_JWT_ALGORITHMS|KAFKA_(CREATE_TOPICS|REPLICAS)|STREAM_ANSWERS)$/;

/** Returns a sentence for each variable that has no effect: misspelled, gone, fixed, or a file of what is no secret. */
function oddNames(definition: ConfigDefinition, env: Environment): string[] {
  const known = new Set(
    variablesOf(definition).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : name)),
  );
  // Those that are texts are names of hosts, which platforms set.
  const constants = constantsOf(definition).flatMap(([name, { constant }]) => (Number(constant) ? name : []));
  return Object.keys(env).flatMap((name) => {
    if (!env[name] || known.has(name)) return [];
    const owner = name.replace(/_FILE$/, "");
    if (known.has(owner)) return `${name} has no effect: only a secret can come from a file. Set ${owner}.`;
    const use = gone.find(([names]) => names.test(name));
    if (use !== undefined) return `${name} is gone. Use ${name.replace(...use)}.`;
    const isFixed =
      [name, `${name}_MS`, `MAX_${name}`].some((one) => constants.includes(one)) || goneForGood.test(name);
    if (isFixed) return `${name} has no effect: its value is fixed. Remove it.`;
    const near = [...known].find((one) => isSlipOf(name.toUpperCase(), one));
    return near === undefined ? [] : `${name} is not a known variable. Did you mean ${near}?`;
  });
}

/** Returns true for two edits at most, one in a short word: two make another word of it, such as USER of URL. */
function isSlipOf(name: string, known: string): boolean {
  // Other programs have MODE.
  if (name === "MODE" || !isNearName(name, known, 8)) return false;
  const [words, given] = [known.split("_"), name.split("_")];
  return (
    words.length !== given.length ||
    words.every((word, at) => word.length > 4 || editDistance(given[at] ?? "", word) < 2)
  );
}

export interface LoadedConfig<D extends ConfigDefinition> {
  readonly values: ConfigValues<D>;
  /** One sentence for each variable that has no effect. Log them. */
  readonly warnings: readonly string[];
  /** The path that each secret was read from, of those that came from a file: such a file may be replaced later. */
  readonly files: { readonly [Name in keyof D]?: string };
}

/**
 * Reads the variables of `definition` from `env`. An empty string counts as unset. Throws a `ConfigError` that lists every problem: those of
 * invalid variables, and those that `check` finds between the others, which are valid. It never shows a value, because a token may be in the wrong variable.
 */
export function loadConfig<const D extends ConfigDefinition>(
  definition: D,
  env: Environment,
  check: (values: Partial<ConfigValues<D>>) => readonly ConfigProblem[] = () => [],
): LoadedConfig<D> {
  const { values, problems, warnings, files } = readConfig(definition, env);
  const unread = new Set(problems.map(({ name }) => name));
  const all = [...problems, ...check(values).filter(({ name }) => !unread.has(name))];
  if (all.length > 0) throw new ConfigError(all, warnings);
  return { values: values as unknown as ConfigValues<D>, warnings, files };
}

/** Reads each variable on its own. Never throws, for callers that can use a part of them. */
export function readConfig<const D extends ConfigDefinition>(definition: D, env: Environment) {
  const problems = movedProblems(definition, env);
  const values: Record<string, unknown> = {};
  for (const [name, { constant }] of constantsOf(definition)) values[name] = constant;
  for (const [name, entry] of variablesOf(definition)) {
    const read = readEntry(name, entry, env);
    const expected = expectedText(entry.schema) ?? entry.description;
    if ("wrong" in read) problems.push({ name, wrong: read.wrong, expected, example: entry.example });
    else values[name] = read.value;
  }
  const files = variablesOf(definition).flatMap(([name, { secret }]) => {
    const path = secret === true ? env[`${name}_FILE`] : undefined;
    return path ? [[name, path]] : [];
  });
  return {
    /** The variables that could be read. */
    values: Object.freeze(values) as Partial<ConfigValues<D>>,
    problems: problems as readonly ConfigProblem[],
    warnings: oddNames(definition, env),
    files: Object.fromEntries(files) as LoadedConfig<D>["files"],
  };
}

type Read = { readonly value: unknown } | { readonly wrong: string };

function readEntry(name: string, entry: ConfigEntry, env: Environment): Read {
  const direct = env[name] || undefined;
  const file = entry.secret === true ? env[`${name}_FILE`] || undefined : undefined;
  if (direct !== undefined && file !== undefined) {
    return { wrong: `is set, and so is ${name}_FILE: keep one of the two` };
  }
  if (file === undefined) return parse(entry, direct ?? entry.default);
  try {
    const text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { wrong: `is empty in the file that ${name}_FILE names` } : parse(entry, text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return { wrong: `cannot be read from the file that ${name}_FILE names (${code})` };
  }
}

/** A schema's own words are shown for a variable that is no secret. For a secret they are not: they might quote it. */
function parse({ schema, secret }: ConfigEntry, text: string | undefined): Read {
  try {
    const result = schema.safeParse(text);
    if (result.success) return { value: result.data };
    if (text === undefined) return { wrong: "is not set" };
    const words = result.error.issues.map((issue) => issue.message).join("; ");
    if (secret !== true) return { wrong: `is not valid: ${hideSecrets(words)}` };
  } catch {
    // A transform threw. Its message may quote the value, so none of it is shown.
  }
  return { wrong: "is not valid" };
}
