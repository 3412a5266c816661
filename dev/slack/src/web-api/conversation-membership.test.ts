import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp } from "../testing/dev-slack-for-test.ts";

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

test("users.conversations has the app's own conversations, or those that it shares with a person", async () => {
  const dev = await devSlackForTest();
  const list = async (args: object = {}) => {
    const { channels, error } = await callWebApi(dev, "users.conversations", { ...args });
    return error ?? (channels as { id: string }[]).map(({ id }) => id);
  };
  const types = "public_channel,private_channel,im,mpim";
  expect(await list()).toEqual(["C0GENERAL01", "C0ARCHIVE01", "C0SHARED001"]);
  expect(await list({ exclude_archived: true })).toEqual(["C0GENERAL01", "C0SHARED001"]);
  expect(await list({ user: "U0CHIYO0001", types })).toEqual([
    "C0GENERAL01",
    "C0RANDOM001",
    "C0ARCHIVE01",
    "D0CHIYO0001",
  ]);
  expect(await list({ user: "U0NOBODY001" })).toBe("user_not_found");
  expect(await list({ types: "everything" })).toBe("invalid_types");
  expect(await list({ limit: 1_000 })).toBe("invalid_limit");
});

test("users.lookupByEmail finds active people of the team, and shows addresses with its scope only", async () => {
  const dev = await devSlackForTest();
  const lookUp = (email: string) => callWebApi(dev, "users.lookupByEmail", { email });
  const alice = { id: "U0ALICE0001", profile: { email: "alice@example.com" } };
  expect(await lookUp("Alice@Example.com")).toMatchObject({ user: alice });
  expect(await callWebApi(dev, "users.info", { user: alice.id })).toMatchObject({ user: alice });
  for (const email of ["dana@example.com", "nobody@example.com", "crosszone@example.com"])
    expect(await lookUp(email)).toMatchObject({ error: "users_not_found" });
  const poor = await devSlackForTest({ scopes: ["users:read"] });
  expect(await callWebApi(poor, "users.lookupByEmail", { email: "alice@example.com" })).toMatchObject({
    error: "missing_scope",
  });
  const { user } = await callWebApi(poor, "users.info", { user: alice.id });
  expect(user).not.toHaveProperty("profile.email");
});

test("pins.add pins a message once, where the app is a member", async () => {
  const dev = await devSlackForTest({ rateLimits: { tier_2: { burst: 1_000, per_minute: 20 } } });
  const { channel, ts: timestamp } = dev.control.postMessage({ channel: "general", text: "keep this" });
  const pin = (args: object = {}) => callWebApi(dev, "pins.add", { channel, timestamp, ...args });
  expect(await pin()).toEqual({ ok: true });
  expect(await pin()).toMatchObject({ error: "already_pinned" });
  expect(await callWebApi(dev, "conversations.history", { channel })).toMatchObject({
    messages: [{ ts: timestamp, pinned_to: [channel] }],
    pin_count: 1,
  });
  expect(await pin({ timestamp: "" })).toMatchObject({ error: "no_item_specified" });
  expect(await pin({ timestamp: "now" })).toMatchObject({ error: "bad_timestamp" });
  expect(await pin({ timestamp: "1700000000.000100" })).toMatchObject({ error: "message_not_found" });
  expect(await pin({ channel: "C0RANDOM001" })).toMatchObject({ error: "not_in_channel" });
  for (let count = 1; count < 100; count += 1) {
    const { ts } = dev.control.postMessage({ channel: "general", text: "and this" });
    await pin({ timestamp: ts });
  }
  const { ts } = dev.control.postMessage({ channel: "general", text: "too much" });
  expect(await pin({ timestamp: ts })).toMatchObject({ error: "too_many_pins" });
});
