import { onTestFinished } from "vitest";
import type { DevSlack, DevSlackOptions } from "../server/dev-slack.ts";
import { startDevSlack } from "../server/start-dev-slack.ts";

/** A question in Alice's direct message, and calls that stream its answer. */
interface StreamForTest {
  channel: string;
  thread_ts: string;
  start: (args?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  append: (ts: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;
  stop: (ts: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Starts a stream and returns its `ts`. */
  started: (args?: Record<string, unknown>) => Promise<string>;
}

/** Posts a question in a direct message, to be answered with a stream. */
export function streamForTest(dev: DevSlack): StreamForTest {
  const { channel, ts: thread_ts } = dev.control.postMessage({ channel: "dm", text: "tell me" });
  const start = (args = {}): Promise<Record<string, unknown>> =>
    callWebApi(dev, "chat.startStream", { channel, thread_ts, ...args });
  return {
    channel,
    thread_ts,
    start,
    append: (ts, args) => callWebApi(dev, "chat.appendStream", { channel, ts, ...args }),
    stop: (ts, args = {}) => callWebApi(dev, "chat.stopStream", { channel, ts, ...args }),
    started: async (args) => {
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

/** Posts a message as the app; resolves with its `ts`. */
export async function postAsApp(dev: DevSlack, channel: string, args: Record<string, unknown>): Promise<string> {
  const { ts, error } = await callWebApi(dev, "chat.postMessage", { channel, ...args });
  if (typeof ts !== "string") throw new Error(`chat.postMessage failed: ${JSON.stringify(error)}`);
  return ts;
}
