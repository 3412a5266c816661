import type { ChannelName } from "./bus-message.ts";

/** Where something happened. */
export interface BusPlace {
  readonly channel: ChannelName;
  readonly group: string;
}

/** Told of what a bus does, for logs and metrics. Must not throw. */
export interface BusObserver {
  /** A message was handled and committed. */
  readonly handled: (at: BusPlace & { readonly attempt: number; readonly durationMs: number }) => void;
  /** A handler failed; the message comes again. */
  readonly failed: (
    at: BusPlace & { readonly attempt: number; readonly error: unknown; readonly againInMs: number },
  ) => void;
  /** A message was given up. */
  readonly deadLettered: (at: BusPlace & { readonly attempt: number; readonly reason: string }) => void;
  /** The bus itself cannot be used; it is tried again. Told once of an outage, for each group that notices. */
  readonly unreachable: (at: BusPlace & { readonly error: unknown }) => void;
}
