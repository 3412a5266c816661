import type { AgentError, AgentProtocolConfig, AgentTask } from "../src/index.ts";
import { readCorpusFile } from "./read-corpus-file.ts";
import { ourSchemas, readJson } from "./read-json.ts";

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
