import { createServer, type Server } from "node:http";
import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createHttpApp, createOpenAuth, silentHttpObserver, type RequestContext } from "@crosszone/execution";
import { createDispatcher, errorToJson } from "@crosszone/jsonrpc";
import { createHealth, createMetrics } from "@crosszone/service-kit";
import { successResult } from "../messages.ts";

type Core = Pick<ZoneMethods, "execute_task">;

/** The work that the peers do, done by our parts: the zone's HTTP surface, and the dispatcher with its checks of params and result. */
export function createCoreServer(): Server {
  const dispatch = createDispatcher<Core, RequestContext>({
    methods: { execute_task: zoneMethods.execute_task },
    handlers: { execute_task: () => successResult() },
    batches: "refuse",
    errorToJson,
  });
  return createServer(
    createHttpApp({
      rpc: { dispatch, authenticator: createOpenAuth(), maxBytes: 1_048_576 },
      observer: silentHttpObserver,
      health: createHealth(),
      metrics: createMetrics(),
    }),
  );
}
