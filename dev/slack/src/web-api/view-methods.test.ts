import { expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { recordingApp } from "../testing/recording-app.ts";

const view = { type: "home", blocks: [{ type: "section", text: { type: "mrkdwn", text: "hello" } }] };

test("a Home tab is published for a person and replaced by its hash", async () => {
  const dev = await devSlackForTest();
  const publish = (args: Record<string, unknown>) =>
    callWebApi(dev, "views.publish", { user_id: "U0ALICE0001", view, ...args });
  const first = (await publish({}))["view"] as { id: string; hash: string };
  expect(first).toMatchObject({ ...view, team_id: "T0CROSSZONE", bot_id: "B0CROSSZONE" });
  expect(dev.control.homeView("U0ALICE0001")).toEqual(first);
  expect(await publish({ hash: "another" })).toMatchObject({ error: "hash_conflict" });
  expect(await publish({ hash: first.hash })).toMatchObject({ ok: true, view: { id: first.id } });
});

test.each([
  ["no such user", { user_id: "U0NOBODY001" }, "user_not_found"],
  ["not a Home tab", { view: { type: "modal", blocks: [] } }, "invalid_arguments"],
  ["a block that is wrong", { view: { type: "home", blocks: [{ type: "header" }] } }, "invalid_blocks"],
  ["more than 250 kB", { view: { ...view, private_metadata: "x".repeat(260_000) } }, "view_too_large"],
])("refused: %s", async (_name, args, error) => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "views.publish", { user_id: "U0ALICE0001", view, ...args })).toMatchObject({ error });
});

/** What `/agents` brings the app: a trigger to open a modal with. */
async function triggered(dev: DevSlack, user = "alice"): Promise<string> {
  const app = await recordingApp();
  dev.setEventsUrl(app.url);
  await dev.control.runCommand({ channel: "general", user, text: "/agents" });
  return new URLSearchParams(app.requests[0]?.body).get("trigger_id") ?? "";
}

const modal = {
  type: "modal",
  title: { type: "plain_text", text: "Settings" },
  blocks: [{ type: "section", text: { type: "plain_text", text: "hello" } }],
};

test("a command's trigger opens one modal, for who typed it", async () => {
  const dev = await devSlackForTest();
  const trigger_id = await triggered(dev, "bob");
  expect(trigger_id).toMatch(/^\d+\.\d+\.[0-9a-f]{32}$/);
  const open = (args: object) => callWebApi(dev, "views.open", { trigger_id, view: modal, ...args });
  expect(await open({ view: { ...modal, title: undefined } })).toMatchObject({ error: "invalid_arguments" });
  const opened = (await open({ view: { ...modal, external_id: "settings" } }))["view"];
  expect(opened).toMatchObject({ ...modal, external_id: "settings", state: { values: {} }, previous_view_id: null });
  expect(dev.control.modals("U0BOB000001")).toEqual([opened]);
  expect(await open({})).toMatchObject({ error: "exchanged_trigger_id" });
  expect(await open({ trigger_id: "1.2.abc" })).toMatchObject({ error: "invalid_trigger_id" });
  expect(await open({ trigger_id: "" })).toMatchObject({ error: "invalid_arguments" });
  const next = { trigger_id: await triggered(dev), view: { ...modal, external_id: "settings" } };
  expect(await open(next)).toMatchObject({ error: "duplicate_external_id" });
});

const label = { type: "plain_text", text: "Name" };
test.each([
  ["a long title", { title: { type: "plain_text", text: "x".repeat(25) } }, "invalid_arguments"],
  [
    "input and no button to submit",
    { blocks: [{ type: "input", label, element: { type: "x" } }] },
    "invalid_arguments",
  ],
  ["much private metadata", { private_metadata: "x".repeat(3_001) }, "invalid_arguments"],
  ["a Home tab", { type: "home" }, "invalid_arguments"],
  ["a bad block", { blocks: [{ type: "header" }] }, "invalid_blocks"],
  ["more than 250 kB", { more: "x".repeat(260_000) }, "view_too_large"],
])("a modal with %s is refused, and its trigger is good for another", async (_name, changes, error) => {
  const dev = await devSlackForTest();
  const trigger_id = await triggered(dev);
  const open = (form: object) => callWebApi(dev, "views.open", { trigger_id, view: form });
  expect(await open({ ...modal, ...changes })).toMatchObject({ error });
  expect(await open(modal)).toMatchObject({ ok: true });
});
