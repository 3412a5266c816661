import type { AgentErrorRow, ErrorRow } from "../src/index.ts";
import type { NamedType } from "../src/schema-graph.ts";
import type { Schema } from "../src/validator/check.ts";

export { resolveRef, typeAt, type NamedType } from "../src/schema-graph.ts";
export type { Schema } from "../src/validator/check.ts";

export interface SchemaFile extends Schema {
  $id: string;
  title: string;
}

/** One row of channels.json; `message` is a schema file, `key` the member of it that orders messages. */
export interface ChannelRow {
  topic: string;
  message: string;
  key: string;
  summary: string;
}

/** One row of methods.json; `params`, `events` and `result` are schema files, `errors` are kinds of errors.json. */
export interface MethodRow {
  summary: string;
  description: string;
  params: string;
  /** Notifications before the answer, for a caller that accepts a stream. */
  events?: string;
  result: string;
  errors: string[];
}

/** The hand-written tables next to the schemas. */
export interface Tables {
  errors: Record<string, ErrorRow>;
  agentErrors: Record<string, AgentErrorRow>;
  methods: Record<string, MethodRow>;
  channels: Record<string, ChannelRow>;
}

/** The hand-written contract, read and checked: the input of all generators. */
export interface Contract extends Tables {
  schemasDir: string;
  schemas: Map<string, SchemaFile>;
  types: NamedType[];
  /** Of the published package. */
  version: string;
}
