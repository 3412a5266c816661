import { type App, Assistant, type SayStreamFn, type SetStatusFn } from "@slack/bolt";
import type { StreamChunk } from "chat";
import { describe, expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { chatSdkBotForTest } from "../testing/chat-sdk-for-test.ts";
import { boltAppForTest, devSlackForTest } from "../testing/dev-slack-for-test.ts";

const button = (text: string, value: string) => ({ text: { type: "plain_text" as const, text }, value });

const FEEDBACK = {
  type: "context_actions" as const,
  elements: [
    {
      type: "feedback_buttons" as const,
      action_id: "feedback",
      positive_button: button("Good", "good"),
      negative_button: button("Bad", "bad"),
    },
  ],
};

/** An agent that answers as Slack's starter agent does: a status, the whole text in one append, feedback buttons at the end. */
function answerAsStarter(app: App): void {
  const answer = async (
    text: string,
    { setStatus, sayStream }: { setStatus: SetStatusFn; sayStream: SayStreamFn },
  ): Promise<void> => {
    await setStatus({ status: "Thinking…", loading_messages: ["Looking…", "Reading…"] });
    const streamer = sayStream();
    await streamer.append({ markdown_text: text });
    await streamer.stop({ blocks: [FEEDBACK] });
  };
  app.event("app_mention", async (args) => answer("short", args));
  app.message(async (args) => {
    const { subtype, channel_type } = args.event;
    if (subtype === undefined && channel_type === "im") await answer("long ".repeat(80), args);
  });
}

function completed(dev: DevSlack, thread_ts: string) {
  return dev.control.waitForMessage((one) => one.thread_ts === thread_ts && one.stream?.state === "completed");
}

async function* streamedAnswer(): AsyncGenerator<StreamChunk | string> {
  yield { type: "task_update", id: "t1", title: "Count", status: "in_progress" };
  yield "There are ";
  yield { type: "task_update", id: "t1", title: "Count", status: "complete", output: "42" };
  yield "**42**.";
}

describe("bolt streams", () => {
  test("an agent that is built as Slack's starter streams its answers, in a direct message and in a channel", async () => {
    const dev = await devSlackForTest();
    answerAsStarter(await boltAppForTest(dev));
    const direct = dev.control.postMessage({ channel: "dm", text: "hello" });
    const blocks = [{ type: "markdown" }, { type: "context_actions", elements: [{ action_id: "feedback" }] }];
    expect(await completed(dev, direct.ts)).toMatchObject({ text: "long ".repeat(80), blocks });
    const mention = dev.control.postMessage({ channel: "general", text: "@Crosszone hello" });
    expect(await completed(dev, mention.ts)).toMatchObject({
      text: "short",
      blocks,
      stream: { recipient: "U0ALICE0001" },
    });
    await dev.control.idle();
    const { threads } = dev.control.agentView();
    expect(threads.map(({ status }) => status)).toEqual(["active", "active"]);
    const refused = dev.control.traffic().filter(({ kind, verdict }) => kind === "web_api" && verdict !== "ok");
    expect(refused).toEqual([]);
  });

  test("Bolt's Assistant sets a status, and streams tasks into a thread", async () => {
    const dev = await devSlackForTest();
    const app = await boltAppForTest(dev);
    app.assistant(
      new Assistant({
        threadStarted: async () => undefined,
        userMessage: async ({ client, message, setStatus, context }) => {
          if (!("thread_ts" in message) || message.thread_ts === undefined) return;
          const { channel, thread_ts } = message;
          await setStatus("is counting…");
          const ids = { recipient_team_id: context.teamId ?? "", recipient_user_id: context.userId ?? "" };
          const stream = client.chatStream({ channel, thread_ts, ...ids, task_display_mode: "plan", buffer_size: 4 });
          const task = { type: "task_update", id: "t1", title: "Count", status: "in_progress" } as const;
          await stream.append({ chunks: [{ type: "plan_update", title: "How it went" }, task] });
          for (const markdown_text of ["There ", "are ", "42", "."]) await stream.append({ markdown_text });
          await stream.stop({ chunks: [{ ...task, status: "complete", output: "42" }] });
        },
      }),
    );
    const root = dev.control.postMessage({ channel: "dm", text: "hello" });
    dev.control.postMessage({ channel: "dm", text: "how many?", thread_ts: root.ts });
    expect(await completed(dev, root.ts)).toMatchObject({
      text: "There are 42.",
      blocks: [
        { type: "plan", title: "How it went", tasks: [{ title: "Count", status: "complete" }] },
        { type: "markdown", text: "There are 42." },
      ],
    });
    expect(dev.control.agentView()).toEqual({
      threads: [{ channel: "D0ALICE0001", thread_ts: root.ts, status: "active" }],
    });
  });
});

test("a bot of the Chat SDK streams text and tasks, in a direct message and in a channel", async () => {
  const dev = await devSlackForTest();
  const bot = await chatSdkBotForTest(dev);
  bot.onDirectMessage(async (thread) => void (await thread.post(streamedAnswer())));
  bot.onNewMention(async (thread) => void (await thread.post(streamedAnswer())));
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
