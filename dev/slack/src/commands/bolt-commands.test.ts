import { App, LogLevel, SocketModeReceiver } from "@slack/bolt";
import { expect, onTestFinished, test } from "vitest";
import { boltAppForTest, boltOptions } from "../testing/bolt-app-for-test.ts";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";
import type { DevSlack } from "../server/dev-slack.ts";

async function answers(dev: DevSlack, app: App): Promise<(string | undefined)[]> {
  app.command("/agents", async ({ ack, command, respond }) => {
    await ack({ response_type: "ephemeral", text: `at once: ${command.text}` });
    await respond("later");
  });
  const { message } = await dev.control.runCommand({ channel: "dm", user: "chiyo", text: "/agents こんにちは" });
  await dev.control.waitForMessage(({ text }) => text === "later");
  return dev.control.messages({ channel: message.channel }).map(({ text }) => text);
}

test("a real Bolt app verifies a command over HTTP, and answers at once and later", async () => {
  const dev = await devSlackForTest();
  expect(await answers(dev, await boltAppForTest(dev))).toEqual(["at once: こんにちは", "later"]);
});

test("and over a socket", async () => {
  const dev = await devSlackForTest();
  const receiver = new SocketModeReceiver({
    appToken: dev.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: dev.apiUrl } },
  });
  const app = new App({ ...boltOptions(dev), receiver });
  await app.start();
  onTestFinished(() => app.stop().then(() => undefined));
  expect(await answers(dev, app)).toEqual(["at once: こんにちは", "later"]);
});
