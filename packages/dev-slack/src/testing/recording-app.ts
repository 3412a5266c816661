import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { DevSlack } from "../start-dev-slack.ts";

/** A request as the app got it. */
export interface ReceivedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * A bare HTTP server in the place of an app: keeps every request and lets `answer` answer it. Ends with the test.
 * Without `answer` it says 200.
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

/** The event that a delivered request carries. */
export function eventOf(request: ReceivedRequest | undefined): Record<string, unknown> {
  const { event } = JSON.parse(request?.body ?? "{}") as { event?: Record<string, unknown> };
  return event ?? {};
}

/** Verdicts of the deliveries so far. */
export function verdicts(dev: DevSlack): string[] {
  return dev.control.traffic().flatMap(({ kind, verdict }) => (kind === "event" ? [verdict] : []));
}
