import { text as readText } from "node:stream/consumers";
import { createSlackAdapter, type SlackAdapter } from "@chat-adapter/slack";
import { createMemoryState } from "@chat-adapter/state-memory";
import { type Adapter, Chat } from "chat";
import { onTestFinished } from "vitest";
import { serve } from "@crosszone/testkit/temporary";
import type { DevSlack } from "../server/dev-slack.ts";

/** A bot of the Chat SDK that takes the events of a local Slack until the test ends. */
export async function chatSdkBotForTest(dev: DevSlack): Promise<Chat<{ slack: SlackAdapter & Adapter }>> {
  const slack = createSlackAdapter({
    apiUrl: dev.apiUrl,
    botToken: dev.botToken,
    signingSecret: dev.signingSecret,
    agentView: true,
  });
  // The SDK's own types do not fit each other where an optional member is not the same as undefined.
  const adapters = { slack: slack as typeof slack & Adapter };
  const bot = new Chat({ adapters, state: createMemoryState(), userName: "crosszone", logger: "silent" });
  onTestFinished(() => bot.shutdown());
  const url = await serve(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = await readText(request);
    const reply = await bot.webhooks.slack(new Request("http://127.0.0.1/", { method: "POST", headers, body }));
    response.writeHead(reply.status).end(await reply.text());
  });
  dev.setEventsUrl(url);
  return bot;
}
