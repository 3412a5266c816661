import { expect, test } from "vitest";
import { devSlackForTest, postAsApp, callWebApi } from "../testing/dev-slack-for-test.ts";

test("waitForMessage finds existing, new and changed messages", async () => {
  const dev = await devSlackForTest();
  const withText = (text: string) => dev.control.waitForMessage((message) => message.text === text, 2000);
  dev.control.postMessage({ channel: "general", text: "before" });
  expect(await withText("before")).toMatchObject({ user: "U0ALICE0001" });
  const coming = withText("after");
  const ts = await postAsApp(dev, "C0GENERAL01", { text: "after" });
  expect(await coming).toMatchObject({ ts });
  const changing = withText("changed");
  await callWebApi(dev, "chat.update", { channel: "C0GENERAL01", ts, text: "changed" });
  expect(await changing).toMatchObject({ ts });
});

test("waitForMessage lists the newest messages when none matches in time", async () => {
  const dev = await devSlackForTest();
  dev.control.postMessage({ channel: "general", text: "hello" });
  const waiting = dev.control.waitForMessage(() => false, 20);
  await expect(waiting).rejects.toThrow(
    "no matching message within 20 ms; the newest are:\nU0ALICE0001 in C0GENERAL01: hello",
  );
});
