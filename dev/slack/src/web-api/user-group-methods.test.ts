import { expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

const ON_CALL = { id: "S0ONCALL001", handle: "on-call", name: "On call", users: ["U0ALICE0001", "U0GUEST0001"] };
const OLD = { id: "S0OLD000001", handle: "old", name: "Old", users: ["U0BOB000001"], is_disabled: true };

test("groups have a handle, a name and members; a disabled one on request", async () => {
  const dev = await devSlackForTest();
  for (const group of [ON_CALL, OLD]) dev.control.putUserGroup(group);
  const members = (usergroup: string, rest = {}) => callWebApi(dev, "usergroups.users.list", { usergroup, ...rest });
  expect(await members(ON_CALL.id)).toMatchObject({ ok: true, users: ON_CALL.users });
  expect(await members(OLD.id)).toMatchObject({ error: "no_such_subteam" });
  expect(await members(OLD.id, { include_disabled: true })).toMatchObject({ users: OLD.users });
  expect(await members("S0NOWHERE01")).toMatchObject({ error: "no_such_subteam" });

  const { id, handle, name } = ON_CALL;
  const list = (args = {}) => callWebApi(dev, "usergroups.list", args);
  expect(await list()).toMatchObject({ usergroups: [{ id, handle, name, team_id: "T0CROSSZONE" }] });
  expect(await list({ include_disabled: true, include_users: true })).toMatchObject({
    usergroups: [ON_CALL, { handle: "old" }],
  });
  dev.control.putUserGroup({ ...ON_CALL, users: [] });
  expect(await members(id)).toMatchObject({ users: [] });
  expect(() => dev.control.putUserGroup({ ...ON_CALL, users: ["U0NOBODY001"] })).toThrow("unknown user");
});

test("another token has no scope, and the tier is the second", async () => {
  const dev = await devSlackForTest({ rateLimits: { tier_2: { burst: 1, per_minute: 1 } } });
  const members = (of: DevSlack) => callWebApi(of, "usergroups.users.list", { usergroup: "S0NOWHERE01" });
  expect(await members(dev)).toMatchObject({ error: "no_such_subteam" });
  expect(await members(dev)).toMatchObject({ error: "ratelimited" });
  const other = await devSlackForTest({ scopes: ["chat:write"] });
  expect(await members(other)).toMatchObject({ error: "missing_scope", needed: "usergroups:read" });
});
