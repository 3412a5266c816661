import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { AgentError, AgentProtocolConfig, AgentTask } from "../generated/types.ts";
import { type NamedType, ourSchemas, readJson } from "./contract.ts";

const formats = new Map<string, ValidateFunction>();

/** Reads a file of schemas/fixtures. Throws when it does not have its format, or when two entries of a list share a name. */
function readCorpusFile<Content extends object>(
  format: "cases" | "exchanges",
  path: string,
  schemasDir: string = ourSchemas,
): Content {
  const file = `fixtures/${path}`;
  const content = readJson(schemasDir, file);
  const hasFormat = formats.get(format) ?? compileFormat(format);
  if (!hasFormat(content)) {
    const problem = hasFormat.errors?.[0];
    throw new Error(
      `schemas/${file}#${problem?.instancePath} ${problem?.message}; schemas/fixtures/${format}-format.json describes it`,
    );
  }
  for (const [list, entries] of listsIn(content)) {
    const names = entries.map(({ name }) => name);
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) throw new Error(`schemas/${file}#${list}: two entries have the name ${repeated}`);
  }
  return content as Content;
}

/** The lists of named entries in a file, by JSON pointer. */
function* listsIn(content: unknown, pointer = ""): Generator<[pointer: string, entries: { name: string }[]]> {
  for (const [name, member] of Object.entries(content as object)) {
    const place = `${pointer}/${name.replaceAll("/", "~1")}`;
    if (Array.isArray(member)) yield [place, member as { name: string }[]];
    else if (typeof member === "object") yield* listsIn(member, place);
  }
}

function compileFormat(format: string): ValidateFunction {
  const schema = readJson(ourSchemas, `fixtures/${format}-format.json`) as object;
  const validate = new Ajv2020({ strictTypes: false }).compile(schema);
  formats.set(format, validate);
  return validate;
}

/** A response over HTTP: a JSON value, or a text that is not JSON. */
export interface ExchangeAnswer {
  readonly http_status: number;
  readonly response?: unknown;
  readonly response_text?: string;
}

/** One task at an agent, from the message on the bus to the result on the bus. exchanges-format.json describes the members. */
export interface Exchange extends ExchangeAnswer {
  readonly name: string;
  readonly row: string;
  readonly why: string;
  readonly protocol_config?: AgentProtocolConfig;
  readonly agent_task: AgentTask;
  readonly request?: unknown;
  readonly polls?: readonly (ExchangeAnswer & { readonly request: unknown })[];
  readonly result: {
    readonly status: "SUCCESS" | "FAILURE";
    readonly output_data: unknown;
    readonly error?: Partial<AgentError>;
    readonly error_message?: readonly string[];
  };
}

/** A message to a JSON-RPC server, and its answer. jsonrpc-2.0/extra.json describes the members. */
export interface RpcExample {
  readonly name: string;
  readonly request?: string;
  readonly request_base64?: string;
  readonly request_parts?: readonly (readonly [text: string, times: number])[];
  readonly expected: object | readonly object[] | null;
  readonly id_text?: string;
}

/** Returns the exchanges of an agent protocol. Throws when the file is malformed. */
export function readExchanges(protocol: "a2a" | "simple-a2a"): Exchange[] {
  return readCorpusFile<{ exchanges: Exchange[] }>("exchanges", `${protocol}/exchanges.json`).exchanges;
}

/** Returns the examples of the JSON-RPC specification, or those that it leaves open. */
export function readRpcExamples(file: "specification" | "extra"): RpcExample[] {
  return (readJson(ourSchemas, `fixtures/jsonrpc-2.0/${file}.json`) as { cases: RpcExample[] }).cases;
}

/** A value that a schema accepts or refuses. */
export interface Case {
  /** Unique in the corpus: `task/attachment/valid/empty-file`. */
  readonly id: string;
  /** The path of the schema, without its extension: `task/attachment`. */
  readonly schema: string;
  readonly name: string;
  readonly valid: boolean;
  readonly value: unknown;
  /** JSON pointers that validation must report; empty when the value is valid. */
  readonly problems: readonly string[];
}

/** A case with the type that its value is checked against. */
export interface TypedCase extends Case {
  readonly type: NamedType;
}

const extension = ".cases.json";

type CasesOf = Readonly<Record<"valid" | "invalid", readonly Case[]>>;

/** Returns the cases of a schema such as `task/attachment`, valid ones first. Throws when they are missing or malformed. */
export function readCases(schema: string, schemasDir: string = ourSchemas): Case[] {
  const [path, name] = placeOf(schema);
  const cases = existsSync(join(schemasDir, "fixtures", path)) ? casesIn(path, schemasDir)[name] : undefined;
  if (!cases)
    throw new Error(
      `schemas/fixtures/${path} has no cases of ${name}. Write at least one valid and one invalid case of the schema, like those of attachment in schemas/fixtures/task${extension}.`,
    );
  const { valid, invalid } = cases;
  return [
    ...valid.map((one) => ({ ...one, id: `${schema}/valid/${one.name}`, schema, valid: true, problems: [] })),
    ...invalid.map((one) => ({ ...one, id: `${schema}/invalid/${one.name}`, schema, valid: false })),
  ];
}

/** Returns the cases of all schemas. Throws when cases belong to none of the types. */
export function readCorpus(types: readonly NamedType[], schemasDir: string = ourSchemas): TypedCase[] {
  const typeOf = new Map(types.map((type) => [schemaOf(type), type]));
  return globSync(`*${extension}`, { cwd: join(schemasDir, "fixtures") })
    .toSorted()
    .flatMap((path) =>
      Object.keys(casesIn(path, schemasDir)).flatMap((name) => {
        const schema = `${path.slice(0, -extension.length)}/${name}`;
        const type = typeOf.get(schema);
        if (!type) throw new Error(`${name} in schemas/fixtures/${path} is no schema. Name cases like their schema.`);
        return readCases(schema, schemasDir).map((one) => ({ ...one, type }));
      }),
    );
}

/** Each file is read and checked once. */
const read = new Map<string, Readonly<Record<string, CasesOf>>>();

/** The cases of a folder's schemas, by schema. */
function casesIn(path: string, schemasDir: string): Readonly<Record<string, CasesOf>> {
  const place = join(schemasDir, path);
  const { $schema: _format, ...cases } =
    read.get(place) ?? readCorpusFile<Readonly<Record<string, CasesOf>>>("cases", path, schemasDir);
  read.set(place, cases);
  return cases;
}

/** Where the cases of a schema are: `task/attachment` → `task.cases.json` and `attachment`. */
function placeOf(schema: string): [path: string, name: string] {
  const [folder = "", ...name] = schema.split("/");
  return [folder + extension, name.join("/")];
}

/** Returns what `readCases` calls the schema of a type: `task/attachment`, or `common/TaskId` for a definition in common.schema.json. */
export function schemaOf(type: NamedType): string {
  return type.ref.replace(".schema.json", "").replace("#/$defs/", "/");
}

/** `@crosszone/contracts/corpus`: the contract and the test data in schemas/fixtures, for tests of any package. Not published. */
export { readContract } from "./contract.ts";
