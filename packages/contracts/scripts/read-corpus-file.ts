import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { ourSchemas, readJson } from "./read-json.ts";
import type { AgentError, AgentProtocolConfig, AgentTask } from "../src/index.ts";

const formats = new Map<string, ValidateFunction>();

/** Reads a file of schemas/fixtures. Throws when it does not have its format, or when two entries of a list share a name. */
export function readCorpusFile<Content extends object>(
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
