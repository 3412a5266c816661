import type { JsonRpcId, JsonRpcRequest } from "@crosszone/contracts";

/** Parameters by name or by position; absent if the message has no `params`. */
export type IncomingParams = JsonRpcRequest["params"];

/** A call that expects a response. JSON-RPC 2.0, section 4: an `id` of null is an id too. */
export interface IncomingRequest {
  readonly method: string;
  readonly params: IncomingParams;
  readonly id: JsonRpcId;
  /** The id as JSON text, for the response. A number is kept as written, because `id` may have rounded it. */
  readonly idText: string;
}

/** A call without a response. JSON-RPC 2.0, section 4.1. */
export interface IncomingNotification {
  readonly method: string;
  readonly params: IncomingParams;
  readonly id?: undefined;
  readonly idText?: undefined;
}

/** An invalid message. It is answered with `id: null`; `reason` is fixed text that contains nothing of the input. */
export interface InvalidMessage {
  readonly type: "invalid";
  readonly kind: "parse_error" | "invalid_request" | "payload_too_large";
  readonly reason: string;
}

/** An entry of a batch, or a message that is not a batch. */
export type IncomingEntry =
  | { readonly type: "request"; readonly request: IncomingRequest }
  | { readonly type: "notification"; readonly notification: IncomingNotification }
  | InvalidMessage;

/** A parsed message. A batch has at least one entry. JSON-RPC 2.0, section 6. */
export type Incoming = IncomingEntry | { readonly type: "batch"; readonly items: readonly IncomingEntry[] };
