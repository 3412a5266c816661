import type { ZoneMethods } from "@crosszone/contracts";
import type { Client, LinkError } from "@crosszone/jsonrpc";

/** One call to execution. */
export interface ZoneCall {
  readonly method: keyof ZoneMethods;
  /** The JSON-RPC id. */
  readonly id: string;
  readonly correlationId: string | undefined;
  /** The parent of the call's span; the current span when absent. */
  readonly traceparent: string | undefined;
}

/** A call that the platform refused and that is about to be retried. */
export interface RefusedCall {
  readonly error: LinkError;
  /** The number of the next attempt, from 2. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly correlationId: string;
}

/** Receives the calls to execution, and the events of their transport. */
export interface ZoneLinkObserver {
  /** Runs a call with the trace context to send, and receives its outcome and duration. */
  readonly called: <Result>(
    call: ZoneCall,
    send: (traceparent: string | undefined) => Promise<Result>,
  ) => Promise<Result>;
  readonly callRetried: (call: RefusedCall) => void;
  /** A replaced file of a secret or certificate is invalid; its previous content stays in use. */
  readonly fileNotUsable: (cause: unknown) => void;
}

/** Returns a client whose calls the observer receives. `newId` makes UUIDs. */
export function observedZone(
  zone: Client<ZoneMethods>,
  { called }: Pick<ZoneLinkObserver, "called">,
  newId: () => string,
): Client<ZoneMethods> {
  return {
    call: async (method, params, options = {}) => {
      const { id = newId(), correlationId, traceparent: parent } = options;
      return called({ method, id, correlationId, traceparent: parent }, (traceparent) =>
        zone.call(method, params, { ...options, id, ...(traceparent !== undefined && { traceparent }) }),
      );
    },
  };
}
