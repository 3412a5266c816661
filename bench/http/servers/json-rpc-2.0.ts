import { createServer, type Server } from "node:http";
import { isExecuteTaskParams } from "@crosszone/contracts";
import express from "express";
import { JSONRPCErrorException, JSONRPCServer, type JSONRPCRequest } from "json-rpc-2.0";
import { successResult } from "../../requests/messages.ts";

/** json-rpc-2.0 on Express, as in its README; the parameters are checked in the method. */
export function createJsonRpc20Server(): Server {
  const rpc = new JSONRPCServer();
  rpc.addMethod("execute_task", (params: unknown) => {
    if (!isExecuteTaskParams(params)) throw new JSONRPCErrorException("Invalid params", -32602);
    return successResult();
  });
  const app = express();
  app.use(express.json({ limit: "1mb" }));
  app.post("/rpc", async (request, response) => {
    const answer = await rpc.receive(request.body as JSONRPCRequest);
    if (answer) response.json(answer);
    else response.sendStatus(204);
  });
  return createServer(app);
}
