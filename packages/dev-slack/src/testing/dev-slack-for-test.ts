import { onTestFinished } from "vitest";
import { startDevSlack } from "../start-dev-slack.ts";
import type { DevSlack, DevSlackOptions } from "../start-dev-slack.ts";

/** A local Slack that ends with the test, with retries that do not take minutes. */
export async function devSlackForTest(options: DevSlackOptions = {}): Promise<DevSlack> {
  const dev = await startDevSlack({ retryScheduleMs: [5, 10, 15], ...options });
  onTestFinished(() => dev.close());
  return dev;
}

/** Calls a Web API method as a form, structured arguments as JSON text, like Slack's own client. Returns the answer's body. */
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

/** Posts a message as the app and returns its `ts`. */
export async function postAsApp(dev: DevSlack, channel: string, args: Record<string, unknown>): Promise<string> {
  const { ts, error } = await callWebApi(dev, "chat.postMessage", { channel, ...args });
  if (typeof ts !== "string") throw new Error(`chat.postMessage failed: ${JSON.stringify(error)}`);
  return ts;
}
