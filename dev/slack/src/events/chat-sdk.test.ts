import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createSlackAdapter } from "@chat-adapter/slack";
import { createMemoryState } from "@chat-adapter/state-memory";
import { type Adapter, Chat, type StreamChunk } from "chat";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../server/create-http-app.ts";
import type { DevSlack } from "../server/dev-slack.ts";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";

/** A bot of the Chat SDK that takes the events of a local Slack until the test ends. */
async function chatSdkBot(dev: DevSlack) {
  const slack = createSlackAdapter({
    apiUrl: dev.apiUrl,
    botToken: dev.botToken,
    signingSecret: dev.signingSecret,
    agentView: true,
  });
  // The SDK's own types do not fit each other where an optional member is not the same as undefined.
  const adapters = { slack: slack as typeof slack & Adapter };
  const bot = new Chat({ adapters, state: createMemoryState(), userName: "crosszone", logger: "silent" });
  const server = createServer((request, response) => {
    void (async () => {
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const body = await text(request);
      const reply = await bot.webhooks.slack(new Request("http://127.0.0.1/", { method: "POST", headers, body }));
      response.writeHead(reply.status).end(await reply.text());
    })();
  });
  const url = await listen(server, 0);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await bot.shutdown();
  });
  dev.setEventsUrl(url);
  return bot;
}

async function* answer(): AsyncGenerator<StreamChunk | string> {
  yield { type: "task_update", id: "t1", title: "Count", status: "in_progress" };
  yield "There are ";
  yield { type: "task_update", id: "t1", title: "Count", status: "complete", output: "42" };
  yield "**42**.";
}

test("a bot of the Chat SDK streams text and tasks, in a direct message and in a channel", async () => {
  const dev = await devSlackForTest();
  const bot = await chatSdkBot(dev);
  bot.onDirectMessage(async (thread) => void (await thread.post(answer())));
  bot.onNewMention(async (thread) => void (await thread.post(answer())));
  for (const [channel, typed] of [
    ["dm", "how many?"],
    ["general", "@Crosszone how many?"],
  ] as const) {
    const question = dev.control.postMessage({ channel, text: typed });
    const streamed = await dev.control.waitForMessage(
      (one) => one.thread_ts === question.ts && one.stream?.state === "completed",
    );
    expect(streamed).toMatchObject({ user: "U0CROSSZONE", text: expect.stringContaining("There are **42**.") });
    expect(streamed.blocks).toContainEqual(expect.objectContaining({ type: "task_card", status: "complete" }));
  }
  await dev.control.idle();
  const refused = dev.control.traffic().filter(({ kind, verdict }) => kind === "web_api" && verdict !== "ok");
  expect(refused.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([]);
});
