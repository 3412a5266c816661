import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createDispatcher, defaultLimits, errorToJson, type Dispatch } from "@crosszone/jsonrpc";
import type { MethodObserver } from "./method-observer.ts";
import type { RequestContext } from "./request-context.ts";
import { createZoneHandlers, type ZoneHandlerDeps } from "./zone-handlers.ts";

export interface ZoneDispatchDeps extends Omit<ZoneHandlerDeps, "onProgressFailed"> {
  readonly observer: MethodObserver;
  readonly maxBytes: number;
  /** Deepest nesting of arrays and objects in a message. */
  readonly maxDepth: number;
}

/** Creates the function that answers a JSON-RPC message of the zone link. */
export function createZoneDispatch({
  observer,
  maxBytes,
  maxDepth,
  ...deps
}: ZoneDispatchDeps): Dispatch<RequestContext> {
  const dispatch = createDispatcher<ZoneMethods, RequestContext>({
    methods: zoneMethods,
    handlers: createZoneHandlers({ ...deps, onProgressFailed: observer.progressFailed }),
    batches: "refuse",
    limits: { ...defaultLimits, maxBytes, maxDepth },
    errorToJson,
    onOutcome: (outcome, context) => {
      context.correlationId = outcome.correlationId;
      observer.answered(outcome, context);
    },
  });
  return (message, context) => {
    observer.received(context);
    return dispatch(message, context);
  };
}
