import type { z } from "zod";
import { parseExactJson } from "@crosszone/contracts/json";
import type { ConfigProblem } from "./config-error.ts";

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
