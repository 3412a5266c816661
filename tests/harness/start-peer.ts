import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Certificate } from "@crosszone/testkit";

/** Starts a server that replaces a peer, on a free port of loopback. With a certificate, it uses TLS. Ends with the test. */
export async function startPeer(listener: RequestListener, certificate?: Certificate): Promise<string> {
  const server = certificate ? createTlsServer({ ...certificate }, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${certificate ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Forwards requests to another server and shifts the `date` header of its answers. */
export function withClock(target: string, seconds: number): RequestListener {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/", headers } = request;
    const { authorization = "", "content-type": type = "" } = headers;
    const body = await buffer(request);
    const answer = await fetch(target + url, {
      method,
      headers: { authorization, "content-type": type },
      ...(method === "POST" && { body }),
    });
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "",
      "x-oauth-scopes": answer.headers.get("x-oauth-scopes") ?? "",
      date: new Date(Date.now() + seconds * 1_000).toUTCString(),
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  return (request, response) => void pass(request, response);
}
