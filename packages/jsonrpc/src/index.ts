/** JSON-RPC 2.0 without a network: parser, dispatcher, client, and the transport interface. */
export {
  notificationText,
  createInProcessTransport,
  type HandleMessage,
  type SendOptions,
  type Transport,
} from "./transport.ts";
export { createClient, readResponse, type CallOptions, type Client } from "./client.ts";
export { createDispatcher, type Dispatch, type DispatchOutcome, type Call, type MethodHandlers } from "./dispatch.ts";
export { errorToJson, LinkError, linkErrorKinds, type LinkErrorKind } from "./error-json.ts";
export { defaultLimits, parse } from "./parse.ts";
