import { expect, test } from "vitest";
import type { PostMessage } from "../protocol/control-api.ts";
import { callWebApi, devSlackForTest, type Json, recordingApp, verdicts } from "../testing/dev-slack-for-test.ts";
import { slackSignature } from "./signed-request.ts";

test("a failing app gets four attempts, each freshly signed, with the retry's number and reason", async () => {
  const app = await recordingApp((response, count) => {
    if (count === 1) response.writeHead(500).end();
    if (count === 3) response.destroy();
    if (count === 4) response.end("ok");
  });
  const dev = await devSlackForTest({ eventsUrl: `${app.url}/slack/events`, ackTimeoutMs: 500 });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  await dev.control.idle();
  expect(app.requests.map(({ headers }) => [headers["x-slack-retry-num"], headers["x-slack-retry-reason"]])).toEqual([
    [undefined, undefined],
    ["1", "http_error"],
    ["2", "http_timeout"],
    ["3", "connection_failed"],
  ]);
  expect(verdicts(dev)).toEqual([
    "refused: 500",
    "retry 1 after http_error: no answer: http_timeout",
    "retry 2 after http_timeout: no answer: connection_failed",
    "retry 3 after connection_failed: accepted",
  ]);
  expect(new Set(app.requests.map(({ body }) => body)).size).toBe(1);
  for (const { headers, body } of app.requests) {
    const timestamp = Number(headers["x-slack-request-timestamp"]);
    expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(3);
    expect(headers["x-slack-signature"]).toBe(slackSignature(dev.signingSecret, timestamp, body));
    expect(headers["user-agent"]).toMatch(/^Slackbot 1\.0/);
    expect(headers["content-type"]).toBe("application/json");
  }
});

test("X-Slack-No-Retry: 1 on a refusal ends the retries", async () => {
  const app = await recordingApp((response) => response.writeHead(500, { "x-slack-no-retry": "1" }).end());
  const dev = await devSlackForTest({ eventsUrl: app.url });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  await dev.control.idle();
  expect(app.requests).toHaveLength(1);
  expect(verdicts(dev)).toEqual(["refused: 500, no retry wanted"]);
});

test("an app over HTTPS with a bad certificate or none counts as ssl_error", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url.replace("http:", "https:"), retryScheduleMs: [] });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  await dev.control.idle();
  expect(verdicts(dev)).toEqual(["no answer: ssl_error"]);
});

test("copies: the same event comes twice; drop_first: only its retries come", async () => {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  expect(dev.control.setDelivery({ copies: 2 })).toEqual({ copies: 2, delay_ms: 0, drop_first: false });
  dev.control.postMessage({ channel: "dm", text: "twice" });
  await dev.control.idle();
  expect(app.requests).toHaveLength(2);
  expect(app.requests[0]?.body).toBe(app.requests[1]?.body);

  dev.control.setDelivery({ copies: 1, drop_first: true });
  dev.control.postMessage({ channel: "dm", text: "the first attempt never arrives" });
  await dev.control.idle();
  expect(app.requests).toHaveLength(3);
  expect(app.requests[2]?.headers).toMatchObject({
    "x-slack-retry-num": "1",
    "x-slack-retry-reason": "connection_failed",
  });
});

test("posting does not wait for the app, and close cancels pending deliveries", async () => {
  const app = await recordingApp((response) => response.writeHead(500).end());
  const dev = await devSlackForTest({ eventsUrl: app.url, retryScheduleMs: [600_000] });
  dev.control.postMessage({ channel: "dm", text: "hello" });
  expect(app.requests).toHaveLength(0);
  await expect.poll(() => app.requests.length).toBe(1);
  const started = Date.now();
  await dev.close();
  expect(Date.now() - started).toBeLessThan(1000);
});

type Envelope = Json & { event: Json; event_id: string };

/** A local Slack and a function that gives what the app got since its last call, `message` before other events. */
async function slackAndEvents() {
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url });
  const envelopes = async (): Promise<Envelope[]> => {
    await dev.control.idle();
    const got = app.requests.splice(0).map(({ body }) => JSON.parse(body) as Envelope);
    return got.toSorted((a, b) => Number(b.event["type"] === "message") - Number(a.event["type"] === "message"));
  };
  const events = async (): Promise<Json[]> => (await envelopes()).map(({ event }) => event);
  return { dev, control: dev.control, envelopes, events };
}

test("the envelope is Slack's", async () => {
  const { control, envelopes } = await slackAndEvents();
  const { ts, client_msg_id } = control.postMessage({ channel: "dm", user: "bob", text: "hello" });
  const section = { type: "rich_text_section", elements: [{ type: "text", text: "hello" }] };
  const enterprise_id = null;
  const team_id = "T0CROSSZONE";
  const bot = { user_id: "U0CROSSZONE", is_bot: true };
  expect(await envelopes()).toEqual([
    {
      token: expect.any(String),
      team_id,
      context_team_id: team_id,
      context_enterprise_id: null,
      api_app_id: "A0CROSSZONE",
      event: {
        user: "U0BOB000001",
        type: "message",
        ts,
        client_msg_id,
        text: "hello",
        team: team_id,
        blocks: [{ type: "rich_text", block_id: expect.any(String), elements: [section] }],
        channel: "D0BOB000001",
        event_ts: ts,
        channel_type: "im",
      },
      type: "event_callback",
      event_id: expect.stringMatching(/^Ev[0-9A-Z]{9}$/),
      event_time: expect.any(Number),
      authorizations: [{ enterprise_id, team_id, ...bot, is_enterprise_install: false }],
      is_ext_shared_channel: false,
      event_context: expect.stringMatching(/^4-/),
    },
  ]);
});

const note = { name: "notes.txt", mimetype: "text/plain", content: "remember" };
const cells = [
  ["Shop", "Units"],
  ["North", ""],
];
const rows = [
  [{ text: "Shop" }, { text: "Units" }],
  [{ text: "North" }, { type: "raw_text", text: " " }],
];
const dash = { bot_id: "B0DASH00000", app_id: "A0DASH00000" };
const shared = { name: "notes.txt", size: 8, channels: ["C0GENERAL01"], mode: "hosted" };
const mention = { type: "app_mention", text: "<@U0CROSSZONE> read this", channel: "C0GENERAL01" };
const ofPartner = { team: "T0PARTNERS1", user_team: "T0PARTNERS1", user: "U0PARTNER01" };
const ofOurs = { team: "T0CROSSZONE", user_team: "T0CROSSZONE", user: "U0ALICE0001" };

test.each<[what: string, post: Partial<PostMessage>, events: Json[], without: string[]]>([
  ["where the app is not", { channel: "random", text: "@Crosszone hi" }, [], []],
  ["of a partner", { channel: "partners", user: "paula", text: "hi" }, [ofPartner], []],
  ["of our own in a channel of the partner", { channel: "partners", text: "hi" }, [ofOurs], []],
  [
    "written with /me",
    { text: "/me asks <@U0CROSSZONE> what 2+2 is" },
    [
      { subtype: "me_message", text: "asks <@U0CROSSZONE> what 2+2 is", channel_type: "channel" },
      { subtype: "me_message", type: "app_mention" },
    ],
    ["blocks"],
  ],
  ["with only a file", { channel: "dm", files: [note] }, [{ subtype: "file_share", text: "" }], []],
  [
    "with a file and a mention",
    { text: "@Crosszone read this", files: [note] },
    [{ subtype: "file_share", channel_type: "channel", files: [shared] }, mention],
    ["files", "channel_type"],
  ],
  [
    "with a table",
    { text: "sum", tables: [cells] },
    [{ attachments: [{ fallback: "[no preview available]", blocks: [{ type: "table", rows }] }] }],
    [],
  ],
  [
    "of a webhook",
    { app: "Alertmanager", attachments: [{ title: "[FIRING:1] Job failed" }] },
    [{ subtype: "bot_message", username: "Alertmanager", text: "", attachments: [{ id: 1 }] }],
    ["user"],
  ],
  [
    "of an app in a person's name",
    { text: "sum", app: "Dash", user: "alice" },
    [{ user: "U0ALICE0001", ...dash, bot_profile: { name: "Dash", app_id: dash.app_id } }],
    ["subtype"],
  ],
])("a message %s", async (...[, post, expected, without]) => {
  const { control, envelopes } = await slackAndEvents();
  control.postMessage({ channel: "general", text: "", ...post });
  const got = await envelopes();
  expect(got.map(({ event }) => event)).toMatchObject(expected);
  for (const member of without) expect(got.at(-1)?.event).not.toHaveProperty(member);
  for (const one of got) {
    expect(one["is_ext_shared_channel"]).toBe(post.channel === "partners");
    expect(one["team_id"]).toBe(post.channel === "partners" ? "T0PARTNERS1" : "T0CROSSZONE");
    expect(one).toMatchObject({ context_team_id: "T0CROSSZONE", authorizations: [{ team_id: "T0CROSSZONE" }] });
  }
  expect(new Set(got.map(({ event }) => event["ts"])).size).toBe(Math.min(1, got.length));
});

test("L9: a reply that is also sent to the channel names its thread's first message, and both history and thread have it", async () => {
  const { dev, control, events } = await slackAndEvents();
  const { ts: thread_ts, channel } = control.postMessage({ channel: "general", text: "first" });
  await events();
  const reply = { channel, thread_ts, user: "bob" };
  const { ts } = control.postMessage({ ...reply, text: "for all", broadcast: true });
  const [event] = await events();
  expect(event).toMatchObject({ subtype: "thread_broadcast", thread_ts, root: { ts: thread_ts, text: "first" } });
  control.postMessage({ ...reply, text: "for the thread" });
  const texts = async (method: string, more: Json = {}) => {
    const { messages } = await callWebApi(dev, method, { channel, ...more });
    return (messages as { text: string }[]).map(({ text }) => text);
  };
  expect(await texts("conversations.history")).toEqual(["for all", "first"]);
  expect(await texts("conversations.replies", { ts })).toEqual(["first", "for all", "for the thread"]);
  expect(() => control.postMessage({ channel, text: "no reply", broadcast: true })).toThrow("only a reply");
});

test("L9: in an organization, a sibling's channel has the sibling's team, and the app can see it", async () => {
  const sibling = { id: "T0SIBLING01", name: "Sibling", domain: "sibling" };
  const organization = { id: "E0COMPANY01", name: "Company", siblings: [sibling] };
  const names = { team_id: "T0CROSSZONE", name: "Home", bot_user_id: "U0CROSSZONE", bot_id: "B0CROSSZONE" };
  const app = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: app.url, names: { ...names, organization } });
  const members = ["U0ALICE0001", "U0CROSSZONE"];
  dev.control.putChannel({ id: "C0SIBLING01", name: "sisters", members, team_id: sibling.id });
  dev.control.postMessage({ channel: "sisters", text: "hi" });
  await dev.control.idle();
  expect(JSON.parse(app.requests[0]?.body ?? "")).toMatchObject({
    team_id: sibling.id,
    is_ext_shared_channel: false,
    authorizations: [{ enterprise_id: "E0COMPANY01", team_id: "T0CROSSZONE" }],
  });
  const partner = { id: "T0PARTNERS1", name: "Partner Ltd" };
  for (const team of [sibling, partner])
    expect(await callWebApi(dev, "team.info", { team: team.id })).toMatchObject({ ok: true, team });
  expect(await callWebApi(dev, "auth.teams.list")).toMatchObject({
    teams: [{ id: "T0CROSSZONE" }, { id: sibling.id }],
  });
  const { channel } = await callWebApi(dev, "conversations.info", { channel: "C0SIBLING01" });
  expect(channel).toMatchObject({ is_org_shared: true, is_ext_shared: false });
});

test("a person can't post an app's content, nor forward what they can't read", async () => {
  const { control } = await slackAndEvents();
  const { ts } = control.postMessage({ channel: "leads", user: "bob", text: "secret" });
  const post = (members: object) => () => control.postMessage({ channel: "dm", user: "chiyo", text: "", ...members });
  expect(post({ blocks: [{ type: "divider" }] })).toThrow("only apps");
  expect(post({ forward: { channel: "leads", ts } })).toThrow("not found");
});

test("an edit is message_changed, and app_mention again with its own id if the new text has the mention", async () => {
  const { control, envelopes } = await slackAndEvents();
  const { ts, channel } = control.postMessage({ channel: "general", text: "order 2 chairs" });
  await envelopes();
  control.editMessage({ channel, ts, user: "alice", text: "@Crosszone order 2 chairs" });
  const [changed, again] = await envelopes();
  const edited = { user: "U0ALICE0001" };
  expect(changed?.event).toMatchObject({
    subtype: "message_changed",
    hidden: true,
    message: { ts, text: "<@U0CROSSZONE> order 2 chairs", edited },
    previous_message: { ts, text: "order 2 chairs" },
  });
  expect(changed?.event["previous_message"]).not.toHaveProperty("edited");
  expect(Number(changed?.event["ts"])).toBeGreaterThan(Number(ts));
  expect(again?.event).toMatchObject({ type: "app_mention", ts, event_ts: ts, edited });
  expect(again?.event_id).not.toBe(changed?.event_id);
});

test.each([
  ["a person", { channel: "partners" }, { item_user: "U0ALICE0001" }],
  ["a webhook, which has no author", { channel: "general", app: "CI" }, {}],
])("a reaction to a message of %s has exactly Slack's members, and so does its end", async (_who, post, members) => {
  const { control, envelopes } = await slackAndEvents();
  const { channel, ts } = control.postMessage({ text: "a", ...post });
  await envelopes();
  for (const type of ["reaction_added", "reaction_removed"]) {
    control.react({ channel, ts, user: "bob", reaction: "eyes" });
    const [sent] = await envelopes();
    const item = { type: "message", channel, ts };
    const event_ts: unknown = expect.stringMatching(/^\d{10}\.\d{6}$/);
    expect(sent?.event).toEqual({ type, user: "U0BOB000001", reaction: "eyes", item, event_ts, ...members });
    expect(sent).toMatchObject({ is_ext_shared_channel: post.channel === "partners" });
  }
  expect(control.messages({ channel })).toMatchObject([{ reactions: [] }]);
  const { ts: elsewhere } = control.postMessage({ channel: "random", text: "c" });
  control.react({ channel: "random", ts: elsewhere, user: "bob", reaction: "eyes" });
  expect(await envelopes()).toEqual([]);
});

test("a forwarded message has its words, blocks and files only in the attachment", async () => {
  const { control, events } = await slackAndEvents();
  const post = { channel: "random", user: "bob", text: "Overdue: *250 EUR*", files: [note] };
  const { ts } = control.postMessage(post);
  control.postMessage({ channel: "dm", text: "", forward: { channel: "random", ts } });
  const [event] = await events();
  const words = [{ text: "Overdue: " }, { text: "250 EUR", style: { bold: true } }];
  const message = { blocks: [{ elements: [{ type: "rich_text_section", elements: words }] }] };
  const from = {
    author_id: "U0BOB000001",
    author_name: "Bob Carter",
    channel_id: "C0RANDOM001",
    channel_name: "random",
  };
  expect(event).toMatchObject({
    text: "",
    attachments: [
      {
        id: 1,
        is_share: true,
        is_msg_unfurl: true,
        ...from,
        footer: "Posted in #random",
        ts,
        from_url: expect.stringContaining(`/archives/C0RANDOM001/p${ts.replace(".", "")}`),
        text: "Overdue: *250 EUR*",
        message_blocks: [{ channel: "C0RANDOM001", ts, message }],
        files: [{ name: "notes.txt", mode: "hosted" }],
      },
    ],
  });
  expect(event).not.toHaveProperty("files");
});

test("the preview of a pasted link comes after the message, and is no edit", async () => {
  const { dev, control, events } = await slackAndEvents();
  const { channel, ts } = control.postMessage({ channel: "general", user: "bob", text: "the build is red" });
  await events();
  const link = `${dev.url}/archives/${channel}/p${ts.replace(".", "")}`;
  control.postMessage({ channel: "dm", text: `why? ${link}` });
  const [posted, changed] = (await events()).toSorted((a, b) => Number(a["event_ts"]) - Number(b["event_ts"]));
  expect(posted).not.toHaveProperty("attachments");
  const preview = { is_msg_unfurl: true, text: "the build is red", original_url: link };
  expect(changed).toMatchObject({ subtype: "message_changed", message: { attachments: [preview] } });
  expect(changed?.["message"]).not.toHaveProperty("edited");
  expect(JSON.stringify(changed)).not.toContain("is_share");
});
