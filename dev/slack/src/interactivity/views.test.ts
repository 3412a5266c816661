import { expect, test } from "vitest";
import {
  callWebApi,
  devSlackForTest,
  eventOf,
  input,
  type Json,
  modal,
  modalsForTest,
  more,
  recordingApp,
  text,
  USER,
} from "../testing/dev-slack-for-test.ts";

const titlesOf = (views: { definition: Json }[]): unknown[] => views.map(({ definition }) => definition["title"]);

test("a modal has all of Slack's members, and only its person sees it", async () => {
  const { dev, press } = await modalsForTest();
  const { view } = await callWebApi(dev, "views.open", { trigger_id: await press(), view: modal() });
  const { team, app } = dev.workspace;
  const { id } = view as Json;
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
    root_view_id: id,
    previous_view_id: null,
  });
  expect(dev.control.views("alice")).toMatchObject([{ id, user: USER }]);
  expect(dev.control.views("bob")).toEqual([]);
});

test("a trigger id is exchanged once, in time, and as interactivity_pointer too; a refused view does not use it up", async () => {
  const { dev, press } = await modalsForTest();
  const open = async (trigger_id: string, view = modal()) =>
    (await callWebApi(dev, "views.open", { trigger_id, view }))["error"];
  const trigger_id = await press();
  expect(await open(trigger_id, modal({ colour: "red" }))).toBe("invalid_arguments");
  expect([await open(trigger_id), await open(trigger_id)]).toEqual([undefined, "exchanged_trigger_id"]);
  const interactivity_pointer = await press();
  expect(await callWebApi(dev, "views.open", { interactivity_pointer, view: modal() })).toMatchObject({ ok: true });
  expect(dev.control.views(USER)).toHaveLength(1);
  const late = await modalsForTest({ triggerLifetimeMs: 0 });
  const answer = await callWebApi(late.dev, "views.open", { trigger_id: await late.press(), view: modal() });
  expect(answer).toMatchObject({ error: "expired_trigger_id" });
});

test("a stack is three modals deep, only the top one can be used, and nothing is pushed from outside", async () => {
  const { dev, open, push, press, submit, type, top } = await modalsForTest();
  const outside = await press();
  const first = await open();
  expect(await callWebApi(dev, "views.push", { trigger_id: outside, view: modal() })).toMatchObject({
    error: "not_found",
  });
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

test("an update keeps what was typed, and needs the latest hash if it names one; an external_id is one view's", async () => {
  const { dev, open, push, type, submit, sent } = await modalsForTest();
  const mine = { external_id: "mine" };
  const { id, hash } = await open(modal(mine));
  expect(await push(modal(mine))).toMatchObject({ error: "duplicate_external_id" });
  const view = modal({ ...mine, title: text("New") });
  const update = (args: Json) => callWebApi(dev, "views.update", { view, ...args });
  await type(id, "kept");
  const kept = { values: { reason: { typed: { value: "kept" } } } };
  const updated = await update({ view_id: id, hash });
  expect(updated).toMatchObject({ view: { id, title: text("New"), state: kept } });
  expect((updated["view"] as Json)["hash"]).not.toBe(hash);
  expect(await update({ view_id: id, hash })).toMatchObject({ error: "hash_conflict" });
  expect(await update(mine)).toMatchObject({ ok: true });
  await submit(id);
  expect(sent().at(-1)).toMatchObject({ view: { state: kept } });
  expect(await update({ view_id: id })).toMatchObject({ error: "not_found" });
  await open(modal(mine));
});

test("a submission sends the view with what was typed, and closes it", async () => {
  const { dev, open, type, submit, sent } = await modalsForTest();
  const { id } = await open();
  expect(await type(id, "because")).toEqual({ status: 0, ms: 0 });
  expect(await submit(id)).toEqual({ status: 200, ms: expect.any(Number) });
  expect(sent().map((one) => one["type"])).toEqual(["block_actions", "view_submission"]);
  const { team, app } = dev.workspace;
  expect(sent().at(-1)).toEqual({
    type: "view_submission",
    team: { id: team.id, domain: team.domain },
    user: { id: USER, username: "alice", name: "alice", team_id: team.id },
    api_app_id: app.app_id,
    token: expect.any(String),
    trigger_id: expect.any(String),
    enterprise: null,
    is_enterprise_install: false,
    response_urls: [],
    view: expect.objectContaining({
      id,
      callback_id: "decide",
      state: { values: { reason: { typed: { type: "plain_text_input", value: "because" } } } },
    }),
  });
  expect(dev.control.views(USER)).toEqual([]);
});

const optional = { optional: true };
const started = { element: { type: "plain_text_input", action_id: "typed", initial_value: "before" } };

test.each<[string, Json, typed: string[], value: string | null]>([
  ["an empty optional input", optional, [], null],
  ["an initial value", started, [], "before"],
  ["an emptied initial value", { ...optional, ...started }, [""], null],
])("a submission has %s", async (...[, members, typed, value]) => {
  const { open, type, submit, sent } = await modalsForTest();
  const { id } = await open(modal({ blocks: [input("reason", members)] }));
  for (const words of typed) await type(id, words);
  await submit(id);
  expect(sent().at(-1)).toMatchObject({ view: { state: { values: { reason: { typed: { value } } } } } });
});

test("an empty input, and a text that is too short, are not sent", async () => {
  const { open, type, submit, sent } = await modalsForTest();
  const { id } = await open();
  await expect(submit(id)).rejects.toThrow("reason: required");
  await type(id, "x");
  await expect(submit(id)).rejects.toThrow("reason: too short");
  expect(sent()).toHaveLength(1);
});

const answer = (response_action: string, members: Json = {}): Json => ({ response_action, ...members });
const titled = (title: string): Json => ({ view: modal({ title: text(title) }) });

test.each<[string, unknown, titles: string[], { warning?: string; errors?: Json }]>([
  ["an empty object", {}, [], {}],
  ["errors", answer("errors", { errors: { reason: "No." } }), ["Decide"], { errors: { reason: "No." } }],
  [
    "errors of a block that is no input",
    answer("errors", { errors: { buttons: "No." } }),
    ["Decide"],
    { warning: "invalid_response" },
  ],
  ["an update", answer("update", titled("Thanks")), ["Thanks"], {}],
  ["a push", answer("push", titled("Sure?")), ["Decide", "Sure?"], {}],
  ["clear", answer("clear"), [], {}],
  ["an invalid view", answer("update", titled("x".repeat(25))), ["Decide"], { warning: "invalid_arguments" }],
  ["an unknown action", answer("close"), ["Decide"], { warning: "invalid_response" }],
  ["a text", "ok", ["Decide"], { warning: "invalid_response" }],
])("a submission that is answered with %s", async (...[, said, titles, outcome]) => {
  const { dev, open, type, submit, says } = await modalsForTest();
  const { id } = await open();
  await type(id, "because");
  says(said);
  expect(await submit(id)).toEqual({ status: 200, ms: expect.any(Number), ...outcome });
  expect(titlesOf(dev.control.views(USER))).toEqual(titles.map(text));
  const { warning: error } = outcome;
  const sign = { user: USER, type: "view_submission", on: id, error };
  expect(dev.control.warnings()).toEqual(error === undefined ? [] : [sign]);
});

test("a submission without an acknowledgment leaves the modal open, with a warning sign; closing it leaves none", async () => {
  const { dev, open, type, submit } = await modalsForTest();
  const { id } = await open(modal({ notify_on_close: true }));
  await type(id, "because");
  dev.setEventsUrl((await recordingApp((response) => response.writeHead(500).end())).url);
  expect(await submit(id)).toMatchObject({ status: 500, warning: "dispatch_failed" });
  expect(dev.control.views(USER)).toHaveLength(1);
  await dev.control.closeView({ user: USER, view_id: id });
  expect([dev.control.views(USER), dev.control.warnings().length]).toEqual([[], 1]);
});

test("a modal sends its buttons, and inputs with dispatch_action, with the view and no response_url", async () => {
  const { dev, open, type, press, sent } = await modalsForTest();
  const blocks = [input("now", { dispatch_action: true }), input("later"), { type: "actions", elements: [more] }];
  const { id } = await open(modal({ blocks }));
  await type(id, "later", "later");
  await type(id, "now", "now");
  expect(sent().at(-1)).toMatchObject({
    type: "block_actions",
    container: { type: "view", view_id: id },
    view: { id, state: { values: { now: { typed: { value: "now" } }, later: { typed: { value: "later" } } } } },
    actions: [{ type: "plain_text_input", block_id: "now", value: "now" }],
  });
  await press(id);
  for (const member of ["response_url", "message", "channel"]) expect(sent().at(-1)).not.toHaveProperty(member);
  expect(sent()).toHaveLength(3);
  await expect(dev.control.act({ user: "bob", view_id: id, action_id: "more" })).rejects.toMatchObject({ status: 404 });
});

test.each<[string, Json, left: number, closed: boolean[]]>([
  ["silently without notify_on_close", {}, 1, []],
  ["with an event for notify_on_close", { notify_on_close: true }, 1, [false]],
  ["with all others for clear_on_close", { notify_on_close: true, clear_on_close: true }, 0, [true, true]],
])("a modal is closed %s", async (...[, members, left, closed]) => {
  const { dev, open, push, sent, top } = await modalsForTest();
  await open(modal(members));
  await push(modal(members));
  await dev.control.closeView({ user: USER, view_id: top().id });
  expect(dev.control.views(USER)).toHaveLength(left);
  const events = sent().filter((one) => one["type"] === "view_closed");
  expect(events).toMatchObject(closed.map((is_cleared) => ({ is_cleared, view: { callback_id: "decide" } })));
  for (const event of events) expect(event).not.toHaveProperty("trigger_id");
});

test("a Home tab is one person's: it sends its presses with the view, app_home_opened has it, and an app can have none", async () => {
  const { dev, sent } = await modalsForTest();
  const go = { type: "button", action_id: "go", text: text("Go") };
  const blocks = [{ type: "actions", block_id: "ask", elements: [go] }];
  const home = { type: "home", private_metadata: "kept", blocks };
  const publish = (args: Json = {}) => callWebApi(dev, "views.publish", { user_id: USER, view: home, ...args });
  const { view } = await publish();
  const { id, hash } = view as { id: string; hash: string };
  expect(view).toMatchObject({ ...home, team_id: dev.workspace.team.id, root_view_id: id, title: null });
  expect([dev.control.home("alice")?.id, dev.control.home("bob")]).toEqual([id, undefined]);
  const press = { view_id: id, action_id: "go" };
  await dev.control.act({ user: "alice", ...press });
  expect(sent().at(-1)).toMatchObject({ container: { type: "view", view_id: id }, view: { id, hash } });
  expect(sent().at(-1)).not.toHaveProperty("response_url");
  await expect(dev.control.act({ user: "bob", ...press })).rejects.toMatchObject({ status: 404 });
  expect(await publish({ hash })).toMatchObject({ ok: true, view: { id } });
  expect(await publish({ hash })).toMatchObject({ error: "hash_conflict" });

  const app = await recordingApp();
  dev.setEventsUrl(app.url);
  for (const user of ["bob", "alice"]) {
    dev.control.openHome({ user });
    await dev.control.idle();
  }
  expect(app.requests.map(eventOf)).toMatchObject([
    { type: "app_home_opened", user: "U0BOB000001", channel: "D0BOB000001", tab: "home" },
    { user: USER, channel: "D0ALICE0001", view: { type: "home", private_metadata: "kept" } },
  ]);
  expect(eventOf(app.requests[0])).not.toHaveProperty("view");
  const without = await devSlackForTest();
  without.workspace.app.home_tab_disabled = true;
  expect(await callWebApi(without, "views.publish", { user_id: USER, view: home })).toMatchObject({
    error: "not_enabled",
  });
  expect(() => without.control.openHome({ user: "alice" })).toThrow("no Home tab");
});
