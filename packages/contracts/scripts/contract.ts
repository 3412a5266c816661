/** A JSON Schema 2020-12: the keywords that the generator itself reads. */
export interface Schema {
  title?: string;
  description?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  /** The member whose constant says which branch of `oneOf` is meant: only that branch is read. */
  discriminator?: { propertyName: string };
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  minProperties?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  /** Never logged. */
  "x-secret"?: boolean;
  /** What each value of `enum` means. */
  "x-meanings"?: Record<string, string>;
}

/** One file of schemas/. */
export interface SchemaFile extends Schema {
  $id: string;
  title: string;
}

/** A named type of the contract, with its reference relative to the schemas folder. */
export interface NamedType {
  title: string;
  ref: string;
  schema: Schema;
}

/** One row of errors.json. */
export interface ErrorRow {
  code: number;
  retryable: boolean;
  title: string;
  description: string;
}

/** One row of agent-errors.json. */
export type AgentErrorRow = Omit<ErrorRow, "code">;

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

/** A part of the execution zone's API in one file: OpenAPI 3.1, without the schemas that it refers to. */
export interface ApiSource {
  /** Relative to the schemas folder. */
  path: string;
  paths: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
}

/** The sources of the execution zone's API: the frame with the shared components, and the parts. */
export interface ApiSources {
  frame: ApiSource & { info: Record<string, unknown> };
  registry: ApiSource;
  mcp: ApiSource;
  task: ApiSource;
  usage: ApiSource;
  workflow: ApiSource;
}

/** The hand-written contract, read and checked: the input of all generators. */
export interface Contract extends Tables {
  schemasDir: string;
  schemas: Map<string, SchemaFile>;
  types: NamedType[];
  api: ApiSources;
  /** Of the published package. */
  version: string;
}

/** Returns the type at a reference. `readContract` has checked every reference, so a miss is a bug of the caller. */
export function typeAt(types: NamedType[], ref: string): NamedType {
  const type = types.find((candidate) => candidate.ref === ref);
  if (!type) throw new Error(`no schema of the contract is at ${ref}`);
  return type;
}

/** Resolves a `$ref` of the schema file `from`, relative to the schemas folder. */
export function resolveRef(ref: string, from: string): string {
  return new URL(ref, `schemas:/${from}`).href.slice("schemas:/".length);
}
