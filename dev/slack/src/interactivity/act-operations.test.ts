import { describe, expect, test } from "vitest";
import { slackSignature } from "../events/signed-request.ts";
import type { Act } from "../protocol/interactivity.ts";
import {
  callWebApi,
  postAsApp,
  actions,
  approve,
  interactionOf,
  type Json,
  postedForTest,
  type PostedOptions,
  text,
} from "../testing/dev-slack-for-test.ts";

const option = (value: string): Json => ({ text: text(value.toUpperCase()), value });
const options = ["a", "b", "c"].map(option);

describe("a button", () => {
  test("is sent once, as a signed form with all of Slack's members", async () => {
    const { dev, requests, place, act } = await postedForTest([actions(approve)]);
    expect(await act({ action_id: "approve" })).toEqual({ status: 200, ms: expect.any(Number) });
    const [request, ...more] = requests;
    expect([request?.url, more]).toEqual(["/slack/events", []]);
    expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    const timestamp = Number(request?.headers["x-slack-request-timestamp"]);
    const signature = slackSignature(dev.signingSecret, timestamp, request?.body ?? "");
    expect(request?.headers["x-slack-signature"]).toBe(signature);
    expect(interactionOf(request)).toEqual({
      type: "block_actions",
      user: { id: "U0ALICE0001", username: "alice", name: "alice", team_id: dev.workspace.team.id },
      api_app_id: dev.workspace.app.app_id,
      token: expect.any(String),
      container: { type: "message", message_ts: place.ts, channel_id: place.channel, is_ephemeral: false },
      trigger_id: expect.stringMatching(/^\d+\.\d+\.[0-9a-f]+$/),
      team: { id: dev.workspace.team.id, domain: dev.workspace.team.domain },
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: place.channel, name: "general" },
      message: expect.objectContaining({ type: "message", ts: place.ts, text: "Deploy?", blocks: [actions(approve)] }),
      state: { values: {} },
      response_url: expect.stringContaining(`${dev.url}/actions/${dev.workspace.team.id}/`),
      actions: [{ ...approve, block_id: "decide", action_ts: expect.stringMatching(/^\d{10}\.\d{6}$/) }],
    });
    expect(JSON.stringify(dev.control.traffic())).not.toContain("/actions/T0");
  });

  test("gets ids from Slack where the app set none, and keeps them in the message", async () => {
    const { dev, act, last, place } = await postedForTest([
      { type: "section", text: text("x"), accessory: { ...approve, action_id: undefined } },
    ]);
    const [section] = (dev.control.messages(place)[0]?.blocks ?? []) as { block_id: string; accessory: Json }[];
    const action_id = String(section?.accessory["action_id"]);
    await act({ action_id });
    expect(last()["actions"]).toMatchObject([{ action_id, block_id: section?.block_id, value: "42" }]);
  });

  test.each<[string, Partial<Act>, number]>([
    ["that the message does not have", { action_id: "reject" }, 404],
    ["in a block that does not have it", { block_id: "other" }, 404],
    ["of a message that does not exist", { ts: "1700000000.000001" }, 404],
    ["in a channel of which the person is not a member", { user: "paula" }, 403],
    ["of nobody", { user: "zoe" }, 404],
  ])("%s can't be pressed", async (_what, rest, status) => {
    const { act, requests } = await postedForTest([actions(approve)]);
    await expect(act({ action_id: "approve", ...rest })).rejects.toMatchObject({ status });
    expect(requests).toEqual([]);
  });

  test("can be pressed only by its block if two blocks have it, and not in a person's message", async () => {
    const { dev, act, last } = await postedForTest([actions(approve), { ...actions(approve), block_id: "again" }]);
    await expect(act({ action_id: "approve" })).rejects.toThrow("block_id: required");
    await act({ action_id: "approve", block_id: "again" });
    expect(last()["actions"]).toMatchObject([{ block_id: "again" }]);
    const { ts } = dev.control.postMessage({ channel: "general", text: "hi" });
    await expect(act({ action_id: "approve", ts })).rejects.toMatchObject({ status: 403 });
  });

  test("is gone after an update or a deletion of its message", async () => {
    const { dev, act, place } = await postedForTest([actions(approve)]);
    await callWebApi(dev, "chat.update", { ...place, text: "Approved" });
    await expect(act({ action_id: "approve" })).rejects.toMatchObject({ status: 404 });
    await callWebApi(dev, "chat.delete", place);
    await expect(act({ action_id: "approve" })).rejects.toMatchObject({ status: 404 });
  });

  test.each<[string, PostedOptions, string]>([
    ["does not answer in time", { answer: () => undefined, ackTimeoutMs: 50 }, "operation_timeout"],
    ["fails", { answer: (response) => response.writeHead(500).end() }, "dispatch_failed"],
    ["answers with 201", { answer: (response) => response.writeHead(201).end() }, "dispatch_failed"],
  ])("of an app that %s shows a warning sign, and is not sent again", async (_what, app, warning) => {
    const { dev, act, requests, place } = await postedForTest([actions(approve)], app);
    const events: unknown[] = [];
    dev.control.subscribe(({ type }) => events.push(type));
    expect(await act({ action_id: "approve" })).toMatchObject({ warning });
    await dev.control.idle();
    expect(requests).toHaveLength(1);
    expect(dev.control.warnings()).toEqual([
      { user: "U0ALICE0001", type: "block_actions", on: place.ts, error: warning },
    ]);
    expect(events).toContain("warning");
  });

  test("of an uninstalled app reaches nothing", async () => {
    const { dev, act, requests } = await postedForTest([actions(approve)]);
    dev.uninstall();
    await dev.control.idle();
    const before = requests.length;
    expect(await act({ action_id: "approve" })).toMatchObject({ status: 0, warning: "dispatch_failed" });
    expect(requests).toHaveLength(before);
  });

  test("can be sent as another app's, with a valid signature", async () => {
    const { dev, place, last } = await postedForTest([actions(approve)]);
    await dev.control.act({ ...place, user: "bob", action_id: "approve" }, { api_app_id: "A0OTHER" });
    expect(last()).toMatchObject({ api_app_id: "A0OTHER", user: { id: "U0BOB000001" } });
  });

  test("of a partner names the partner's own team", async () => {
    const { dev, last } = await postedForTest([]);
    const ts = await postAsApp(dev, "C0SHARED001", { text: "x", blocks: [actions(approve)] });
    await dev.control.act({ channel: "partners", ts, user: "paula", action_id: "approve" });
    expect(last()).toMatchObject({ user: { team_id: "T0PARTNERS1" }, team: { id: dev.workspace.team.id } });
  });
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
    ["an option that the app has not suggested", pick("external_select"), "a"],
  ])("of %s is rejected", async (_what, element, value) => {
    const { act, requests } = await postedForTest([actions(element)]);
    await expect(act({ action_id: "pick", ...(value !== undefined && { value }) })).rejects.toMatchObject({
      status: 400,
    });
    expect(requests).toEqual([]);
  });

  test("of an overflow menu is sent, and in no state", async () => {
    const { act, last } = await postedForTest([actions(pick("overflow", { options }))]);
    await act({ action_id: "pick", value: "b" });
    expect(last()).toMatchObject({ actions: [{ selected_option: option("b") }], state: { values: {} } });
  });

  test("of feedback names the button", async () => {
    const one = (value: string): Json => ({ text: text(value), value });
    const feedback = {
      type: "feedback_buttons",
      action_id: "rate",
      positive_button: one("good"),
      negative_button: one("bad"),
    };
    const { act, last } = await postedForTest([{ type: "context_actions", elements: [feedback] }]);
    await act({ action_id: "rate", value: "bad" });
    expect(last()["actions"]).toMatchObject([{ type: "feedback_buttons", action_id: "rate", value: "bad" }]);
    await expect(act({ action_id: "rate" })).rejects.toMatchObject({ status: 400 });
  });

  test("inside a container and a card is found", async () => {
    const card = {
      type: "card",
      title: { type: "mrkdwn", text: "x" },
      actions: [{ ...approve, action_id: "in_card" }],
    };
    const blocks = [
      { type: "container", title: text("x"), child_blocks: [actions(approve)] },
      { type: "carousel", elements: [card] },
    ];
    const { act, last } = await postedForTest(blocks);
    await act({ action_id: "approve" });
    expect(last()["actions"]).toMatchObject([{ block_id: "decide" }]);
    await act({ action_id: "in_card" });
    expect(last()["actions"]).toMatchObject([{ action_id: "in_card", block_id: expect.any(String) }]);
  });
});

describe("suggestions", () => {
  const external = (type = "external_select"): Json[] => [actions({ type, action_id: "pick", min_query_length: 2 })];
  const say = (said: Json) => ({
    answer: (response: { end: (body: string) => unknown }) => response.end(JSON.stringify(said)),
  });

  test.each<[string, Json]>([
    ["options", { options }],
    ["groups", { option_groups: [{ label: text("g"), options }] }],
  ])("are the app's %s, and can then be chosen", async (_what, said) => {
    const { dev, act, last, place } = await postedForTest(external(), say(said));
    const typed = { ...place, user: "alice", action_id: "pick", value: "al" };
    expect(await dev.control.suggest(typed)).toMatchObject({ status: 200, options });
    expect(last()).toMatchObject({
      type: "block_suggestion",
      action_id: "pick",
      block_id: "decide",
      value: "al",
      user: { id: "U0ALICE0001" },
    });
    expect(last()).not.toHaveProperty("response_url");
    await act({ action_id: "pick", value: "b" });
    expect(last()["actions"]).toMatchObject([{ selected_option: option("b") }]);
  });

  test("that are none, or invalid, offer nothing", async () => {
    const none = await postedForTest(external("multi_external_select"), say({ options: [] }));
    const typed = { user: "alice", action_id: "pick", value: "al" };
    expect(await none.dev.control.suggest({ ...none.place, ...typed })).toMatchObject({ options: [] });
    const invalid = await postedForTest(external(), say({ options: [{ text: "no object", value: "a" }] }));
    expect(await invalid.dev.control.suggest({ ...invalid.place, ...typed })).toMatchObject({
      warning: "invalid_response",
    });
    await expect(invalid.act({ action_id: "pick", value: "a" })).rejects.toMatchObject({ status: 400 });
  });

  test("are asked for only from the menu's own length", async () => {
    const { dev, place, requests } = await postedForTest(external());
    const short = { ...place, user: "alice", action_id: "pick", value: "a" };
    await expect(dev.control.suggest(short)).rejects.toThrow("too short");
    expect(requests).toEqual([]);
  });
});
