import type { AddressInfo } from "node:net";
import { App, HTTPReceiver, LogLevel } from "@slack/bolt";
import type { AppOptions } from "@slack/bolt";
import { onTestFinished } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";

/** Starts a real Bolt app on HTTP that receives a local Slack's events until the test ends. `secret` can be a wrong one. */
export async function boltAppForTest(dev: DevSlack, secret: string = dev.signingSecret): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret: secret, logLevel: LogLevel.ERROR });
  const app = new App({ ...boltOptions(dev), receiver });
  const server = await receiver.start(0);
  onTestFinished(async () => {
    server.closeAllConnections();
    await receiver.stop();
  });
  dev.setEventsUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`);
  return app;
}

/** Returns the options that any Bolt app needs for a local Slack. */
export function boltOptions(dev: DevSlack): AppOptions {
  const clientOptions = { slackApiUrl: dev.apiUrl, retryConfig: { retries: 0 } };
  return { token: dev.botToken, logLevel: LogLevel.ERROR, clientOptions };
}
