import { createServer, type Server } from "node:http";
import { isExecuteTaskParams } from "@crosszone/contracts";
import { openRowLog } from "../../agents/row-log.ts";
import { answerText, successResult } from "../messages.ts";

const results: Readonly<Record<string, unknown>> = {
  execute_task: successResult,
  SendMessage: { message: { messageId: "a1", role: "ROLE_AGENT", parts: [{ text: answerText }] } },
};

/** The limit of any server on Node: node:http, JSON.parse, JSON.stringify. It checks nothing. */
export const createBareServer = (): Server => serverOf((body, answer) => answer(answerOf(body)));

/** The limit of a server that keeps its tasks: bare node:http, which writes a row before the work and changes it afterwards. */
export async function createRowServer(url: string): Promise<Server> {
  const log = await openRowLog(url);
  return serverOf((body, answer) => {
    const { id, text } = answerOf(body);
    void log
      .begin(id, body)
      .then(() => log.end(id, text))
      .then(() => answer({ text }));
  });
}

function answerOf(body: string): { readonly id: string; readonly text: string } {
  const { id, method } = JSON.parse(body) as { id: string; method: string };
  return { id, text: JSON.stringify({ jsonrpc: "2.0", result: results[method], id }) };
}

function serverOf(work: (body: string, answer: (done: { readonly text: string }) => void) => void): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () =>
      work(Buffer.concat(chunks).toString(), ({ text }) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
        response.end(text);
      }),
    );
  });
}

/** jayson's middleware on Express, as in its README; the method checks the parameters. */
export async function createJaysonServer(): Promise<Server> {
  const { default: jayson } = await import("jayson");
  const rpc = new jayson.Server({
    execute_task: (params: unknown, done: (error: object | null, result?: object) => void) => {
      if (isExecuteTaskParams(params)) done(null, successResult);
      else done({ code: -32602, message: "Invalid params" });
    },
  });
  const { default: express } = await import("express");
  const app = express();
  app.use(express.json({ limit: "1mb" }), rpc.middleware());
  return createServer(app);
}
