import type { JsonRpcId, JsonRpcRequest } from "@crosszone/contracts";

/** Parameters by name or by position; absent when the message has no `params`. */
export type IncomingParams = JsonRpcRequest["params"];

/** A call that wants an answer. JSON-RPC 2.0, section 4: an `id` of null is an id too. */
export interface IncomingRequest {
  readonly method: string;
  readonly params: IncomingParams;
  readonly id: JsonRpcId;
  /** The id as JSON text, for the answer. A number stands here as it was written, which `id` may have rounded. */
  readonly idText: string;
}

/** A call that is never answered. JSON-RPC 2.0, section 4.1. */
export interface IncomingNotification {
  readonly method: string;
  readonly params: IncomingParams;
  readonly id?: undefined;
  readonly idText?: undefined;
}

/** What is no request. It is answered with `id: null`; `reason` is fixed text that holds nothing of the input. */
export interface InvalidMessage {
  readonly type: "invalid";
  readonly kind: "parse_error" | "invalid_request" | "payload_too_large";
  readonly reason: string;
}

/** One entry of a batch, or a message that is no batch. */
export type IncomingEntry =
  | { readonly type: "request"; readonly request: IncomingRequest }
  | { readonly type: "notification"; readonly notification: IncomingNotification }
  | InvalidMessage;

/** What some bytes turned out to be. A batch has at least one entry. JSON-RPC 2.0, section 6. */
export type Incoming = IncomingEntry | { readonly type: "batch"; readonly items: readonly IncomingEntry[] };
