import { expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";
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
