import { type IncomingHttpHeaders, type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { serve } from "@crosszone/testkit/temporary";
import { App, type AppOptions, HTTPReceiver, LogLevel, SocketModeReceiver } from "@slack/bolt";
import { onTestFinished } from "vitest";
import type { Act } from "../protocol/interactivity.ts";
import type { OpenView } from "../protocol/workspace.ts";
import type { DevSlack, DevSlackOptions } from "../server/dev-slack.ts";
import { startDevSlack } from "../server/start-dev-slack.ts";

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
    readText(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
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
    requests.push({ url: request.url ?? "", headers: request.headers, body: await readText(request) });
    answer(response, requests.length);
  };
  return { url: await serve(receive), requests };
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

export type Json = Record<string, unknown>;

export const text = (words: string): Json => ({ type: "plain_text", text: words });
export const approve: Json = {
  type: "button",
  action_id: "approve",
  text: text("Approve"),
  value: "42",
  style: "primary",
};
export const actions = (...elements: Json[]): Json => ({ type: "actions", block_id: "decide", elements });

/** Options of a local Slack, and what its app answers. */
export type PostedOptions = DevSlackOptions & { answer?: Parameters<typeof recordingApp>[0] };

/** Posts blocks as the app in `general`, and lets people use them. */
export async function postedForTest(blocks: Json[], { answer, ...options }: PostedOptions = {}) {
  const dev = await devSlackForTest(options);
  const { url, requests } = await recordingApp(answer);
  const channel = "C0GENERAL01";
  const ts = await postAsApp(dev, channel, { text: "Deploy?", blocks });
  await dev.control.idle();
  dev.setEventsUrl(`${url}/slack/events`);
  const place = { channel, ts };
  return {
    dev,
    requests,
    place,
    /** Uses an element, as Alice by default. */
    act: (rest: Partial<Act> & { action_id: string }) => dev.control.act({ ...place, user: "alice", ...rest }),
    /** Returns the last interaction that the app got. */
    last: () => interactionOf(requests.at(-1)),
  };
}

/** Returns the interaction in a request. */
export const interactionOf = (request: ReceivedRequest | undefined): Json =>
  JSON.parse(new URLSearchParams(request?.body).get("payload") ?? "{}") as Json;

export const more: Json = { type: "button", action_id: "more", text: text("More") };

/** Returns an input block for a text of two characters or more. */
export const input = (block_id: string, rest: Json = {}): Json => ({
  type: "input",
  block_id,
  label: text("Why?"),
  element: { type: "plain_text_input", action_id: "typed", min_length: 2 },
  ...rest,
});

/** Returns a modal with an input and a button. */
export const modal = (rest: Json = {}): Json => ({
  type: "modal",
  callback_id: "decide",
  title: text("Decide"),
  submit: text("Send"),
  blocks: [input("reason"), { type: "actions", block_id: "buttons", elements: [more] }],
  ...rest,
});

/** The person who uses the modals. */
export const USER = "U0ALICE0001";

/** Starts a local Slack in which Alice uses modals. */
export async function modalsForTest(options: DevSlackOptions = {}) {
  let says: unknown;
  const { dev, place, requests } = await postedForTest([actions(more)], {
    ...options,
    answer: (response) => response.end(says === undefined ? "" : JSON.stringify(says)),
  });
  /** Returns the interactions that the app got. */
  const sent = (): Json[] => requests.map(interactionOf);
  /** Presses the button of the message, or of a modal; resolves with the trigger id. */
  const press = async (view_id?: string): Promise<string> => {
    await dev.control.act({ user: USER, ...(view_id === undefined ? place : { view_id }), action_id: "more" });
    return String(sent().at(-1)?.["trigger_id"]);
  };
  const top = (): OpenView => {
    const view = dev.control.views(USER).at(-1);
    if (!view) throw new Error("no view is open");
    return view;
  };
  return {
    dev,
    place,
    sent,
    press,
    open: async (view = modal()) => {
      const { ok, errors } = await callWebApi(dev, "views.open", { trigger_id: await press(), view });
      if (ok !== true) throw new Error(JSON.stringify(errors));
      return top();
    },
    push: async (view = modal()) => callWebApi(dev, "views.push", { trigger_id: await press(top().id), view }),
    top,
    type: (view_id: string, value: string, block_id = "reason") =>
      dev.control.act({ user: USER, view_id, action_id: "typed", block_id, value }),
    submit: (view_id: string) => dev.control.submitView({ user: USER, view_id }),
    /** Sets what the app answers to interactions. */
    says: (next: unknown) => {
      says = next;
    },
  };
}
