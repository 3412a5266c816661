import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, eventOf, recordingApp } from "../testing/dev-slack-for-test.ts";

/** A local Slack and a function that gives the events since its last call, `message` before others. */
async function slackAndEvents() {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const events = async () => {
    await dev.control.idle();
    const envelopes = app.requests.splice(0).map(({ body }) => JSON.parse(body) as { event_id: string; event: Sent });
    return envelopes.toSorted((a, b) => Number(b.event.type === "message") - Number(a.event.type === "message"));
  };
  return { dev, control: dev.control, events, requests: app.requests };
}
type Sent = Record<string, unknown> & { type: string };
const only = async (events: () => Promise<{ event: Sent }[]>) => (await events()).map(({ event }) => event);

test("an edit is message_changed, and app_mention again with its own id if the new text has the mention", async () => {
  const { control, events } = await slackAndEvents();
  const { ts, channel } = control.postMessage({ channel: "general", text: "order 2 chairs" });
  expect(await events()).toHaveLength(1);
  const place = { channel, ts, user: "alice" };
  control.editMessage({ ...place, text: "@Crosszone order 2 chairs" });
  const [changed, mention] = await events();
  expect(changed?.event).toMatchObject({
    subtype: "message_changed",
    hidden: true,
    message: { ts, text: "<@U0CROSSZONE> order 2 chairs", edited: { user: "U0ALICE0001" } },
    previous_message: { ts, text: "order 2 chairs" },
  });
  expect(changed?.event["previous_message"]).not.toHaveProperty("edited");
  expect(Number(changed?.event["ts"])).toBeGreaterThan(Number(ts));
  expect(mention?.event).toMatchObject({ type: "app_mention", ts, event_ts: ts, edited: { user: "U0ALICE0001" } });
  expect(mention?.event_id).not.toBe(changed?.event_id);
});

test("a reaction has exactly Slack's members, and none of a webhook's author; so does its end", async () => {
  const { control, events } = await slackAndEvents();
  const posted = [
    control.postMessage({ channel: "partners", text: "a" }),
    control.postMessage({ channel: "general", text: "b", app: "CI" }),
  ];
  await events();
  for (const { channel, ts, subtype } of posted) {
    const reaction = { channel, ts, user: "bob", reaction: "eyes" };
    const item = { type: "message", channel, ts };
    for (const type of ["reaction_added", "reaction_removed"]) {
      control.react(reaction);
      const [sent] = await events();
      expect(sent?.event).toEqual({
        type,
        user: "U0BOB000001",
        reaction: "eyes",
        item,
        event_ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
        ...(subtype === undefined && { item_user: "U0ALICE0001" }),
      });
      expect(sent).toMatchObject({ is_ext_shared_channel: channel === "C0SHARED001" });
    }
    expect(control.messages({ channel })).toMatchObject([{ reactions: [] }]);
  }
  control.react({
    channel: "random",
    ts: control.postMessage({ channel: "random", text: "c" }).ts,
    user: "bob",
    reaction: "eyes",
  });
  expect(await events()).toEqual([]);
});

test("a forwarded message has its words, blocks and files only in the attachment", async () => {
  const { control, events } = await slackAndEvents();
  const files = [{ name: "bill.csv", mimetype: "text/csv", content: "a,b" }];
  const { ts } = control.postMessage({ channel: "random", user: "bob", text: "Overdue: *250 EUR*", files });
  control.postMessage({ channel: "dm", text: "", forward: { channel: "random", ts } });
  const [event] = await only(events);
  const element = {
    type: "rich_text_section",
    elements: [{ text: "Overdue: " }, { text: "250 EUR", style: { bold: true } }],
  };
  expect(event).toMatchObject({
    text: "",
    attachments: [
      {
        id: 1,
        is_share: true,
        is_msg_unfurl: true,
        author_id: "U0BOB000001",
        author_name: "Bob Carter",
        channel_id: "C0RANDOM001",
        channel_name: "random",
        footer: "Posted in #random",
        ts,
        from_url: expect.stringContaining(`/archives/C0RANDOM001/p${ts.replace(".", "")}`),
        text: "Overdue: *250 EUR*",
        message_blocks: [{ channel: "C0RANDOM001", ts, message: { blocks: [{ elements: [element] }] } }],
        files: [{ name: "bill.csv", mode: "hosted" }],
      },
    ],
  });
  expect(event).not.toHaveProperty("files");
  const { ts: hidden } = control.postMessage({ channel: "leads", user: "bob", text: "secret" });
  const forward = { channel: "leads", ts: hidden };
  expect(() => control.postMessage({ channel: "dm", user: "chiyo", text: "", forward })).toThrow("not found");
});

test("the preview of a pasted link comes after the message, and is no edit", async () => {
  const { dev, control, events } = await slackAndEvents();
  const { channel, ts } = control.postMessage({ channel: "general", user: "bob", text: "the build is red" });
  await events();
  const link = `${dev.url}/archives/${channel}/p${ts.replace(".", "")}`;
  control.postMessage({ channel: "dm", text: `why? ${link}` });
  const [posted, changed] = (await only(events)).toSorted((a, b) => Number(a["event_ts"]) - Number(b["event_ts"]));
  expect(posted).not.toHaveProperty("attachments");
  expect(changed).toMatchObject({
    subtype: "message_changed",
    message: { attachments: [{ is_msg_unfurl: true, text: "the build is red", original_url: link }] },
  });
  expect(changed?.["message"]).not.toHaveProperty("edited");
  expect(JSON.stringify(changed)).not.toContain("is_share");
});

test("tables, alerts, posts in a person's name: where Slack puts the words and who it says wrote them", async () => {
  const { control, events } = await slackAndEvents();
  const tables = [
    [
      ["Shop", "Units"],
      ["North", ""],
    ],
  ];
  const rows = [
    [{ text: "Shop" }, { text: "Units" }],
    [{ text: "North" }, { type: "raw_text", text: " " }],
  ];
  const event = async (post: object): Promise<Sent | undefined> => {
    control.postMessage({ channel: "general", text: "sum", ...post });
    return (await only(events))[0];
  };
  expect(await event({ tables })).toMatchObject({
    attachments: [{ fallback: "[no preview available]", blocks: [{ type: "table", rows }] }],
  });
  expect(await event({ tables, tables_in: "blocks" })).toMatchObject({
    blocks: [{ type: "rich_text" }, { type: "table", rows }],
  });
  const alert = await event({ app: "Alertmanager", text: "", attachments: [{ title: "[FIRING:1] Job failed" }] });
  expect(alert).toMatchObject({ subtype: "bot_message", username: "Alertmanager", text: "", attachments: [{ id: 1 }] });
  expect(alert).not.toHaveProperty("user");
  const own = await event({ app: "Dash", user: "alice" });
  const app = { bot_id: "B0DASH00000", app_id: "A0DASH00000" };
  expect(own).toMatchObject({ user: "U0ALICE0001", ...app, bot_profile: { name: "Dash", app_id: app.app_id } });
  expect(own).not.toHaveProperty("subtype");
  expect(() => control.postMessage({ channel: "general", text: "", blocks: [{ type: "divider" }] })).toThrow(
    "only apps",
  );
});

test("each kind of file has Slack's members; of another organization's, messages have a stub", async () => {
  const { dev, control, events } = await slackAndEvents();
  const file = (kind: "voice" | "email" | "canvas" | "snippet" | "connect", more: object = {}) => ({
    name: kind,
    mimetype: kind === "voice" ? "audio/mp4" : "text/plain",
    content: "hello",
    kind,
    ...more,
  });
  const spoken =
    "Please order three chairs for the meeting room, and send the bill to Bob before Friday at noon, thanks a lot.";
  const posted = [
    file("voice", { plain_text: spoken }),
    file("email", { plain_text: "Hi" }),
    file("canvas"),
    file("snippet"),
  ];
  control.postMessage({ channel: "dm", text: "", files: [...posted, file("connect")] });
  const [event] = await only(events);
  const stub = { mode: "file_access", file_access: "check_file_info" };
  expect(event).toMatchObject({
    subtype: "file_share",
    text: "",
    files: [
      { subtype: "slack_audio", transcription: { status: "complete", preview: { has_more: true } }, duration_ms: 4000 },
      { mode: "email", subject: "email", plain_text: "Hi", from: [{ address: "alice@example.com" }] },
      { mode: "quip", filetype: "quip", mimetype: "application/vnd.slack-docs" },
      { mode: "snippet", preview: "hello", lines: 1, lines_more: 0 },
      stub,
    ],
  });
  const [voice, , , , other] = (event?.["files"] ?? []) as { id: string; vtt: string }[];
  expect(other).not.toHaveProperty("name");
  expect(await callWebApi(dev, "files.info", { file: other?.id })).toMatchObject({ file: { name: "connect" } });
  const headers = { authorization: `Bearer ${dev.botToken}` };
  expect(await (await fetch(voice?.vtt ?? "", { headers })).text()).toContain(`- ${spoken}`);
});

test("app_rate_limited is signed, and is no event", async () => {
  const { control, requests } = await slackAndEvents();
  expect(await control.limitEvents()).toMatchObject({ status: 200 });
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ type: "app_rate_limited", api_app_id: "A0CROSSZONE" });
  expect(requests[0]?.headers["x-slack-signature"]).toMatch(/^v0=/);
  expect(eventOf(requests[0])).toEqual({});
});
