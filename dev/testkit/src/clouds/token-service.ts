import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A token service of a cloud, on loopback. As strict as the real one. */
export interface TokenService {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  /** The requests that it received, oldest first. */
  readonly asked: readonly URL[];
  /** While this is set, it answers with this status and nothing useful. */
  outage: number | undefined;
  stop(): Promise<void>;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves what `answer` says on a free port of loopback. */
export async function startTokenService(
  answer: (url: URL, request: IncomingMessage) => ServiceAnswer | Promise<ServiceAnswer>,
): Promise<TokenService> {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", service.url);
    asked.push(url);
    const answered =
      service.outage === undefined ? answer(url, request) : { status: service.outage, body: "out of order" };
    void Promise.resolve(answered).then(({ status, body, headers }) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: TokenService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    outage: undefined,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}
