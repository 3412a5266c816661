import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";

/** Marks a request of the terminal. The agent does not get it. */
export const fromHeader = "x-crosszone-from";

const hopByHop = new Set(["connection", "keep-alive", "transfer-encoding", "host", "upgrade", "te", fromHeader]);

/** Returns headers without those of one connection. */
export function endToEnd(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

export interface SentRequest {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  /** Origin of the agent. */
  readonly base: string;
  readonly response: ServerResponse;
}

/** Sends a request to the agent. A caller that leaves ends it. */
export async function sendToAgent({ request, body, base, response }: SentRequest): Promise<IncomingMessage> {
  const { "content-length": _, ...headers } = endToEnd(request.headers);
  const at = new URL((request.url ?? "/").replace(/^\/+/, "/"), base);
  const make = at.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = make(at, {
      method: request.method ?? "GET",
      headers: { ...headers, "accept-encoding": "identity", "content-length": body.byteLength },
    });
    response.once("close", () => response.writableFinished || sent.destroy());
    sent.once("error", reject).once("response", resolve).end(body);
  });
}
