import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

test("users.info tells people, guests, strangers, bots and deactivated people apart", async () => {
  const dev = await devSlackForTest();
  const info = async (user: string) => (await callWebApi(dev, "users.info", { user }))["user"];
  expect(await info("U0CHIYO0001")).toMatchObject({
    id: "U0CHIYO0001",
    team_id: "T0CROSSZONE",
    deleted: false,
    is_bot: false,
    is_restricted: false,
    tz: "Asia/Tokyo",
    tz_offset: 32_400,
  });
  expect(await info("U0CHIYO0001")).not.toHaveProperty("is_stranger");
  expect(await info("U0GUEST0001")).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
  expect(await info("U0STRANGER1")).toMatchObject({ is_stranger: true, team_id: "T0OTHERTEAM" });
  expect(await info("U0GONE00001")).toMatchObject({ deleted: true });
  expect(await info("U0GONE00001")).not.toHaveProperty("tz");
  expect(await info("U0DEPLOYBOT")).toMatchObject({ is_bot: true, profile: { bot_id: "B0DEPLOYBOT" } });
  expect(await callWebApi(dev, "users.info", { user: "alice" })).toMatchObject({ error: "user_not_found" });
});

test("users.list has all people of the team and none of another", async () => {
  const dev = await devSlackForTest();
  const { members } = await callWebApi(dev, "users.list", { limit: 100 });
  const ids = (members as { id: string }[]).map(({ id }) => id);
  expect(ids).toHaveLength(7);
  expect(ids).not.toContain("U0STRANGER1");
  expect(ids).not.toContain("U0PARTNER01");
});

test("team.info knows its own team, and those that share a channel with the app", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "team.info")).toMatchObject({ team: { id: "T0CROSSZONE", domain: "crosszone-dev" } });
  expect(await callWebApi(dev, "team.info", { team: "T0PARTNERS1" })).toMatchObject({ team: { id: "T0PARTNERS1" } });
  expect(await callWebApi(dev, "team.info", { team: "T0OTHERTEAM" })).toMatchObject({ error: "team_not_found" });
});

test("bots.info knows both bots", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "bots.info", { bot: "B0CROSSZONE" })).toMatchObject({
    bot: { id: "B0CROSSZONE", app_id: "A0CROSSZONE", user_id: "U0CROSSZONE" },
  });
  expect(await callWebApi(dev, "bots.info", { bot: "B0DEPLOYBOT" })).toMatchObject({ bot: { name: "Deploybot" } });
  expect(await callWebApi(dev, "bots.info", { bot: "B0NOBODY001" })).toMatchObject({ error: "bot_not_found" });
});
