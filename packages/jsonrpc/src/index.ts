/** JSON-RPC 2.0 without a network: parser, dispatcher, client, and the transport interface. */
export { notificationText, type ErrorToJson } from "./transport.ts";
export { createClient, readResponse, type CallOptions, type Client, type ClientOptions } from "./client.ts";
export {
  createDispatcher,
  type Dispatch,
  type DispatchContext,
  type DispatcherOptions,
  type Outcome,
} from "./dispatch.ts";
export { errorFromJson, errorToJson } from "./error-json.ts";
export type { Call, Handlers } from "./handlers.ts";
export { deeperThan, opensDeeperThan } from "./json.ts";
export { LinkError, linkErrorKinds, type LinkErrorDetail, type LinkErrorKind } from "./error-json.ts";
export type { MethodMap, MethodValidators } from "./handlers.ts";
export {
  defaultLimits,
  parse,
  type Incoming,
  type IncomingEntry,
  type IncomingNotification,
  type IncomingParams,
  type IncomingRequest,
  type InvalidMessage,
  type ParseLimits,
} from "./parse.ts";
export { createInProcessTransport, type HandleMessage, type SendOptions, type Transport } from "./transport.ts";
