import { createServer, type Server } from "node:http";
import { answerText, successResult } from "../../requests/messages.ts";

const results: Readonly<Record<string, unknown>> = {
  execute_task: successResult(),
  SendMessage: { message: { messageId: "a1", role: "ROLE_AGENT", parts: [{ text: answerText }] } },
};

/** What nothing on Node can beat: node:http, JSON.parse, JSON.stringify. It checks nothing. */
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
