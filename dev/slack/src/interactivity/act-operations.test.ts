import { describe, expect, test } from "vitest";
import { slackSignature } from "../events/signed-request.ts";
import type { Act } from "../protocol/interactivity.ts";
import {
  actions,
  answerAt,
  approve,
  callWebApi,
  interactionOf,
  type Json,
  modal,
  postAsApp,
  postedForTest,
  type PostedOptions,
  text,
} from "../testing/dev-slack-for-test.ts";

const option = (value: string): Json => ({ text: text(value.toUpperCase()), value });
const options = ["a", "b", "c"].map(option);
const shortcut = { name: "Ask about this", type: "message", callback_id: "ask", description: "Asks" };
const manifest = {
  features: { shortcuts: [shortcut, { ...shortcut, type: "global", callback_id: "anywhere" }] },
  oauth_config: { scopes: { bot: ["commands", "chat:write"] } },
  settings: { interactivity: { is_enabled: true } },
};

/** A message with buttons, and one of Bob's on which Alice can use a shortcut, where the app is not. */
async function inUse(blocks = [actions(approve)], given: PostedOptions = {}) {
  const use = await postedForTest(blocks, { manifest, ...given });
  const { ts } = use.dev.control.postMessage({ channel: "random", user: "bob", text: "Who knows?" });
  const on = { channel: "random", ts, user: "alice", callback_id: "ask" };
  const run = (members: Json = {}) => use.dev.control.runShortcut({ ...on, ...members });
  return { ...use, on, run, press: (rest: Partial<Act> = {}) => use.act({ action_id: "approve", ...rest }) };
}

const ofAlice = (team: { id: string; domain: string }): Json => ({
  team: { id: team.id, domain: team.domain },
  user: { id: "U0ALICE0001", username: "alice", name: "alice", team_id: team.id },
  token: expect.any(String),
  trigger_id: expect.stringMatching(/^\d+\.\d+\.[0-9a-f]+$/),
  enterprise: null,
  is_enterprise_install: false,
});
const aTimestamp: unknown = expect.stringMatching(/^\d{10}\.\d{6}$/);

test("a button is sent once, as a signed form with all of Slack's members", async () => {
  const { dev, requests, place, press } = await inUse();
  expect(await press()).toEqual({ status: 200, ms: expect.any(Number) });
  const [request, ...others] = requests;
  expect([request?.url, others]).toEqual(["/slack/events", []]);
  expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  const timestamp = Number(request?.headers["x-slack-request-timestamp"]);
  const signature = slackSignature(dev.signingSecret, timestamp, request?.body ?? "");
  expect(request?.headers["x-slack-signature"]).toBe(signature);
  expect(interactionOf(request)).toEqual({
    ...ofAlice(dev.workspace.team),
    type: "block_actions",
    api_app_id: dev.workspace.app.app_id,
    container: { type: "message", message_ts: place.ts, channel_id: place.channel, is_ephemeral: false },
    channel: { id: place.channel, name: "general" },
    message: expect.objectContaining({ type: "message", ts: place.ts, text: "Deploy?", blocks: [actions(approve)] }),
    state: { values: {} },
    response_url: expect.stringContaining(`${dev.url}/actions/${dev.workspace.team.id}/`),
    actions: [{ ...approve, block_id: "decide", action_ts: aTimestamp }],
  });
  expect(JSON.stringify(dev.control.traffic())).not.toContain("/actions/T0");
});

test("a message shortcut is sent with Slack's members, also where the app is not, and opens one modal", async () => {
  const { dev, on, run, last } = await inUse();
  expect(await run()).toEqual({ status: 200, ms: expect.any(Number) });
  expect(last()).toEqual({
    ...ofAlice(dev.workspace.team),
    type: "message_action",
    action_ts: aTimestamp,
    channel: { id: "C0RANDOM001", name: "random" },
    callback_id: "ask",
    response_url: expect.stringContaining(`${dev.url}/app/${dev.workspace.team.id}/`),
    message_ts: on.ts,
    message: expect.objectContaining({ type: "message", user: "U0BOB000001", ts: on.ts, text: "Who knows?" }),
  });
  const { trigger_id, response_url } = last();
  expect(await callWebApi(dev, "views.open", { trigger_id, view: modal() })).toMatchObject({ ok: true });
  expect(dev.control.views("alice")).toHaveLength(1);
  expect(await answerAt(response_url, { text: "done" })).toEqual([200, "ok"]);
  const answer = dev.control.messages({ channel: "random" }).at(-1);
  expect(answer).toMatchObject({ text: "done", ephemeral_for: "U0ALICE0001" });
  expect(JSON.stringify(dev.control.traffic())).not.toContain("/app/T0");
});

test("a button without ids gets them from Slack, and keeps them in the message", async () => {
  const accessory = { ...approve, action_id: undefined };
  const { dev, press, last, place } = await inUse([{ type: "section", text: text("x"), accessory }]);
  const [section] = (dev.control.messages(place)[0]?.blocks ?? []) as { block_id: string; accessory: Json }[];
  const action_id = String(section?.accessory["action_id"]);
  await press({ action_id });
  expect(last()["actions"]).toMatchObject([{ action_id, block_id: section?.block_id, value: "42" }]);
});

type Use = Awaited<ReturnType<typeof inUse>>;
const again = [actions(approve), { ...actions(approve), block_id: "again" }];

test.each<[string, (use: Use) => Promise<unknown>, status: number, blocks?: Json[]]>([
  ["a button that the message does not have", ({ press }) => press({ action_id: "reject" }), 404],
  ["a button in a block that does not have it", ({ press }) => press({ block_id: "other" }), 404],
  ["a button in two blocks, without the block", ({ press }) => press(), 400, again],
  ["a button of no message", ({ press }) => press({ ts: "1700000000.000001" }), 404],
  ["a button in a person's message", ({ press, on }) => press({ channel: "random", ts: on.ts }), 403],
  ["a button where the person is not", ({ press }) => press({ user: "paula" }), 403],
  ["a button as nobody", ({ press }) => press({ user: "zoe" }), 404],
  ["a shortcut that is not declared", ({ run }) => run({ callback_id: "other" }), 404],
  ["a global shortcut", ({ run }) => run({ callback_id: "anywhere" }), 404],
  ["a shortcut of no message", ({ run }) => run({ ts: "1790000000.000100" }), 404],
  ["a shortcut where the person is not", ({ run }) => run({ user: "paula" }), 403],
])("%s can't be used", async (...[, use, status, blocks]) => {
  const used = await inUse(blocks);
  await expect(use(used)).rejects.toMatchObject({ status });
  expect(used.requests).toEqual([]);
});

test("a button is gone after an update or a deletion of its message", async () => {
  const { dev, press, place } = await inUse();
  await callWebApi(dev, "chat.update", { ...place, text: "Approved" });
  await expect(press()).rejects.toMatchObject({ status: 404 });
  await callWebApi(dev, "chat.delete", place);
  await expect(press()).rejects.toMatchObject({ status: 404 });
});

test.each<[string, PostedOptions, string]>([
  ["does not answer in time", { answer: () => undefined, ackTimeoutMs: 1_000 }, "operation_timeout"],
  ["fails", { answer: (response) => response.writeHead(500).end() }, "dispatch_failed"],
  ["answers with 201", { answer: (response) => response.writeHead(201).end() }, "dispatch_failed"],
])("an app that %s shows a warning sign, and is not asked again", async (_what, app, error) => {
  const { dev, press, run, requests, place, on } = await inUse(undefined, app);
  const events: unknown[] = [];
  dev.control.subscribe(({ type }) => events.push(type));
  for (const use of [press, run]) expect(await use()).toMatchObject({ warning: error });
  await dev.control.idle();
  expect(requests).toHaveLength(2);
  expect(dev.control.warnings()).toEqual([
    { user: "U0ALICE0001", type: "block_actions", on: place.ts, error },
    { user: "U0ALICE0001", type: "message_action", on: on.ts, error },
  ]);
  expect(events).toContain("warning");
});

test("an app that is uninstalled gets no presses, and its commands do not exist", async () => {
  const { dev, press, requests } = await inUse(undefined, { manifest: undefined });
  dev.uninstall();
  await dev.control.idle();
  const before = requests.length;
  expect(await press()).toMatchObject({ status: 0, warning: "dispatch_failed" });
  await dev.control.runCommand({ channel: "general", text: "/agents" });
  expect(dev.control.messages({ channel: "general" }).at(-1)?.text).toContain("is not a valid command");
  expect(requests).toHaveLength(before);
});

test("a press can be sent as another app's, with a valid signature; that of a partner names the partner's team", async () => {
  const { dev, place, last } = await inUse();
  await dev.control.act({ ...place, user: "bob", action_id: "approve" }, { api_app_id: "A0OTHER" });
  expect(last()).toMatchObject({ api_app_id: "A0OTHER", user: { id: "U0BOB000001" } });
  const ts = await postAsApp(dev, "C0SHARED001", { text: "x", blocks: [actions(approve)] });
  await dev.control.act({ channel: "partners", ts, user: "paula", action_id: "approve" });
  expect(last()).toMatchObject({ user: { team_id: "T0PARTNERS1" }, team: { id: dev.workspace.team.id } });
});

describe("a choice", () => {
  const pick = (type: string, rest: Json = {}): Json => ({ type, action_id: "pick", ...rest });
  const placeholder = text("Pick");

  test.each<[string, Json, Act["value"], Json]>([
    ["a menu", pick("static_select", { options, placeholder }), "b", { selected_option: option("b") }],
    [
      "a group of a menu",
      pick("static_select", { option_groups: [{ label: text("g"), options }] }),
      "c",
      { selected_option: option("c") },
    ],
    ["radio buttons", pick("radio_buttons", { options }), "a", { selected_option: option("a") }],
    ["checkboxes", pick("checkboxes", { options }), ["a", "c"], { selected_options: [option("a"), option("c")] }],
    ["a menu for several", pick("multi_static_select", { options }), ["a"], { selected_options: [option("a")] }],
    ["a menu of users", pick("users_select"), "U0BOB000001", { selected_user: "U0BOB000001" }],
    ["a menu for several users", pick("multi_users_select"), ["U0BOB000001"], { selected_users: ["U0BOB000001"] }],
    ["a menu of channels", pick("channels_select"), "C0GENERAL01", { selected_channel: "C0GENERAL01" }],
    ["a menu of conversations", pick("conversations_select"), "C0GENERAL01", { selected_conversation: "C0GENERAL01" }],
    ["a date", pick("datepicker", { initial_date: "2026-01-01" }), "2026-12-31", { selected_date: "2026-12-31" }],
    ["a time", pick("timepicker"), "23:59", { selected_time: "23:59" }],
    ["a date and time", pick("datetimepicker"), "1800000000", { selected_date_time: 1_800_000_000 }],
  ])("from %s is sent, and kept in the state", async (...[, element, value, chosen]) => {
    const { act, last } = await postedForTest([actions(element, approve)]);
    await act({ action_id: "pick", ...(value !== undefined && { value }) });
    const { type } = element;
    expect(last()["actions"]).toMatchObject([{ type, action_id: "pick", block_id: "decide", ...chosen }]);
    await act({ action_id: "approve" });
    expect(last()["state"]).toEqual({ values: { decide: { pick: { type, ...chosen } } } });
    await act({ action_id: "approve", user: "bob" });
    expect(last()["state"]).not.toMatchObject({ values: { decide: { pick: chosen } } });
  });

  test.each<[string, Json, Act["value"]]>([
    ["an option that is not there", pick("static_select", { options }), "z"],
    ["nothing", pick("static_select", { options }), undefined],
    ["one of several, without a list", pick("checkboxes", { options }), "a"],
    ["too many", pick("multi_static_select", { options, max_selected_items: 1 }), ["a", "b"]],
    ["a user who does not exist", pick("users_select"), "U0NOBODY001"],
    ["no date", pick("datepicker"), "tomorrow"],
    ["an option that Slack would ask the app for", pick("external_select"), "a"],
  ])("of %s is rejected", async (_what, element, value) => {
    const { act, requests } = await postedForTest([actions(element)]);
    const acted = act({ action_id: "pick", ...(value !== undefined && { value }) });
    await expect(acted).rejects.toMatchObject({ status: 400 });
    expect(requests).toEqual([]);
  });

  test("of an overflow menu is in no state; one of feedback names the button", async () => {
    const one = (value: string): Json => ({ text: text(value), value });
    const rate = pick("feedback_buttons", { positive_button: one("good"), negative_button: one("bad") });
    const more = { ...pick("overflow", { options }), action_id: "more" };
    const blocks = [actions(more), { type: "context_actions", elements: [rate] }];
    const { act, last } = await postedForTest(blocks);
    await act({ action_id: "more", value: "b" });
    expect(last()).toMatchObject({ actions: [{ selected_option: option("b") }], state: { values: {} } });
    await act({ action_id: "pick", value: "bad" });
    expect(last()["actions"]).toMatchObject([{ type: "feedback_buttons", value: "bad" }]);
    await expect(act({ action_id: "pick" })).rejects.toMatchObject({ status: 400 });
  });

  test("inside a container and a card is found", async () => {
    const inCard = [{ ...approve, action_id: "in_card" }];
    const card = { type: "card", title: { type: "mrkdwn", text: "x" }, actions: inCard };
    const container = { type: "container", title: text("x"), child_blocks: [actions(approve)] };
    const { act, last } = await postedForTest([container, { type: "carousel", elements: [card] }]);
    await act({ action_id: "approve" });
    expect(last()["actions"]).toMatchObject([{ block_id: "decide" }]);
    await act({ action_id: "in_card" });
    expect(last()["actions"]).toMatchObject([{ action_id: "in_card", block_id: expect.any(String) }]);
  });

  test.each<[string, channel: string, members: Json, selected: string | null]>([
    ["a channel", "random", {}, "C0RANDOM001"],
    ["a direct message", "D0ALICE0001", {}, "D0ALICE0001"],
    ["a direct message, which it excludes", "D0ALICE0001", { filter: { exclude_bot_users: true } }, null],
    ["a shared channel, which it excludes", "partners", { filter: { exclude_external_shared_channels: true } }, null],
    ["a private channel, which it excludes", "leads", { filter: { include: ["public"] } }, null],
    ["a channel, but starts with another one", "random", { initial_conversation: "C0GENERAL01" }, "C0GENERAL01"],
  ])("of a conversation, in a modal opened in %s, is one that the person can see", async (...row) => {
    const [, channel, members, selected_conversation] = row;
    const { dev, run, last } = await inUse();
    const { ts } = dev.control.postMessage({ channel, text: "here" });
    await run({ channel, ts });
    const element = pick("conversations_select", { default_to_current_conversation: true, ...members });
    const blocks = [{ type: "input", block_id: "place", label: text("Where?"), element }];
    const { trigger_id } = last();
    const { view } = await callWebApi(dev, "views.open", { trigger_id, view: modal({ blocks }) });
    expect(view).toMatchObject({ state: { values: { place: { pick: { selected_conversation } } } } });
    const view_id = String((view as Json)["id"]);
    const choose = (value: string) => dev.control.act({ user: "alice", view_id, action_id: "pick", value });
    for (const hidden of ["C0ARCHIVE01", "D0CHIYO0001"]) await expect(choose(hidden)).rejects.toThrow("does not offer");
    await choose("C0GENERAL01");
  });
});
