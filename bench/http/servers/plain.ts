import { createServer, type Server } from "node:http";
import { isExecuteTaskParams } from "@crosszone/contracts";
import { answerText, successResult } from "../messages.ts";

const results: Readonly<Record<string, unknown>> = {
  execute_task: successResult(),
  SendMessage: { message: { messageId: "a1", role: "ROLE_AGENT", parts: [{ text: answerText }] } },
};

/** The limit of any server on Node: node:http, JSON.parse, JSON.stringify. It checks nothing. */
export function createBareServer(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; method: string };
      const text = JSON.stringify({ jsonrpc: "2.0", result: results[method], id });
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      response.end(text);
    });
  });
}

/** An Express app that reads JSON. */
async function createApp() {
  const { default: express } = await import("express");
  const app = express();
  app.use(express.json({ limit: "1mb" }));
  return app;
}

/** jayson's middleware on Express, as in its README; the method checks the parameters. */
export async function createJaysonServer(): Promise<Server> {
  const { default: jayson } = await import("jayson");
  const rpc = new jayson.Server({
    execute_task: (params: unknown, done: (error: object | null, result?: object) => void) => {
      if (isExecuteTaskParams(params)) done(null, successResult());
      else done({ code: -32602, message: "Invalid params" });
    },
  });
  const app = await createApp();
  app.use(rpc.middleware());
  return createServer(app);
}

/** json-rpc-2.0 on Express, as in its README; the method checks the parameters. */
export async function createJsonRpc20Server(): Promise<Server> {
  const { JSONRPCErrorException, JSONRPCServer } = await import("json-rpc-2.0");
  const rpc = new JSONRPCServer();
  rpc.addMethod("execute_task", (params: unknown) => {
    if (!isExecuteTaskParams(params)) throw new JSONRPCErrorException("Invalid params", -32602);
    return successResult();
  });
  const app = await createApp();
  app.post("/rpc", async (request, response) => {
    const answer = await rpc.receive(request.body as Parameters<typeof rpc.receive>[0]);
    if (answer) response.json(answer);
    else response.sendStatus(204);
  });
  return createServer(app);
}
