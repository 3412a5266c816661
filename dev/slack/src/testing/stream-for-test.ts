import type { DevSlack } from "../start-dev-slack.ts";
import { callWebApi } from "./dev-slack-for-test.ts";

/** A question in Alice's direct message, and calls that stream its answer. */
export interface StreamForTest {
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
