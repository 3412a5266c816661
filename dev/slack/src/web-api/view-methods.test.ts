import { describe, expect, test } from "vitest";
import {
  callWebApi,
  devSlackForTest,
  type Json,
  text,
  modal,
  modalsForTest,
  more,
  USER,
} from "../testing/dev-slack-for-test.ts";

const invalid = (...problems: string[]): Json => ({ error: "invalid_arguments", errors: problems });

describe("views.open", () => {
  test("shows a view with all of Slack's members", async () => {
    const { dev, press } = await modalsForTest();
    const { view } = await callWebApi(dev, "views.open", { trigger_id: await press(), view: modal() });
    const { team, app } = dev.workspace;
    expect(view).toEqual({
      ...modal(),
      id: expect.stringMatching(/^V\w{10}$/),
      team_id: team.id,
      app_id: app.app_id,
      app_installed_team_id: team.id,
      bot_id: app.bot_id,
      private_metadata: "",
      external_id: "",
      close: null,
      clear_on_close: false,
      notify_on_close: false,
      state: { values: { reason: { typed: { type: "plain_text_input", value: null } } } },
      hash: expect.stringMatching(/^\d+\.\w+$/),
      root_view_id: (view as Json)["id"],
      previous_view_id: null,
    });
    expect(dev.control.views("alice")).toMatchObject([{ id: (view as Json)["id"], user: USER }]);
    expect(dev.control.views("bob")).toEqual([]);
  });

  test("exchanges a trigger id once, and in time; also one of a command, as interactivity_pointer", async () => {
    const { dev, press } = await modalsForTest();
    const view = modal();
    const trigger_id = await press();
    expect(
      await callWebApi(dev, "views.open", { trigger_id, view: modal({ title: text("x".repeat(25)) }) }),
    ).toMatchObject({ error: "invalid_arguments" });
    expect(await callWebApi(dev, "views.open", { trigger_id, view })).toMatchObject({ ok: true });
    expect(await callWebApi(dev, "views.open", { trigger_id, view })).toMatchObject({ error: "exchanged_trigger_id" });
    expect(await callWebApi(dev, "views.open", { trigger_id: "1.2.abc", view })).toMatchObject({
      error: "invalid_trigger_id",
    });
    expect(await callWebApi(dev, "views.open", { view })).toMatchObject(invalid("missing required field: trigger_id"));
    const late = await modalsForTest({ triggerLifetimeMs: 0 });
    expect(await callWebApi(late.dev, "views.open", { trigger_id: await late.press(), view })).toMatchObject({
      error: "expired_trigger_id",
    });
    const pointer = await press();
    expect(await callWebApi(dev, "views.open", { interactivity_pointer: pointer, view })).toMatchObject({ ok: true });
    expect(dev.control.views(USER)).toHaveLength(1);
  });

  const long = (length: number, at: string): string =>
    `must be less than ${length + 1} characters [json-pointer:/view/${at}]`;
  test.each<[string, unknown, Json]>([
    ["a title over 24", modal({ title: text("x".repeat(25)) }), invalid(long(24, "title/text"))],
    ["a submit over 24", modal({ submit: text("x".repeat(25)) }), invalid(long(24, "submit/text"))],
    ["a close over 24", modal({ close: text("x".repeat(25)) }), invalid(long(24, "close/text"))],
    [
      "private_metadata over 3,000",
      modal({ private_metadata: "x".repeat(3001) }),
      invalid(long(3000, "private_metadata")),
    ],
    ["a callback_id over 255", modal({ callback_id: "x".repeat(256) }), invalid(long(255, "callback_id"))],
    [
      "a button over 75",
      modal({ blocks: [{ type: "actions", elements: [{ ...more, text: text("x".repeat(76)) }] }] }),
      invalid(long(75, "blocks/0/elements/0/text/text")),
    ],
    [
      "an input without submit",
      { ...modal(), submit: undefined },
      invalid("missing required field: submit [json-pointer:/view]"),
    ],
    ["no title", { ...modal(), title: undefined }, invalid("missing required field: title [json-pointer:/view]")],
    ["another type", modal({ type: "home" }), invalid("must be a valid enum value [json-pointer:/view/type]")],
    [
      "an unknown member",
      modal({ colour: "red" }),
      invalid("invalid additional property: colour [json-pointer:/view]"),
    ],
    [
      "no object",
      "view",
      invalid("must be an object [json-pointer:/view]", "must be a list of blocks [json-pointer:/view/blocks]"),
    ],
    ["250 kB", modal({ private_metadata: "x".repeat(250_000) }), { error: "view_too_large" }],
  ])("rejects %s", async (_what, view, problem) => {
    const { dev, press } = await modalsForTest();
    expect(await callWebApi(dev, "views.open", { trigger_id: await press(), view })).toMatchObject(problem);
    expect(dev.control.views(USER)).toEqual([]);
  });
});

describe("views.push and views.update", () => {
  test("a stack is three modals deep, and only the top one can be used", async () => {
    const { dev, open, push, press, submit, type, top } = await modalsForTest();
    const first = await open();
    expect(await push()).toMatchObject({ view: { root_view_id: first.id, previous_view_id: first.id } });
    const second = top();
    expect(await push()).toMatchObject({ view: { root_view_id: first.id, previous_view_id: second.id } });
    expect(await push()).toMatchObject({ error: "push_limit_reached" });
    await expect(press(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(submit(second.id)).rejects.toMatchObject({ status: 404 });
    await type(top().id, "done");
    await submit(top().id);
    expect(dev.control.views(USER).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test("nothing is pushed without a view from which it was triggered", async () => {
    const { dev, press, open } = await modalsForTest();
    const outside = await press();
    await open();
    expect(await callWebApi(dev, "views.push", { trigger_id: outside, view: modal() })).toMatchObject({
      error: "not_found",
    });
  });

  test("an update needs a known view and, if it names a hash, the latest", async () => {
    const { dev, open, type, submit, sent } = await modalsForTest();
    const { id, hash } = await open(modal({ external_id: "mine" }));
    const update = (args: Json) =>
      callWebApi(dev, "views.update", { view: modal({ external_id: "mine", title: text("New") }), ...args });
    await type(id, "kept");
    const { view } = await update({ view_id: id, hash });
    expect(view).toMatchObject({ id, title: text("New"), state: { values: { reason: { typed: { value: "kept" } } } } });
    expect((view as Json)["hash"]).not.toBe(hash);
    expect(await update({ view_id: id, hash })).toMatchObject({ error: "hash_conflict" });
    expect(await update({ external_id: "mine" })).toMatchObject({ ok: true });
    expect(await update({ external_id: "yours" })).toMatchObject({ error: "not_found" });
    expect(await update({ view_id: "V0NOWHERE01" })).toMatchObject({ error: "not_found" });
    expect(await update({})).toMatchObject(invalid("missing required field: view_id or external_id"));
    await submit(id);
    expect(sent().at(-1)).toMatchObject({ view: { state: { values: { reason: { typed: { value: "kept" } } } } } });
    expect(await update({ view_id: id })).toMatchObject({ error: "not_found" });
  });

  test("an external_id is taken while its view is open", async () => {
    const { dev, open, push, top } = await modalsForTest();
    await open(modal({ external_id: "mine" }));
    expect(await push(modal({ external_id: "mine" }))).toMatchObject({ error: "duplicate_external_id" });
    await dev.control.closeView({ user: USER, view_id: top().id });
    await open(modal({ external_id: "mine" }));
  });
});

describe("views.publish", () => {
  const home = (members: Json = {}): Json => ({
    type: "home",
    private_metadata: "kept",
    blocks: [{ type: "actions", block_id: "ask", elements: [{ type: "button", action_id: "go", text: text("Go") }] }],
    ...members,
  });
  const publish = async (args: Json = {}, view = home()) => {
    const dev = await devSlackForTest();
    return { dev, answer: await callWebApi(dev, "views.publish", { user_id: USER, view, ...args }) };
  };

  test("replaces a person's Home tab, which sends its presses with the view, and without a response_url", async () => {
    const { dev, press } = await modalsForTest();
    await press();
    const first = await callWebApi(dev, "views.publish", { user_id: USER, view: home() });
    const { id, hash } = first["view"] as { id: string; hash: string };
    expect(first["view"]).toMatchObject({ ...home(), team_id: dev.workspace.team.id, root_view_id: id, title: null });
    expect(dev.control.home("alice")?.id).toBe(id);
    expect(dev.control.home("bob")).toBeUndefined();
    expect(dev.control.views("alice")).toEqual([]);
    await dev.control.act({ user: "alice", view_id: id, action_id: "go" });
    const sent = dev.control.traffic().at(-1) as unknown as { request: { body: { payload: Json } } };
    expect(sent.request.body.payload).toMatchObject({ container: { type: "view", view_id: id }, view: { id, hash } });
    expect(sent.request.body.payload).not.toHaveProperty("response_url");
    await expect(dev.control.act({ user: "bob", view_id: id, action_id: "go" })).rejects.toMatchObject({ status: 404 });
    const again = await callWebApi(dev, "views.publish", { user_id: USER, hash, view: home() });
    expect(again).toMatchObject({ ok: true, view: { id } });
    const late = await callWebApi(dev, "views.publish", { user_id: USER, hash, view: home() });
    expect(late).toMatchObject({ error: "hash_conflict" });
  });

  test.each<[string, unknown, string]>([
    ["a modal", modal(), "must be a valid enum value [json-pointer:/view/type]"],
    ["a title", home({ title: text("Home") }), "invalid additional property: title [json-pointer:/view]"],
    [
      "101 blocks",
      home({ blocks: Array.from({ length: 101 }, () => ({ type: "divider" })) }),
      "no more than 100 items allowed [json-pointer:/view/blocks]",
    ],
    [
      "a block of messages only",
      home({ blocks: [{ type: "markdown", text: "x" }] }),
      'unsupported type: "markdown" [json-pointer:/view/blocks/0]',
    ],
    [
      "too long metadata",
      home({ private_metadata: "x".repeat(3_001) }),
      "must be less than 3001 characters [json-pointer:/view/private_metadata]",
    ],
  ])("refuses %s", async (_what, view, problem) => {
    const { answer } = await publish({ view });
    expect(answer).toMatchObject({ error: "invalid_arguments", errors: expect.arrayContaining([problem]) });
  });

  test("refuses unknown people, large views, and an app without a Home tab", async () => {
    expect((await publish({ user_id: "U0NOBODY" })).answer).toMatchObject({ error: "user_not_found" });
    const large = home({
      blocks: Array.from({ length: 90 }, () => ({ type: "section", text: text("x".repeat(2_900)) })),
    });
    const { dev, answer } = await publish({ view: large });
    expect(answer).toMatchObject({ error: "view_too_large" });
    dev.workspace.app.home_tab_disabled = true;
    expect(await callWebApi(dev, "views.publish", { user_id: USER, view: home() })).toMatchObject({
      error: "not_enabled",
    });
    expect(() => dev.control.openHome({ user: "alice" })).toThrow("no Home tab");
  });

  test("follows app_home_opened, which has the published view from the second time on", async () => {
    const { dev } = await publish();
    dev.control.openHome({ user: "bob" });
    dev.control.openHome({ user: "alice" });
    await dev.control.idle();
    const events = dev.control.traffic().filter(({ name }) => name === "app_home_opened");
    expect(events.map(({ request }) => (request as { body: { event: Json } }).body.event)).toMatchObject([
      { type: "app_home_opened", user: "U0BOB000001", channel: "D0BOB000001", tab: "home" },
      { user: USER, channel: "D0ALICE0001", view: { type: "home", private_metadata: "kept" } },
    ]);
  });
});
