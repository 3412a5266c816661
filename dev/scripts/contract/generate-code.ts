import { relative } from "node:path";
import { compile } from "json-schema-to-typescript";
import { localize, reachableTypes, subschemas } from "../../../packages/contracts/src/schema-graph.ts";
import {
  type Contract,
  type NamedType,
  resolveRef,
  type Schema,
  typeAt,
} from "../../../packages/contracts/src/testing/contract.ts";

/** The error catalog as data. The type check fails when a kind has no row, or a row no kind. */
export function generateErrors({ errors }: Contract): string {
  return `import type { ErrorKind } from "./types.ts";

/** One row of the error catalog. */
export interface ErrorRow {
  /** JSON-RPC error code on the zone link. */
  readonly code: number;
  /** Whether the same request may be sent again. */
  readonly retryable: boolean;
  /** The \`message\` on the wire; fixed text. */
  readonly title: string;
  readonly description: string;
}

/** Error kind → code, retryable, title: the single error catalog. */
export const errorTable: Readonly<Record<ErrorKind, ErrorRow>> = ${JSON.stringify(errors, null, 2)};
`;
}

/** The catalog of agent errors as data, total like the other. */
export function generateAgentErrors({ agentErrors }: Contract): string {
  return `import type { AgentErrorKind } from "./types.ts";

/** One row of the catalog of agent errors. */
export interface AgentErrorRow {
  /** Whether the bridge may call the agent again with the same request. */
  readonly retryable: boolean;
  readonly title: string;
  readonly description: string;
}

/** Agent error kind → retryable, title: why an agent did not do a task. */
export const agentErrorTable: Readonly<Record<AgentErrorKind, AgentErrorRow>> = ${JSON.stringify(agentErrors, null, 2)};
`;
}

/** The channels of the bus: name → topic, key and message; once as a type and once as data. */
export function generateChannels({ channels, types }: Contract): string {
  const rows = Object.entries(channels).map(([name, row]) => ({
    name,
    ...row,
    title: typeAt(types, row.message).title,
  }));
  const titles = [...new Set(rows.map(({ title }) => title))].toSorted();
  const keys = [...new Set(rows.map(({ key }) => JSON.stringify(key)))];
  const quoted = (value: string): string => JSON.stringify(value);
  return `import type { ${titles.join(", ")} } from "./types.ts";
import { ${titles.map((title) => `is${title}`).join(", ")} } from "./validators.ts";
import type { Validator } from "../validator.ts";

/** The channels of the bus: what each carries. */
export interface Channels {
${rows.map(({ name, title }) => `  ${name}: ${title};`).join("\n")}
}

/** One channel of the bus. */
export interface Channel<Message> {
  /** The topic, unless the installation names another. */
  readonly topic: string;
  /** The member whose value is the message's key: messages with the same one keep their order. */
  readonly key: ${keys.join(" | ")};
  readonly message: Validator<Message>;
}

/** Topic, key and validator of each channel. */
export const channels: { readonly [C in keyof Channels]: Channel<Channels[C]> } = {
${rows.map(({ name, topic, key, title }) => `  ${name}: { topic: ${quoted(topic)}, key: ${quoted(key)}, message: is${title} },`).join("\n")}
};
`;
}

/** The method map: method → params, result, errors; once as a type and once as validators. */
export function generateMethods({ methods, types, version }: Contract): string {
  const rows = Object.entries(methods).map(([name, row]) => ({
    name,
    errors: row.errors,
    params: typeAt(types, row.params).title,
    result: typeAt(types, row.result).title,
  }));
  const titles = [...new Set(rows.flatMap(({ params, result }) => [params, result]))].toSorted();
  const typeRows = rows.map(({ name, params, result }) => `  ${name}: { params: ${params}; result: ${result} };`);
  const validatorRows = rows.map(
    ({ name, params, result, errors }) =>
      `  ${name}: { params: is${params}, result: is${result}, errors: ${JSON.stringify(errors)} },`,
  );
  return `import type { ErrorKind, ${titles.join(", ")} } from "./types.ts";
import { ${titles.map((title) => `is${title}`).join(", ")} } from "./validators.ts";
import type { Validator } from "../validator.ts";

/** The methods of the zone link: what each takes and answers. */
export interface ZoneMethods {
${typeRows.join("\n")}
}

/** Version of the zone link: of this package and of its OpenRPC document. */
export const contractVersion = ${JSON.stringify(version)};

/** Validators and declared error kinds of each method. */
export const zoneMethods: {
  readonly [M in keyof ZoneMethods]: {
    readonly params: Validator<ZoneMethods[M]["params"]>;
    readonly result: Validator<ZoneMethods[M]["result"]>;
    readonly errors: readonly ErrorKind[];
  };
} = {
${validatorRows.join("\n")}
};
`;
}

/**
 * Generates the TypeScript types of the whole contract, each exported under its title. One synthetic root contains them all, so
 * that no type is generated twice.
 */
export async function generateTypes({ schemas, types, schemasDir }: Contract): Promise<string> {
  const root = { title: "Contract", anyOf: types.map(({ ref }) => ({ $ref: ref })) };
  const source = await compile(root, "Contract", {
    cwd: schemasDir,
    // From memory: generated enumerations may not be written yet.
    $refOptions: {
      resolve: {
        file: {
          order: 1,
          canRead: true,
          read: ({ url }: { readonly url: string }) =>
            JSON.stringify(schemas.get(relative(schemasDir, decodeURI(url))), withoutMarks),
        },
      },
    },
    bannerComment: "",
    additionalProperties: true,
    strictIndexSignatures: true,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 120 },
  });
  for (const { title } of types)
    if (source.match(new RegExp(`export (?:type|interface) ${title}\\b`, "g"))?.length !== 1)
      throw new Error(`type ${title} is not declared exactly once; give its schema a title of its own`);
  const titles = new Set([...schemas.values()].flatMap((file) => [...subschemas(file)].map(([, { title }]) => title)));
  return source
    .replace(/export type Contract =[^;]*;\n/, "")
    .replace(/^export (?=(?:type|interface) (\w+))/gm, (keyword, name: string) => (titles.has(name) ? keyword : ""))
    .replace(/^\s*\/\*\*(?:(?!\*\/)[\s\S])*Contract`\.\s*\*\/\n/m, "");
}

/** With `x-content` alone, a schema of any value would become the type of an object. What has a default is there once it is filled in. */
function withoutMarks(name: string, value: unknown): unknown {
  if (name === "x-content") return undefined;
  const { properties, required = [] } = (value ?? {}) as Schema;
  const filled = Object.entries(properties ?? {}).flatMap(([one, { default: usual }]) =>
    usual === undefined ? [] : one,
  );
  return filled.length === 0 ? value : { ...(value as Schema), required: [...required, ...filled] };
}

/**
 * Generates a validator for each type (`isTaskId`), which reads the type's schema when it is first called. A bundler keeps only
 * the validators that a program uses, those they refer to, and their schemas.
 */
export function generateValidators({ schemas, types }: Contract): string {
  const files = new Map([...schemas.keys()].map((path) => [path, `${nameOf(path)}File`]));
  return [
    'import type * as Types from "./types.ts";',
    'import { validator, type SchemaValidator } from "../validator.ts";',
    ...[...files].map(([path, name]) => `import ${name} from "#schemas/${path}" with { type: "json" };`),
    "",
    ...types.map((type) => {
      const [path = "", definition] = type.ref.split("#/$defs/");
      const members = [
        `file: ${files.get(path)}`,
        ...(definition ? [`definition: "${definition}"`] : []),
        ...refsOf(type, types),
      ];
      return `export const is${type.title}: SchemaValidator<Types.${type.title}> = /* @__PURE__ */ validator({ ${members.join(", ")} });`;
    }),
    "",
  ].join("\n");
}

/** `task/task-id.schema.json` → `taskTaskId` */
function nameOf(path: string): string {
  return path.replace(".schema.json", "").replace(/[^a-zA-Z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
}

function refsOf({ schema, ref }: NamedType, types: NamedType[]): string[] {
  const refs = [...new Set([...subschemas(schema)].flatMap(([, { $ref }]) => $ref ?? []))];
  const rows = refs.map((one) => `"${one}": is${typeAt(types, resolveRef(one, ref)).title}`);
  return rows.length === 0 ? [] : [`refs: () => ({ ${rows.join(", ")} })`];
}

type Json = Record<string, unknown>;

/** The zone link as an OpenRPC 1.4 document: https://spec.open-rpc.org */
export function generateOpenRpc({ types, errors, methods, version }: Contract): Json {
  return {
    openrpc: "1.4.1",
    info: {
      title: "Crosszone zone link",
      version,
      description:
        "What the verification zone asks of the execution zone. JSON-RPC 2.0, one request at a time, over any transport.",
      license: { name: "Apache-2.0" },
    },
    methods: Object.entries(methods).map(([name, row]) => ({
      name,
      summary: row.summary,
      description: row.description,
      paramStructure: "by-name",
      params: describeParams(typeAt(types, row.params)),
      result: describeResult(typeAt(types, row.result)),
      errors: describeErrors(row.errors, errors),
    })),
    components: {
      schemas: Object.fromEntries(
        zoneLinkTypes({ types, methods }).map(({ title, ref, schema }) => [title, localize(schema, ref, types)]),
      ),
    },
  };
}

/** Returns the types of the envelope and of the methods, and all types that they refer to. */
export function zoneLinkTypes({ types, methods }: Pick<Contract, "types" | "methods">): NamedType[] {
  const refs = Object.values(methods).flatMap(({ params, events = params, result }) => [params, events, result]);
  const named = refs.map((ref) => typeAt(types, ref));
  const reached = reachableTypes([...types.filter(({ ref }) => ref.startsWith("jsonrpc/")), ...named], types);
  return types.filter(({ title }) => reached.has(title));
}

/** OpenRPC wants one content descriptor a member; optional ones last. */
function describeParams({ title, schema }: NamedType): Json[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => ({
      name,
      required: required.has(name),
      ...(property.description ? { description: property.description } : {}),
      schema: { $ref: `#/components/schemas/${title}/properties/${name}` },
    }))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
}

function describeResult({ title }: NamedType): Json {
  return { name: title, schema: { $ref: `#/components/schemas/${title}` } };
}

/** Kinds that share a code are one error object, its message naming them all. */
function describeErrors(kinds: string[], errors: Contract["errors"]): Json[] {
  const byCode = Map.groupBy(["parse_error", "invalid_request", ...kinds], (kind) => errors[kind]?.code);
  return [...byCode].map(([code, group]) => ({
    code,
    message: group.map((kind) => errors[kind]?.title).join(" | "),
    data: { kind: group.length === 1 ? group[0] : group },
  }));
}
