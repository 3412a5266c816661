import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";

/** One call to execution. */
export interface ZoneCall {
  readonly method: keyof ZoneMethods;
  /** The JSON-RPC id. */
  readonly id: string;
  readonly correlationId: string | undefined;
  /** The parent of the call's span; the current span when absent. */
  readonly traceparent: string | undefined;
}

/** Runs a call with the trace context to send, and measures its outcome and duration. */
export type ObserveZoneCall = <Result>(
  call: ZoneCall,
  send: (traceparent: string | undefined) => Promise<Result>,
) => Promise<Result>;

/** Returns a client whose calls are observed. `newId` makes UUIDs. */
export function observedZone(
  zone: Client<ZoneMethods>,
  called: ObserveZoneCall,
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
