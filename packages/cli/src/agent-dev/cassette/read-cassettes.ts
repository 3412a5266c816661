import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { UsageError } from "../../program/errors.ts";
import { readJson } from "../../text/read-json.ts";
import { type Cassette, cassetteSchema } from "./cassette.ts";

export interface CassetteFile {
  readonly path: string;
  readonly cassette: Cassette;
}

/** Maximum number of listed problems of a file. */
const mostProblems = 5;

/** Reads the cassettes in these files and folders. Throws a `UsageError` that lists what is wrong in each file. */
export function readCassettes(places: readonly string[]): readonly CassetteFile[] {
  const paths = places.flatMap(filesIn);
  if (paths.length === 0)
    throw new UsageError(
      `There is no cassette in ${places.join(", ")}. Record one: crosszone agent dev <file>, then /save <name>.`,
    );
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile<Cassette>(cassetteSchema);
  const problems: string[] = [];
  const files = paths.flatMap((path): readonly CassetteFile[] => {
    const read = readJson(readFileSync(path, "utf8"));
    if ("problem" in read) problems.push(`${path}: it is not JSON: ${read.problem}`);
    else if (validate(read.value)) {
      const wrong = schemaProblems(path, read.value);
      problems.push(...wrong);
      return wrong.length === 0 ? [{ path, cassette: read.value }] : [];
    } else
      problems.push(...(validate.errors ?? []).slice(0, mostProblems).map((error) => `${path}: ${inWords(error)}`));
    return [];
  });
  if (problems.length > 0) throw new UsageError(`Not every cassette can be read.\n${problems.join("\n")}`);
  return files;
}

function filesIn(place: string): readonly string[] {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`${place} does not exist. Name cassettes or folders of cassettes.`);
  if (!found.isDirectory()) return [place];
  return globSync("**/*.json", { cwd: place })
    .toSorted()
    .map((name) => join(place, name));
}

/** Returns problems that only show when a judgement is compiled: a schema or an expression that is not one. */
function schemaProblems(path: string, { expect }: Cassette): readonly string[] {
  return expect.flatMap((judgement, index) => {
    try {
      if ("schema" in judgement) new Ajv2020({ strict: false }).compile(judgement.schema);
      if ("matches" in judgement) RegExp(judgement.matches, "u");
      return [];
    } catch (error) {
      return [`${path}: /expect/${index} ${(error as Error).message}`];
    }
  });
}

function inWords({ instancePath, keyword, params, message = "is not valid" }: ErrorObject): string {
  const { additionalProperty, allowedValues } = params as {
    readonly additionalProperty?: string;
    readonly allowedValues?: readonly string[];
  };
  if (keyword === "additionalProperties") {
    const known = instancePath.startsWith("/expect/")
      ? " Judgements are exact, contains, matches, schema, state, rubric."
      : "";
    return `${instancePath}/${additionalProperty} is not a known member.${known}`;
  }
  const values = allowedValues === undefined ? "" : `: ${allowedValues.join(", ")}`;
  return `${instancePath || "the cassette"} ${message}${values}`;
}
