import { parseExactJson } from "@crosszone/contracts/json";
import { z } from "zod";
import { isReadableOnTheWay, nearName } from "../values/text.ts";

/** Every schema of a file that knows its keys names the one that was probably meant. */
z.config({
  customError: ({ code, keys, inst }) => {
    if (code !== "unrecognized_keys" || !(inst instanceof z.ZodObject)) return undefined;
    const named = (keys as readonly string[]).map((key) => {
      const near = nearName(key, Object.keys(inst.shape));
      return `"${key}"${near === undefined ? "" : ` (did you mean "${near}"?)`}`;
    });
    return `Unrecognized key${named.length === 1 ? "" : "s"}: ${named.join(", ")}`;
  },
});

/** A problem of the configuration. No member may contain a value of the environment. */
export interface ConfigProblem {
  readonly name: string;
  /** The problem, as the rest of a sentence that starts with the name: `is not set`. */
  readonly wrong: string;
  readonly expected?: string;
  readonly example?: string;
}

/** A rule between variables: whether it is broken, the variable with the problem, what is wrong, and what is expected. */
type ConfigRule = readonly [isBroken: boolean, name: string, wrong: string, expected?: string];

/** Returns the problems of the broken rules, in their order. */
export function brokenRules(rules: readonly ConfigRule[]): ConfigProblem[] {
  return rules.filter(([isBroken]) => isBroken).map(([, name, wrong, expected]) => ({ name, wrong, expected }));
}

/** A URL, if it is set, is encrypted on its way to another machine. */
export function encryptedRule(name: string, url: string | undefined): ConfigRule {
  return [isReadableOnTheWay(url), name, "uses http: to another machine", "https:, or a host on this machine"];
}

/** The configuration is invalid. The message lists every problem, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];

  constructor(problems: readonly ConfigProblem[], warnings: readonly string[] = []) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const lines = [...problems.map(problemLine), ...warnings].map((line) => `  - ${line}`);
    super([`The configuration has ${count}:`, ...lines].join("\n"));
    this.problems = problems;
    this.warnings = warnings;
  }
}

function problemLine({ name, wrong, expected, example }: ConfigProblem): string {
  const shown = expected === undefined ? "" : ` Expected: ${expected.replace(/\.$/, "")}.`;
  return `${name} ${wrong}.${shown}${example === undefined ? "" : ` Example: ${example}`}`;
}

/** A JSON file can't be used. Has all problems with their places, but never the file's content. */
export class JsonFileError extends Error {
  override readonly name = "JsonFileError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** Parses the text of a JSON file. Throws a `JsonFileError`. */
export function parseJsonFile<Value>(text: string, schema: z.ZodType<Value>): Value {
  let json: unknown;
  try {
    json = parseExactJson(text);
  } catch (error) {
    throw new JsonFileError([`it ${(error as Error).message}`]);
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  throw new JsonFileError(read.error.issues.map(({ path, message }) => `at /${path.join("/")}: ${message}`));
}

/** Returns an error of reading a JSON file as a `JsonFileError`. */
export function jsonFileError(error: unknown): JsonFileError {
  if (error instanceof JsonFileError) return error;
  return new JsonFileError([`it cannot be read (${(error as NodeJS.ErrnoException).code ?? "unreadable"})`]);
}

/** Returns the problems of the JSON file that a variable names. `read` throws them. */
export function jsonFileProblems(name: string, read: () => unknown): ConfigProblem[] {
  try {
    read();
    return [];
  } catch (error) {
    const { problems } = jsonFileError(error);
    return problems.map((problem) => ({ name, wrong: `names a file that cannot be used: ${problem}` }));
  }
}
