import { createServer, type Server } from "node:http";
import { isExecuteTaskParams } from "@crosszone/contracts";
import express from "express";
import jayson from "jayson";
import { successResult } from "../../requests/messages.ts";

/** jayson's middleware on Express, as in its README; the parameters are checked in the method. */
export function createJaysonServer(): Server {
  const rpc = new jayson.Server({
    execute_task: (params: unknown, done: (error: object | null, result?: object) => void) => {
      if (isExecuteTaskParams(params)) done(null, successResult());
      else done({ code: -32602, message: "Invalid params" });
    },
  });
  const app = express();
  app.use(express.json({ limit: "1mb" }));
  app.use(rpc.middleware());
  return createServer(app);
}
