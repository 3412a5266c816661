import { describe, expect, test } from "vitest";
import { answerAt, callWebApi, actions, approve, type Json, postedForTest } from "../testing/dev-slack-for-test.ts";

describe("response_url", () => {
  async function pressed(args: Json = {}) {
    const use = await postedForTest([actions(approve)]);
    const { dev, place, last } = use;
    if (args["user"] === undefined) await use.act({ action_id: "approve" });
    else {
      const said = await callWebApi(dev, "chat.postEphemeral", {
        channel: place.channel,
        text: "Only you",
        blocks: [actions(approve)],
        ...args,
      });
      await dev.control.act({ ...place, ts: String(said["message_ts"]), user: "alice", action_id: "approve" });
    }
    const shown = () =>
      dev.control.messages(place).map((one) => [one.text, one.ephemeral_for, one.blocks?.length ?? 0]);
    return { ...use, at: last()["response_url"], shown };
  }

  test("posts for the person alone or for all, replaces and deletes the message", async () => {
    const { at, shown, dev } = await pressed();
    expect(await answerAt(at, { text: "for you" })).toEqual([200, "ok"]);
    await answerAt(at, { text: "for all", response_type: "in_channel" });
    await answerAt(at, { text: "Approved by Alice", replace_original: true });
    expect(shown()).toEqual([
      ["Approved by Alice", undefined, 0],
      ["for you", "U0ALICE0001", 0],
      ["for all", undefined, 0],
    ]);
    await answerAt(at, { delete_original: "true" });
    expect(shown()).toHaveLength(2);
    expect(await answerAt(at, { text: "too late", replace_original: true })).toEqual([
      400,
      expect.stringContaining("message_not_found"),
    ]);
    expect(await answerAt(at, { text: "a sixth" })).toEqual([404, expect.stringContaining("used_url")]);
    await dev.control.idle();
  });

  test("replaces and deletes an ephemeral message, of which the app gets no event", async () => {
    const { dev, at, shown, last, requests } = await pressed({ user: "U0ALICE0001" });
    expect(last()).toMatchObject({ container: { is_ephemeral: true } });
    expect(last()).not.toHaveProperty("message");
    const before = requests.length;
    await answerAt(at, { text: "Decided", replace_original: true });
    expect(shown()[1]).toEqual(["Decided", "U0ALICE0001", 0]);
    await answerAt(at, { delete_original: true });
    expect(shown()).toHaveLength(1);
    await dev.control.idle();
    expect(requests).toHaveLength(before);
  });

  test("of a command has no message to replace", async () => {
    const { dev, requests } = await postedForTest([]);
    await dev.control.runCommand({ channel: "general", user: "alice", text: "/agents" });
    const at = new URLSearchParams(requests.at(-1)?.body).get("response_url");
    expect(await answerAt(at, { text: "x", replace_original: true })).toEqual([
      400,
      expect.stringContaining("invalid_payload"),
    ]);
  });
});

test("an ephemeral message exists only for its person: not in the history, for chat.update, or for another's press", async () => {
  const { dev, place } = await postedForTest([]);
  const args = { channel: place.channel, text: "Only you", blocks: [actions(approve)] };
  const { message_ts } = await callWebApi(dev, "chat.postEphemeral", { ...args, user: "U0ALICE0001" });
  const ts = String(message_ts);
  expect(await callWebApi(dev, "chat.update", { ...place, ts, text: "x" })).toMatchObject({
    error: "message_not_found",
  });
  const { messages } = await callWebApi(dev, "conversations.history", { channel: place.channel });
  expect(messages).toHaveLength(1);
  await expect(dev.control.act({ ...place, ts, user: "bob", action_id: "approve" })).rejects.toMatchObject({
    status: 404,
  });
  for (const user of ["U0PARTNER01", "U0GONE00001"])
    expect(await callWebApi(dev, "chat.postEphemeral", { ...args, user })).toMatchObject({
      error: "user_not_in_channel",
    });
});
