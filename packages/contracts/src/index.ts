/** The Crosszone contract, generated from JSON Schema: types, validators, error catalogs, methods, channels. No run-time dependency. */
export type * from "./generated/types.ts";
export * from "./generated/validators.ts";
export { agentErrorTable, type AgentErrorRow } from "./generated/agent-errors.ts";
export { channels, type Channel, type Channels } from "./generated/channels.ts";
export { errorTable, type ErrorRow } from "./generated/errors.ts";
export { contractVersion, zoneMethods, type ZoneMethods } from "./generated/methods.ts";
export { threadFileIds } from "./thread-files.ts";
export { problemsOf } from "./zone-error.ts";
export type { ValidationFailure } from "./validator/check.ts";
export type { Validator } from "./validator/validator.ts";
export { ZoneError, type ZoneErrorDetail } from "./zone-error.ts";
