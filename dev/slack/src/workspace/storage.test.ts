import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp, recordingApp, streamForTest } from "../testing/dev-slack-for-test.ts";
import { startDevSlack } from "../server/start-dev-slack.ts";
import { openStorage } from "./storage.ts";

function newFile(): string {
  const folder = tempFolder();
  return join(folder, "slack.sqlite");
}

test("a local Slack that stops and starts again has its people, channels, threads, files and revoked tokens", async () => {
  const file = newFile();
  const secrets = { botToken: "xoxb-first", signingSecret: "s", appToken: "xapp-1" };
  const before = await startDevSlack({ file, secrets });
  before.control.putUser({ id: "U0NEW000001", real_name: "New Person" });
  before.control.putChannel({ id: "C0RANDOM001", members: ["U0ALICE0001", "U0CROSSZONE"] });
  const posted = [
    { name: "a.bin", mimetype: "application/octet-stream", content: "AP8B", encoding: "base64" as const },
  ];
  const question = before.control.postMessage({ channel: "dm", text: "hi", files: posted });
  await postAsApp(before, question.channel, { thread_ts: question.ts, text: "hello" });
  await callWebApi(before, "auth.revoke");
  before.issueBotToken();
  const [token, messages] = [before.botToken, before.control.messages({ channel: question.channel })];
  await before.close();

  const after = await devSlackForTest({ file, secrets });
  expect(after.botToken).toBe(token);
  expect(await callWebApi(after, "auth.test", { token: "xoxb-first" })).toMatchObject({ error: "token_revoked" });
  expect(after.control.messages({ channel: question.channel })).toEqual(messages);
  expect(after.workspace.users).toContainEqual(expect.objectContaining({ real_name: "New Person" }));
  expect(after.workspace.channels.find(({ name }) => name === "random")?.members).toContain("U0CROSSZONE");
  expect(after.control.file(question.files?.[0]?.id ?? "").bytes).toEqual(Buffer.from([0, 255, 1]));
});

test("a stream goes on after a restart, and still ends at its time", async () => {
  const file = newFile();
  const secrets = { botToken: "xoxb-1", signingSecret: "s", appToken: "xapp-1" };
  const before = await startDevSlack({ file, secrets, streamLifetimeMs: 3_000 });
  const { started, channel } = streamForTest(before);
  const [first, second] = [await started({ markdown_text: "one " }), await started({ markdown_text: "left" })];
  await before.close();
  const after = await devSlackForTest({ file, secrets });
  await callWebApi(after, "chat.appendStream", { channel, ts: first, markdown_text: "two" });
  expect(await callWebApi(after, "chat.stopStream", { channel, ts: first })).toMatchObject({
    message: { text: "one two" },
  });
  const isExpired = (): boolean =>
    after.control.messages({ channel }).some(({ ts, stream }) => ts === second && stream?.state === "expired");
  await expect.poll(isExpired).toBe(true);
});

test("an event that the app did not take is sent again after a restart", async () => {
  const file = newFile();
  const secrets = { botToken: "xoxb-1", signingSecret: "s", appToken: "xapp-1" };
  const before = await startDevSlack({ file, secrets, eventsUrl: "http://127.0.0.1:9" });
  before.control.postMessage({ channel: "dm", text: "is anyone there?" });
  await before.close();
  const app = await recordingApp();
  const after = await devSlackForTest({ file, secrets, eventsUrl: app.url });
  await after.control.idle();
  expect(app.requests).toHaveLength(1);
});

test("a file of another version is emptied, and one that is no workspace is reported with its name", () => {
  const path = newFile();
  const storage = openStorage(path);
  storage.keep("a").set("one", 1);
  storage.atomically(() => storage.atomically(() => storage.keep("a").set("two", { bytes: Buffer.from("x") })));
  storage.keep("a").delete("one");
  storage.close();
  const again = openStorage(path);
  expect([...again.keep("a")]).toEqual([["two", { bytes: Buffer.from("x") }]]);
  again.close();
  const other = new DatabaseSync(path);
  other.exec("PRAGMA user_version = 99");
  other.close();
  const emptied = openStorage(path);
  expect(emptied.keep("a").size).toBe(0);
  emptied.close();
  writeFileSync(path, "not a database, but a file that is long enough to be read as one".repeat(100));
  expect(() => openStorage(path)).toThrow(`cannot read ${path}; delete it`);
});
