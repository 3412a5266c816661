import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

const ON_CALL = { id: "S0ONCALL001", handle: "on-call", name: "On call", users: ["U0ALICE0001", "U0GUEST0001"] };
const OLD = { id: "S0OLD000001", handle: "old", name: "Old", users: ["U0BOB000001"], is_disabled: true };

test("groups and their members are listed; disabled ones on request", async () => {
  const dev = await devSlackForTest();
  dev.control.putUserGroup(ON_CALL);
  dev.control.putUserGroup(OLD);
  const { usergroups } = await callWebApi(dev, "usergroups.list");
  expect(usergroups).toMatchObject([
    { id: ON_CALL.id, handle: "on-call", team_id: dev.workspace.team.id, date_delete: 0 },
  ]);
  expect(JSON.stringify(usergroups)).not.toMatch(/"(users|user_count)"/);
  expect(
    await callWebApi(dev, "usergroups.list", { include_disabled: true, include_users: true, include_count: true }),
  ).toMatchObject({
    usergroups: [
      { users: ON_CALL.users, user_count: 2 },
      { id: OLD.id, date_delete: 1 },
    ],
  });
  const members = (usergroup: string, rest = {}) => callWebApi(dev, "usergroups.users.list", { usergroup, ...rest });
  expect(await members(ON_CALL.id)).toMatchObject({ ok: true, users: ON_CALL.users });
  expect(await members(OLD.id)).toMatchObject({ error: "no_such_subteam" });
  expect(await members(OLD.id, { include_disabled: true })).toMatchObject({ users: OLD.users });
  expect(await members("S0NOWHERE01")).toMatchObject({ error: "no_such_subteam" });
  dev.control.putUserGroup({ ...ON_CALL, users: [] });
  expect(await members(ON_CALL.id)).toMatchObject({ users: [] });
  expect(() => dev.control.putUserGroup({ ...ON_CALL, users: ["U0NOBODY001"] })).toThrow("unknown user");
});

test("a free workspace has no groups, another token no scope, and the tier is the second", async () => {
  const dev = await devSlackForTest({ rateLimits: { tier_2: { burst: 2, per_minute: 1 } } });
  dev.control.setPlan("free");
  expect(await callWebApi(dev, "usergroups.list")).toMatchObject({ error: "plan_upgrade_required" });
  dev.control.setPlan("paid");
  expect(await callWebApi(dev, "usergroups.list")).toMatchObject({ ok: true, usergroups: [] });
  expect(await callWebApi(dev, "usergroups.list")).toMatchObject({ error: "ratelimited" });
  const other = await devSlackForTest({ scopes: ["chat:write"] });
  expect(await callWebApi(other, "usergroups.list")).toMatchObject({
    error: "missing_scope",
    needed: "usergroups:read",
  });
});
