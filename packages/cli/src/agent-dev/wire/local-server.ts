import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A server on a free port of 127.0.0.1. */
export interface LocalServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a server that serves programs and pages of this machine only. It rejects all other requests before `serve` gets them. */
export async function startLocalServer(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const reason = rejection(request);
    if (reason === undefined) return serve(request, response);
    response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: reason } }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Returns why a request is rejected. A web page could reach this server through its own host name (DNS rebinding) or with a form (CSRF),
 * and spend the author's keys. A URL as the request target would name another server.
 */
function rejection({ method = "GET", url = "/", headers }: IncomingMessage): string | undefined {
  const { host = "", origin } = headers;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host)) return "The Host header must be 127.0.0.1 or localhost.";
  if (!url.startsWith("/")) return `Expected a path that starts with "/", got "${url}".`;
  const isSafe = method === "GET" || method === "HEAD";
  if (!isSafe && origin !== undefined && origin !== `http://${host}`)
    return "Requests of web pages with another origin are rejected.";
  return undefined;
}
