import { describe, expect, test } from "vitest";
import {
  recordingApp,
  type Json,
  text,
  input,
  modal,
  modalsForTest,
  more,
  USER,
} from "../testing/dev-slack-for-test.ts";

describe("a submission", () => {
  test("sends the view with what was typed, and closes it", async () => {
    const { dev, open, type, submit, sent } = await modalsForTest();
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
    const { open, type, submit, sent } = await modalsForTest();
    const { id } = await open();
    if (value !== undefined) await type(id, value);
    await expect(submit(id)).rejects.toThrow(problem);
    expect(sent()).toHaveLength(1);
  });

  test("of an empty optional input is sent", async () => {
    const { open, submit } = await modalsForTest();
    const { id } = await open(modal({ blocks: [input("reason", { optional: true })] }));
    expect(await submit(id)).toMatchObject({ status: 200 });
  });

  test("of an emptied input does not send its initial value", async () => {
    const { open, type, submit, sent } = await modalsForTest();
    const element = { type: "plain_text_input", action_id: "typed", initial_value: "before" };
    const { id } = await open(modal({ blocks: [input("reason", { optional: true, element })] }));
    await type(id, "");
    await submit(id);
    expect(sent().at(-1)).toMatchObject({ view: { state: { values: { reason: { typed: { value: null } } } } } });
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
    const { dev, open, type, submit, says } = await modalsForTest();
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
    const { dev, open, type, submit } = await modalsForTest();
    const { id } = await open(modal({ notify_on_close: true }));
    await type(id, "because");
    dev.setEventsUrl((await recordingApp((response) => response.writeHead(500).end())).url);
    expect(await submit(id)).toMatchObject({ status: 500, warning: "dispatch_failed" });
    expect(dev.control.views(USER)).toHaveLength(1);
    await dev.control.closeView({ user: USER, view_id: id });
    expect([dev.control.views(USER), dev.control.warnings().length]).toEqual([[], 1]);
  });
});

describe("a modal", () => {
  test("sends its buttons, and inputs with dispatch_action, with the view and no response_url", async () => {
    const { dev, open, type, press, sent } = await modalsForTest();
    const { id } = await open(
      modal({
        blocks: [input("now", { dispatch_action: true }), input("later"), { type: "actions", elements: [more] }],
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
  ])("is closed %s", async (...[, members, is_cleared, { left, closed }]) => {
    const { dev, open, push, sent, top } = await modalsForTest();
    await open(modal(members));
    await push(modal(members));
    await dev.control.closeView({ user: USER, view_id: top().id, is_cleared });
    expect(dev.control.views(USER)).toHaveLength(left);
    const events = sent().filter((one) => one["type"] === "view_closed");
    expect(events.map((one) => one["is_cleared"])).toEqual(closed);
    expect(events.every((one) => !("trigger_id" in one) && (one["view"] as Json)["callback_id"] === "decide")).toBe(
      true,
    );
  });
});
