import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

test("a reaction is added once, and removed", async () => {
  const dev = await devSlackForTest();
  const { ts: timestamp } = dev.control.postMessage({ channel: "general", text: "nice" });
  const item = { channel: "C0GENERAL01", timestamp };
  const call = (method: string, name?: string) =>
    callWebApi(dev, `reactions.${method}`, { ...item, ...(name && { name }) });
  expect(await call("add", "eyes")).toEqual({ ok: true });
  expect(await call("add", ":eyes:")).toMatchObject({ error: "already_reacted" });
  expect(dev.control.messages({ channel: "general" })).toMatchObject([{ reactions: [{ name: "eyes" }] }]);
  expect(await call("remove", "eyes")).toEqual({ ok: true });
  expect(await call("remove", "eyes")).toMatchObject({ error: "no_reaction" });
  expect(dev.control.messages({ channel: "general" })[0]).not.toHaveProperty("reactions");
});

test("reactions that Slack refuses", async () => {
  const dev = await devSlackForTest();
  const { ts } = dev.control.postMessage({ channel: "general", text: "nice" });
  const old = dev.control.postMessage({ channel: "old-project", text: "old" });
  const add = async (args: Record<string, unknown>) =>
    (await callWebApi(dev, "reactions.add", { channel: "C0GENERAL01", timestamp: ts, name: "eyes", ...args }))["error"];
  expect(await add({ name: "Not An Emoji" })).toBe("invalid_name");
  expect(await add({ timestamp: "soon" })).toBe("bad_timestamp");
  expect(await add({ timestamp: "1700000000.000100" })).toBe("message_not_found");
  expect(await add({ timestamp: "" })).toBe("no_item_specified");
  expect(await add({ channel: "C0NOWHERE01" })).toBe("channel_not_found");
  expect(await add({ channel: "C0ARCHIVE01", timestamp: old.ts })).toBe("is_archived");
});
