import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";

/** Sends a request exactly as given, including a path or a Host header that `fetch` would normalize. */
export async function rawRequest(
  url: string,
  options: { path?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const call = sendRequest(url, { agent: false, ...options }, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
  });
  call.on("error", reject);
  call.end();
  return await promise;
}

/** A request as the app received it. */
export interface ReceivedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Starts a plain HTTP server in place of an app: it records every request and responds with `answer`, or with 200 by default. Ends with the
 * test.
 */
export async function recordingApp(
  answer: (response: ServerResponse, count: number) => void = (response) => response.end(),
): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push({ url: request.url ?? "", headers: request.headers, body: await text(request) });
    answer(response, requests.length);
  };
  const server = createServer((request, response) => void receive(request, response));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Returns the event in a delivered request. */
export function eventOf(request: ReceivedRequest | undefined): Record<string, unknown> {
  const { event } = JSON.parse(request?.body ?? "{}") as { event?: Record<string, unknown> };
  return event ?? {};
}

/** Returns the verdicts of the deliveries so far. */
export function verdicts(dev: DevSlack): string[] {
  return dev.control.traffic().flatMap(({ kind, verdict }) => (kind === "event" ? [verdict] : []));
}
