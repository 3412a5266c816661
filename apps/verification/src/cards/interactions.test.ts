import { describe, expect, test } from "vitest";
import { askInSlack, cardsOf, labels, until } from "../testing/ask-in-slack.ts";
import { inputRequest, interact, interactionPayload } from "../testing/scripted-inputs.ts";
import { readInteraction } from "../slack/interaction.ts";
import { channelMessage, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;

describe("what is not for the app is acknowledged, logged and has no effect", () => {
  const actions = [{ type: "button", action_id: "input:approve:inp_0123456789abcdef", value: "a".repeat(64) }];
  test.each<[string, string, Record<string, unknown>]>([
    ["another app's payload", "wrong_app", { actions, api_app_id: "A2" }],
    ["an unknown element", "unknown_element", { actions: [{ type: "button", action_id: "other" }] }],
    ["a press without a place", "unknown_element", { actions, container: { type: "view" } }],
    ["a payload without a person", "unreadable", { actions, user: { id: "" } }],
  ])("%s", async (_name, reason, members) => {
    ({ app } = await askInSlack([inputRequest()]));
    expect((await interact(app, interactionPayload(members))).status).toBe(200);
    await until(() =>
      expect(app.logs.filter(({ event }) => event === "interaction_refused")).toMatchObject([{ reason }]),
    );
    expect(app.zone.of("answer_input")).toEqual([]);
    const [act, ...others] = await app.acts();
    expect(act).toMatchObject({ action: "press.reject", outcome: "rejected", surface: "slack", details: { reason } });
    expect([act?.actor, others]).toEqual([
      reason === "unreadable" ? { type: "person", id: "?" } : { type: "person", id: "U1", team: "T1" },
      [],
    ]);
  });
});

test("a message in the thread decides nothing", async () => {
  const asked = await askInSlack([inputRequest()]);
  ({ app } = asked);
  await app.deliver(channelMessage("approve", { type: "app_mention", thread_ts: asked.thread }));
  await until(() => expect(app.zone.of("execute_task")).toHaveLength(2));
  expect(app.zone.of("answer_input")).toEqual([]);
  expect(labels(cardsOf(app)[0])).toEqual(["Approve", "Deny"]);
});

test("a person of another team is passed on with that team", async () => {
  ({ app } = await askInSlack([inputRequest()]));
  const actions = [{ type: "button", action_id: "input:approve:inp_0123456789abcdef", value: "a".repeat(64) }];
  await interact(app, interactionPayload({ actions, user: { id: "U1", team_id: "T2" } }));
  await until(() =>
    expect(app.zone.of("answer_input")[0]?.params).toMatchObject({ by: { user_id: "U1", team_id: "T2" } }),
  );
});

test("an interaction of an organization-wide installation names workspace and organization", () => {
  const read = (members: object): unknown =>
    readInteraction(interactionPayload({ actions: [{ action_id: "a" }], ...members }))?.workspace;
  expect(read({})).toEqual({ team_id: "T1" });
  expect(read({ enterprise: { id: "E1" }, is_enterprise_install: true })).toEqual({ team_id: "T1", org_id: "E1" });
  expect(read({ team: null })).toEqual({ team_id: "T1" });
  const view = { id: "V1", app_installed_team_id: "T3" };
  expect(read({ type: "view_submission", view })).toEqual({ team_id: "T3" });
});
