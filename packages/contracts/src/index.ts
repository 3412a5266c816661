import type { ThreadMessage } from "./generated/types.ts";

/** Returns the ids of the files of earlier messages. A task's other attachments came with its question. */
export function threadFileIds(thread: readonly ThreadMessage[]): ReadonlySet<string | undefined> {
  return new Set(thread.flatMap(({ files = [] }) => files.flatMap(({ id }) => id ?? [])));
}

/** The Crosszone contract, generated from JSON Schema: types, validators, error catalogs, methods, channels. No run-time dependency. */
export type * from "./generated/types.ts";
export * from "./generated/validators.ts";
export { agentErrorTable, type AgentErrorRow } from "./generated/agent-errors.ts";
export { channels, type Channel, type Channels } from "./generated/channels.ts";
export { errorTable, type ErrorRow } from "./generated/errors.ts";
export { contractVersion, zoneMethods, type ZoneMethods } from "./generated/methods.ts";
export {
  operations,
  problemTable,
  type ApiParts,
  type OperationId,
  type OperationRow,
  type Operations,
  type ProblemKind,
  type ServedOperations,
} from "./generated/operations.ts";
export { problemsOf, ZoneError, type ZoneErrorDetail } from "./zone-error.ts";
export type { ValidationFailure } from "./keywords.ts";
export type { Validator } from "./validator.ts";
