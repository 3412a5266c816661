import { typeAt, type Contract } from "./contract.ts";

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
import type { Validator } from "../validator/validator.ts";

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
import type { Validator } from "../validator/validator.ts";

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
