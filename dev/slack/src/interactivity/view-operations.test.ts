import { describe, expect, test } from "vitest";
import type { OpenView } from "../protocol/workspace.ts";
import type { DevSlack, DevSlackOptions } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest, postAsApp, recordingApp } from "../testing/dev-slack-for-test.ts";

type Json = Record<string, unknown>;

const text = (words: string): Json => ({ type: "plain_text", text: words });
const button = { type: "button", action_id: "more", text: text("More") };
const input = (block_id: string, rest: Json = {}): Json => ({
  type: "input",
  block_id,
  label: text("Why?"),
  element: { type: "plain_text_input", action_id: "typed", min_length: 2 },
  ...rest,
});
const modal = (rest: Json = {}): Json => ({
  type: "modal",
  callback_id: "decide",
  title: text("Decide"),
  submit: text("Send"),
  blocks: [input("reason"), { type: "actions", block_id: "buttons", elements: [button] }],
  ...rest,
});

const USER = "U0ALICE0001";
const ALICE = { user: "alice" };
const invalid = (...problems: string[]): Json => ({ error: "invalid_arguments", errors: problems });

/** A local Slack with a message with a button, and an app that answers interactions with `says`. */
async function started(options: DevSlackOptions = {}) {
  const dev = await devSlackForTest(options);
  const ts = await postAsApp(dev, "C0GENERAL01", { text: "x", blocks: [{ type: "actions", elements: [button] }] });
  await dev.control.idle();
  let says: unknown;
  const app = await recordingApp((response) => response.end(says === undefined ? "" : JSON.stringify(says)));
  dev.setEventsUrl(app.url);
  const sent = (): Json[] =>
    app.requests.map(({ body }) => JSON.parse(new URLSearchParams(body).get("payload") ?? "{}") as Json);
  const press = async (view_id?: string): Promise<string> => {
    const place = view_id === undefined ? { channel: "general", ts } : { view_id };
    await dev.control.act({ ...ALICE, ...place, action_id: "more" });
    return String(sent().at(-1)?.["trigger_id"]);
  };
  const open = async (view: Json = modal()): Promise<OpenView> => {
    const { ok, errors } = await callWebApi(dev, "views.open", { trigger_id: await press(), view });
    if (ok !== true) throw new Error(JSON.stringify(errors));
    return top(dev);
  };
  const type = (view_id: string, value: string, block_id = "reason") =>
    dev.control.act({ ...ALICE, view_id, action_id: "typed", block_id, value });
  const submit = (view_id: string) => dev.control.submitView({ ...ALICE, view_id });
  const push = async (view: Json = modal()) =>
    callWebApi(dev, "views.push", { trigger_id: await press(top(dev).id), view });
  return { dev, sent, press, open, push, type, submit, says: (next: unknown) => void (says = next) };
}

function top(dev: DevSlack): OpenView {
  const view = dev.control.views(USER).at(-1);
  if (!view) throw new Error("no view is open");
  return view;
}

describe("views.open", () => {
  test("shows a view with all of Slack's members", async () => {
    const { dev, press } = await started();
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
    const { dev, press } = await started();
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
    const late = await started({ triggerLifetimeMs: 0 });
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
      modal({ blocks: [{ type: "actions", elements: [{ ...button, text: text("x".repeat(76)) }] }] }),
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
    const { dev, press } = await started();
    expect(await callWebApi(dev, "views.open", { trigger_id: await press(), view })).toMatchObject(problem);
    expect(dev.control.views(USER)).toEqual([]);
  });
});

describe("views.push and views.update", () => {
  test("a stack is three modals deep, and only the top one can be used", async () => {
    const { dev, open, push, press, submit, type } = await started();
    const first = await open();
    expect(await push()).toMatchObject({ view: { root_view_id: first.id, previous_view_id: first.id } });
    const second = top(dev);
    expect(await push()).toMatchObject({ view: { root_view_id: first.id, previous_view_id: second.id } });
    expect(await push()).toMatchObject({ error: "push_limit_reached" });
    await expect(press(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(submit(second.id)).rejects.toMatchObject({ status: 404 });
    await type(top(dev).id, "done");
    await submit(top(dev).id);
    expect(dev.control.views(USER).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test("nothing is pushed without a view from which it was triggered", async () => {
    const { dev, press, open } = await started();
    const outside = await press();
    await open();
    expect(await callWebApi(dev, "views.push", { trigger_id: outside, view: modal() })).toMatchObject({
      error: "not_found",
    });
  });

  test("an update needs a known view and, if it names a hash, the latest", async () => {
    const { dev, open, type, submit, sent } = await started();
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
    const { dev, open, push } = await started();
    await open(modal({ external_id: "mine" }));
    expect(await push(modal({ external_id: "mine" }))).toMatchObject({ error: "duplicate_external_id" });
    dev.control.closeView({ ...ALICE, view_id: top(dev).id });
    await open(modal({ external_id: "mine" }));
  });
});

describe("a submission", () => {
  test("sends the view with what was typed, and closes it", async () => {
    const { dev, open, type, submit, sent } = await started();
    const { id } = await open();
    expect(await type(id, "because")).toEqual({ status: 0, ms: 0 });
    expect(await submit(id)).toEqual({ status: 200, ms: expect.any(Number) });
    expect(sent().map((one) => one["type"])).toEqual(["block_actions", "view_submission"]);
    expect(sent().at(-1)).toEqual({
      type: "view_submission",
      team: { id: dev.workspace.team.id, domain: dev.workspace.team.domain },
      user: { id: USER, username: "alice", name: "alice", team_id: dev.workspace.team.id },
      api_app_id: dev.workspace.app.app_id,
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

  test.each<[string, string | undefined, string]>([
    ["an empty input", undefined, "reason: required"],
    ["a text that is too short", "x", "reason: too short"],
  ])("of %s is not sent", async (_what, value, problem) => {
    const { open, type, submit, sent } = await started();
    const { id } = await open();
    if (value !== undefined) await type(id, value);
    await expect(submit(id)).rejects.toThrow(problem);
    expect(sent()).toHaveLength(1);
  });

  test("of an empty optional input is sent", async () => {
    const { open, submit } = await started();
    const { id } = await open(modal({ blocks: [input("reason", { optional: true })] }));
    expect(await submit(id)).toMatchObject({ status: 200 });
  });

  test.each<[string, unknown, { views: (string | undefined)[]; warning?: string; errors?: Json }]>([
    ["an empty object", {}, { views: [] }],
    [
      "errors",
      { response_action: "errors", errors: { reason: "No." } },
      { views: ["Decide"], errors: { reason: "No." } },
    ],
    [
      "errors of a block that is no input",
      { response_action: "errors", errors: { buttons: "No." } },
      { views: ["Decide"], warning: "invalid_response" },
    ],
    ["an update", { response_action: "update", view: modal({ title: text("Thanks") }) }, { views: ["Thanks"] }],
    ["a push", { response_action: "push", view: modal({ title: text("Sure?") }) }, { views: ["Decide", "Sure?"] }],
    ["clear", { response_action: "clear" }, { views: [] }],
    [
      "an invalid view",
      { response_action: "update", view: modal({ title: text("x".repeat(25)) }) },
      { views: ["Decide"], warning: "invalid_arguments" },
    ],
    ["an unknown action", { response_action: "close" }, { views: ["Decide"], warning: "invalid_response" }],
    ["a text", "ok", { views: ["Decide"], warning: "invalid_response" }],
  ])("that is answered with %s", async (_what, said, { views, ...outcome }) => {
    const { dev, open, type, submit, says } = await started();
    const { id } = await open();
    await type(id, "because");
    says(said);
    expect(await submit(id)).toEqual({ status: 200, ms: expect.any(Number), ...outcome });
    expect(dev.control.views(USER).map(({ definition }) => (definition["title"] as Json)["text"])).toEqual(views);
    expect(dev.control.warnings()).toEqual(
      outcome.warning === undefined ? [] : [{ user: USER, type: "view_submission", on: id, error: outcome.warning }],
    );
  });

  test("without an acknowledgment leaves the modal open, with a warning sign", async () => {
    const { dev, open, type, submit } = await started();
    const { id } = await open();
    await type(id, "because");
    dev.setEventsUrl((await recordingApp((response) => response.writeHead(500).end())).url);
    expect(await submit(id)).toMatchObject({ status: 500, warning: "dispatch_failed" });
    expect(dev.control.views(USER)).toHaveLength(1);
  });
});

describe("a modal", () => {
  test("sends its buttons, and inputs with dispatch_action, with the view and no response_url", async () => {
    const { dev, open, type, press, sent } = await started();
    const { id } = await open(
      modal({
        blocks: [input("now", { dispatch_action: true }), input("later"), { type: "actions", elements: [button] }],
      }),
    );
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
    await expect(dev.control.act({ user: "bob", view_id: id, action_id: "more" })).rejects.toMatchObject({
      status: 404,
    });
  });

  test.each<[string, Json, boolean, { left: number; closed: boolean[] }]>([
    ["silently without notify_on_close", {}, false, { left: 1, closed: [] }],
    ["with an event for notify_on_close", { notify_on_close: true }, false, { left: 1, closed: [false] }],
    ["with all others", { notify_on_close: true }, true, { left: 0, closed: [true, true] }],
    [
      "with all others for clear_on_close",
      { notify_on_close: true, clear_on_close: true },
      false,
      { left: 0, closed: [true, true] },
    ],
  ])("is closed %s", async (_what, members, is_cleared, { left, closed }) => {
    const { dev, open, push, sent } = await started();
    await open(modal(members));
    await push(modal(members));
    await dev.control.closeView({ ...ALICE, view_id: top(dev).id, is_cleared });
    expect(dev.control.views(USER)).toHaveLength(left);
    const events = sent().filter((one) => one["type"] === "view_closed");
    expect(events.map((one) => one["is_cleared"])).toEqual(closed);
    expect(events.every((one) => !("trigger_id" in one) && (one["view"] as Json)["callback_id"] === "decide")).toBe(
      true,
    );
  });
});
