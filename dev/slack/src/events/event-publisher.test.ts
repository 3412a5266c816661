import { expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest, postAsApp } from "../testing/dev-slack-for-test.ts";
import { eventOf, recordingApp } from "../testing/recording-app.ts";
import type { ReceivedRequest } from "../testing/recording-app.ts";

async function devAndApp(): Promise<{ dev: DevSlack; requests: ReceivedRequest[] }> {
  const app = await recordingApp();
  return { dev: await devSlackForTest({ eventsUrl: app.url }), requests: app.requests };
}

/** The events since the last look, sorted by type so that their order on the wire does not matter. */
async function newEvents(dev: DevSlack, requests: ReceivedRequest[]): Promise<Record<string, unknown>[]> {
  await dev.control.idle();
  return requests
    .splice(0)
    .map(eventOf)
    .toSorted((a, b) => String(a["type"]).localeCompare(String(b["type"])));
}

test("the envelope is Slack's", async () => {
  const { dev, requests } = await devAndApp();
  const { ts, client_msg_id } = dev.control.postMessage({ channel: "dm", user: "bob", text: "hello" });
  await dev.control.idle();
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
    token: expect.any(String),
    team_id: "T0CROSSZONE",
    context_team_id: "T0CROSSZONE",
    context_enterprise_id: null,
    api_app_id: "A0CROSSZONE",
    event: {
      user: "U0BOB000001",
      type: "message",
      ts,
      client_msg_id,
      text: "hello",
      team: "T0CROSSZONE",
      blocks: [
        {
          type: "rich_text",
          block_id: expect.any(String),
          elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "hello" }] }],
        },
      ],
      channel: "D0BOB000001",
      event_ts: ts,
      channel_type: "im",
    },
    type: "event_callback",
    event_id: expect.stringMatching(/^Ev[0-9A-Z]{9}$/),
    event_time: expect.any(Number),
    authorizations: [
      {
        enterprise_id: null,
        team_id: "T0CROSSZONE",
        user_id: "U0CROSSZONE",
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: expect.stringMatching(/^4-/),
  });
});

test("a message with a file is a file_share; its app_mention twin has no files", async () => {
  const { dev, requests } = await devAndApp();
  const files = [{ name: "notes.txt", mimetype: "text/plain", content: "remember" }];
  dev.control.postMessage({ channel: "general", text: "@Crosszone read this", files });
  const [mention, message] = await newEvents(dev, requests);
  expect(mention).toMatchObject({ type: "app_mention", text: "<@U0CROSSZONE> read this", channel: "C0GENERAL01" });
  expect(mention).not.toHaveProperty("files");
  expect(mention).not.toHaveProperty("channel_type");
  expect(message).toMatchObject({ subtype: "file_share", channel_type: "channel", ts: mention?.["ts"] });
  expect(message?.["files"]).toMatchObject([{ name: "notes.txt", size: 8, channels: ["C0GENERAL01"], mode: "hosted" }]);
  dev.control.postMessage({ channel: "dm", text: "", files });
  expect(await newEvents(dev, requests)).toMatchObject([{ subtype: "file_share", text: "" }]);
});

test("a reply names its thread and the author of its root", async () => {
  const { dev, requests } = await devAndApp();
  const root = dev.control.postMessage({ channel: "general", user: "bob", text: "who knows?" });
  const reply = dev.control.postMessage({ channel: "general", user: "alice", text: "I do", thread_ts: root.ts });
  dev.control.postMessage({ channel: "general", user: "bob", text: "tell us", thread_ts: reply.ts });
  const events = await newEvents(dev, requests);
  expect(events.map(({ thread_ts, parent_user_id }) => [thread_ts, parent_user_id])).toEqual([
    [undefined, undefined],
    [root.ts, "U0BOB000001"],
    [root.ts, "U0BOB000001"],
  ]);
});

test("edits and deletions are hidden message events with what was there before", async () => {
  const { dev, requests } = await devAndApp();
  const { ts } = dev.control.postMessage({ channel: "dm", text: "helo" });
  await newEvents(dev, requests);
  dev.control.editMessage({ channel: "D0ALICE0001", ts, user: "alice", text: "hello" });
  expect(await newEvents(dev, requests)).toMatchObject([
    {
      subtype: "message_changed",
      hidden: true,
      channel: "D0ALICE0001",
      message: { ts, text: "hello", edited: { user: "U0ALICE0001" } },
      previous_message: { ts, text: "helo" },
    },
  ]);
  dev.control.deleteMessage({ channel: "D0ALICE0001", ts, user: "alice" });
  expect(await newEvents(dev, requests)).toMatchObject([
    { subtype: "message_deleted", hidden: true, deleted_ts: ts, previous_message: { text: "hello" } },
  ]);
});

test("the app's own posts, and those of another bot, come back with bot_id", async () => {
  const { dev, requests } = await devAndApp();
  const ts = await postAsApp(dev, "C0GENERAL01", { text: "hi, I am <@U0CROSSZONE>" });
  dev.control.postMessage({ channel: "general", user: "deploybot", text: "deployed" });
  const [own, other, ...more] = await newEvents(dev, requests);
  expect(more).toEqual([]);
  expect(own).toMatchObject({ ts, user: "U0CROSSZONE", bot_id: "B0CROSSZONE", app_id: "A0CROSSZONE" });
  expect(own).toMatchObject({ bot_profile: { id: "B0CROSSZONE", name: "Crosszone", team_id: "T0CROSSZONE" } });
  expect(other).toMatchObject({ user: "U0DEPLOYBOT", bot_id: "B0DEPLOYBOT", bot_profile: { name: "Deploybot" } });
  expect(other).not.toHaveProperty("client_msg_id");
  await callWebApi(dev, "chat.update", { channel: "C0GENERAL01", ts, text: "hello" });
  expect(await newEvents(dev, requests)).toMatchObject([
    { subtype: "message_changed", message: { bot_id: "B0CROSSZONE" } },
  ]);
});

test("a mention in a direct message has no twin; in a group message it has", async () => {
  const { dev, requests } = await devAndApp();
  dev.control.postMessage({ channel: "dm", text: "@Crosszone hi" });
  expect(await newEvents(dev, requests)).toMatchObject([{ type: "message", text: "<@U0CROSSZONE> hi" }]);
  dev.control.postMessage({ channel: "G0MPIM00001", text: "@Crosszone hi" });
  expect(await newEvents(dev, requests)).toMatchObject([{ type: "app_mention" }, { channel_type: "mpim" }]);
});

test("the app gets events only of its bot's channels, and never of ephemeral messages", async () => {
  const { dev, requests } = await devAndApp();
  dev.control.postMessage({ channel: "random", text: "<@U0CROSSZONE> are you here?" });
  await callWebApi(dev, "chat.postEphemeral", { channel: "C0GENERAL01", user: "U0ALICE0001", text: "psst" });
  expect(await newEvents(dev, requests)).toEqual([]);
});

test("an event of a Slack Connect channel says so, with the team of a partner", async () => {
  const { dev, requests } = await devAndApp();
  dev.control.postMessage({ channel: "partners", user: "paula", text: "hello" });
  await dev.control.idle();
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
    team_id: "T0CROSSZONE",
    is_ext_shared_channel: true,
    event: { team: "T0PARTNERS1", user_team: "T0PARTNERS1", user: "U0PARTNER01" },
  });
});

test("sendEvent makes events that people cannot: of an unknown team, user or channel", async () => {
  const { dev, requests } = await devAndApp();
  const event = {
    type: "message",
    user: "U0NOBODY001",
    channel: "C0NOWHERE01",
    text: "hi",
    ts: "1.0",
    event_ts: "1.0",
  };
  dev.control.sendEvent(event, { team_id: "T0EVILTEAM1" });
  await dev.control.idle();
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ team_id: "T0EVILTEAM1", event });
});
