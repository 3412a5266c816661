import { onTestFinished } from "vitest";
import { startDevSlack } from "../start-dev-slack.ts";
import type { DevSlack, DevSlackOptions } from "../start-dev-slack.ts";

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
