import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

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
