/** JSON-RPC 2.0 without a network: parser, dispatcher, client, and the transport interface. */
export { notificationText, type ErrorToJson } from "./answer-text.ts";
export { createClient, type CallOptions, type Client, type ClientOptions } from "./client.ts";
export { deeperThan, opensDeeperThan } from "./depth.ts";
export { createDispatcher, type Dispatch, type DispatchContext, type DispatcherOptions } from "./dispatch.ts";
export { errorFromJson } from "./error-from-json.ts";
export { errorToJson } from "./error-to-json.ts";
export type { Call, Handlers } from "./handlers.ts";
export { createInProcessTransport, type HandleMessage } from "./in-process-transport.ts";
export type {
  Incoming,
  IncomingEntry,
  IncomingNotification,
  IncomingParams,
  IncomingRequest,
  InvalidMessage,
} from "./incoming.ts";
export { LinkError, linkErrorKinds, type LinkErrorDetail, type LinkErrorKind } from "./link-error.ts";
export type { MethodMap, MethodValidators } from "./method-map.ts";
export type { Outcome } from "./outcome.ts";
export { defaultLimits, parse, type ParseLimits } from "./parse.ts";
export { readResponse } from "./read-answer.ts";
export type { SendOptions, Transport } from "./transport.ts";
