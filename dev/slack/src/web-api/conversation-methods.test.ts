import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp } from "../testing/dev-slack-for-test.ts";

test("conversations.info has what a policy needs", async () => {
  const dev = await devSlackForTest();
  const info = async (channel: string) => await callWebApi(dev, "conversations.info", { channel });
  expect(await info("C0GENERAL01")).toMatchObject({
    channel: { id: "C0GENERAL01", is_channel: true, is_member: true, is_archived: false, is_ext_shared: false },
  });
  expect(await info("C0RANDOM001")).toMatchObject({ channel: { is_member: false } });
  expect(await info("C0ARCHIVE01")).toMatchObject({ channel: { is_archived: true } });
  expect(await info("C0SHARED001")).toMatchObject({
    channel: { is_ext_shared: true, is_shared: true, shared_team_ids: ["T0CROSSZONE", "T0PARTNERS1"] },
  });
  expect(await info("C0PRIVATE01")).toMatchObject({ channel: { is_private: true, is_group: true } });
  expect(await info("D0GONE00001")).toMatchObject({
    channel: { is_im: true, user: "U0GONE00001", is_user_deleted: true },
  });
  expect(await info("general")).toMatchObject({ ok: false, error: "channel_not_found" });
});

test("conversations.list pages through the kinds that are asked for", async () => {
  const dev = await devSlackForTest();
  const list = async (args: Record<string, unknown>) => {
    const { channels, response_metadata, error } = await callWebApi(dev, "conversations.list", args);
    return { ids: (channels as { id: string }[] | undefined)?.map(({ id }) => id), response_metadata, error };
  };
  expect((await list({})).ids).toEqual(["C0GENERAL01", "C0RANDOM001", "C0ARCHIVE01", "C0SHARED001"]);
  expect((await list({ exclude_archived: true, types: "public_channel,private_channel" })).ids).not.toContain(
    "C0ARCHIVE01",
  );
  const first = await list({ types: "im", limit: 4 });
  expect(first.ids).toHaveLength(4);
  const { next_cursor } = first.response_metadata as { next_cursor: string };
  const second = await list({ types: "im", limit: 4, cursor: next_cursor });
  expect(second).toMatchObject({
    ids: ["D0GONE00001", "D0STRANGER1", "D0PARTNER01"],
    response_metadata: { next_cursor: "" },
  });
  expect(await list({ types: "everything" })).toMatchObject({ error: "invalid_types" });
  expect(await list({ cursor: "made-up" })).toMatchObject({ error: "invalid_cursor" });
  expect(await list({ limit: 0 })).toMatchObject({ error: "invalid_limit" });
});

test("conversations.members names the members", async () => {
  const dev = await devSlackForTest();
  expect(await callWebApi(dev, "conversations.members", { channel: "C0PRIVATE01" })).toEqual({
    ok: true,
    members: ["U0ALICE0001", "U0BOB000001", "U0CROSSZONE"],
    response_metadata: { next_cursor: "" },
  });
});

test("conversations.open finds or makes the conversation with some people", async () => {
  const dev = await devSlackForTest();
  const open = async (args: Record<string, unknown>) => await callWebApi(dev, "conversations.open", args);
  expect(await open({ users: "U0BOB000001" })).toMatchObject({ channel: { id: "D0BOB000001" }, already_open: true });
  expect(await open({ users: "U0BOB000001,U0ALICE0001" })).toMatchObject({ channel: { id: "G0MPIM00001" } });
  const made = await open({ users: "U0BOB000001,U0CHIYO0001", return_im: true });
  expect(made).toMatchObject({ channel: { is_mpim: true, name: "mpdm-bob--chiyo--crosszone-1" } });
  expect(made).not.toHaveProperty("already_open");
  const { id } = made["channel"] as { id: string };
  expect(await open({ channel: id })).toMatchObject({ no_op: true, channel: { id } });
  expect(dev.workspace.channels.at(-1)?.members).toEqual(["U0BOB000001", "U0CHIYO0001", "U0CROSSZONE"]);
  expect(await open({})).toMatchObject({ error: "users_list_not_supplied" });
  expect(await open({ users: "U0CROSSZONE" })).toMatchObject({ error: "not_enough_users" });
  expect(await open({ users: "U0NOBODY001" })).toMatchObject({ error: "user_not_found" });
  expect(await open({ users: "U0GONE00001" })).toMatchObject({ error: "user_disabled" });
  expect(await open({ users: "1,2,3,4,5,6,7,8,9" })).toMatchObject({ error: "too_many_users" });
  expect(await open({ channel: "C0GENERAL01" })).toMatchObject({ error: "method_not_supported_for_channel_type" });
});

test("conversations.join makes the app a member of a public channel, once", async () => {
  const dev = await devSlackForTest();
  const join = (channel: string) => callWebApi(dev, "conversations.join", { channel });
  expect(await join("C0RANDOM001")).toMatchObject({ ok: true, channel: { id: "C0RANDOM001", is_member: true } });
  await postAsApp(dev, "C0RANDOM001", { text: "hello" });
  expect(await join("C0RANDOM001")).toMatchObject({ ok: true, warning: "already_in_channel" });
  const { members } = dev.control.workspace().channels.find(({ id }) => id === "C0RANDOM001") ?? { members: [] };
  expect(members.filter((id) => id === "U0CROSSZONE")).toHaveLength(1);
  expect(await join("C0PRIVATE01")).toMatchObject({ error: "method_not_supported_for_channel_type" });
  expect(await join("C0ARCHIVE01")).toMatchObject({ error: "is_archived" });
  expect(await join("C0NOWHERE01")).toMatchObject({ error: "channel_not_found" });
  const poor = await devSlackForTest({ scopes: ["chat:write"] });
  expect(await callWebApi(poor, "conversations.join", { channel: "C0RANDOM001" })).toMatchObject({
    error: "missing_scope",
    needed: "channels:join",
  });
});
