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

/** jayson's middleware on Express, as in its README; the method checks the parameters. */
export async function createJaysonServer(): Promise<Server> {
  const { default: jayson } = await import("jayson");
  const rpc = new jayson.Server({
    execute_task: (params: unknown, done: (error: object | null, result?: object) => void) => {
      if (isExecuteTaskParams(params)) done(null, successResult());
      else done({ code: -32602, message: "Invalid params" });
    },
  });
  const { default: express } = await import("express");
  const app = express();
  app.use(express.json({ limit: "1mb" }), rpc.middleware());
  return createServer(app);
}
