import type { JobObserver } from "@crosszone/jobs";
import type { ChannelName } from "./bus-message.ts";

/** A channel and a consumer group. */
export interface BusPlace {
  readonly channel: ChannelName;
  readonly group: string;
}

/** Receives the events of a gateway and its bus, for logs and metrics. Must not throw. */
export interface GatewayObserver extends Pick<JobObserver, "storeFailed"> {
  /** A message was handled and committed. */
  readonly handled: (at: BusPlace & { readonly attempt: number; readonly durationMs: number }) => void;
  /** A handler failed; the message will be delivered again after `retryAfterMs`. */
  readonly failed: (
    at: BusPlace & { readonly attempt: number; readonly error: unknown; readonly retryAfterMs: number },
  ) => void;
  /** The bridge can't use a message, which is about to become a dead letter. */
  readonly refused: (message: { readonly channel: ChannelName; readonly reason: string }) => void;
  /** A message became a dead letter. */
  readonly deadLettered: (at: BusPlace & { readonly attempt: number; readonly reason: string }) => void;
  /** The bus is unreachable and is retried. Called once for each outage and affected group. */
  readonly unreachable: (at: BusPlace & { readonly error: unknown }) => void;
}
