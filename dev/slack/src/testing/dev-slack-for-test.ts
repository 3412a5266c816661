import { serve } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";
import type { DevSlack, DevSlackOptions } from "../server/dev-slack.ts";
import { startDevSlack } from "../server/start-dev-slack.ts";
import type { AddressInfo } from "node:net";
import { App, type AppOptions, HTTPReceiver, LogLevel, SocketModeReceiver } from "@slack/bolt";
import { type IncomingHttpHeaders, type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** Posts a question in a direct message, to be answered with a stream. */
export function streamForTest(dev: DevSlack) {
  const { channel, ts: thread_ts } = dev.control.postMessage({ channel: "dm", text: "tell me" });
  const start = (args: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    callWebApi(dev, "chat.startStream", { channel, thread_ts, ...args });
  return {
    channel,
    thread_ts,
    start,
    append: (ts: string, args: Record<string, unknown>) =>
      callWebApi(dev, "chat.appendStream", { channel, ts, ...args }),
    stop: (ts: string, args: Record<string, unknown> = {}) =>
      callWebApi(dev, "chat.stopStream", { channel, ts, ...args }),
    /** Starts a stream and returns its `ts`. */
    started: async (args?: Record<string, unknown>) => {
      const { ts, error } = await start(args);
      if (typeof ts !== "string") throw new Error(`chat.startStream failed: ${String(error)}`);
      return ts;
    },
  };
}

/** Starts a local Slack that ends with the test, with short retry pauses. */
export async function devSlackForTest(options: DevSlackOptions = {}): Promise<DevSlack> {
  const dev = await startDevSlack({ retryScheduleMs: [5, 10, 15], ...options });
  onTestFinished(() => dev.close());
  return dev;
}

/**
 * Calls a Web API method with a form, with structured arguments as JSON text, like Slack's own client. Resolves with the response's body.
 */
export async function callWebApi(
  dev: DevSlack,
  method: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const fields = Object.entries({ token: dev.botToken, ...args }).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const response = await fetch(dev.apiUrl + method, { method: "POST", body: new URLSearchParams(fields) });
  return (await response.json()) as Record<string, unknown>;
}

/** Answers at a response URL; resolves with the status and the text. */
export async function answerAt(url: unknown, payload: unknown): Promise<[number, string]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(String(url), { method: "POST", headers, body: JSON.stringify(payload) });
  return [response.status, await response.text()];
}

/** Posts a message as the app; resolves with its `ts`. */
export async function postAsApp(dev: DevSlack, channel: string, args: Record<string, unknown>): Promise<string> {
  const { ts, error } = await callWebApi(dev, "chat.postMessage", { channel, ...args });
  if (typeof ts !== "string") throw new Error(`chat.postMessage failed: ${JSON.stringify(error)}`);
  return ts;
}

/** Starts a real Bolt app on HTTP that receives a local Slack's events until the test ends. `secret` can be a wrong one. */
export async function boltAppForTest(dev: DevSlack): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret: dev.signingSecret, logLevel: LogLevel.ERROR });
  const app = new App({ ...boltOptions(dev), receiver });
  const server = await receiver.start(0);
  onTestFinished(async () => {
    server.closeAllConnections();
    await receiver.stop();
  });
  dev.setEventsUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`);
  return app;
}

/** Starts a Bolt app in Socket Mode. */
export async function socketModeAppForTest(dev: DevSlack): Promise<{ app: App; receiver: SocketModeReceiver }> {
  const receiver = new SocketModeReceiver({
    appToken: dev.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: dev.apiUrl } },
  });
  const app = new App({ ...boltOptions(dev), receiver });
  await app.start();
  onTestFinished(async () => {
    await app.stop();
  });
  return { app, receiver };
}

/** Returns the options that any Bolt app needs for a local Slack. */
function boltOptions(dev: DevSlack): AppOptions {
  const clientOptions = { slackApiUrl: dev.apiUrl, retryConfig: { retries: 0 } };
  return { token: dev.botToken, logLevel: LogLevel.ERROR, clientOptions };
}

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
  return { url: await serve((request, response) => void receive(request, response)), requests };
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
