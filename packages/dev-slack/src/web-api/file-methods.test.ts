import { expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

test("an upload is announced, sent once with the announced length, and completed", async () => {
  const dev = await devSlackForTest();
  const announce = (length: number) => callWebApi(dev, "files.getUploadURLExternal", { filename: "a.csv", length });
  expect(await announce(0)).toMatchObject({ error: "missing_argument" });
  const { upload_url, file_id } = await announce(3);
  const url = String(upload_url);
  const complete = (args: object) =>
    callWebApi(dev, "files.completeUploadExternal", { files: [{ id: file_id, title: "A" }], ...args });
  expect(await complete({})).toMatchObject({ error: "file_not_found" });
  expect((await fetch(url, { method: "POST", body: "too long" })).status).toBe(400);
  const sent = await fetch(url, { method: "POST", body: "a,b" });
  expect([sent.status, await sent.text()]).toEqual([200, "OK - 3"]);
  expect((await fetch(url, { method: "POST", body: "a,b" })).status).toBe(404);
  expect(await complete({ channel_id: "C0RANDOM001" })).toMatchObject({ error: "not_in_channel" });
  expect(await complete({ channel_id: "C0NOWHERE01" })).toMatchObject({ error: "channel_not_found" });
  expect(await complete({ channel_id: "C0GENERAL01" })).toMatchObject({
    files: [{ id: file_id, title: "A", mimetype: "text/csv", size: 3, channels: ["C0GENERAL01"], is_public: true }],
  });
  expect(dev.control.messages({ channel: "general" })).toMatchObject([{ files: [{ id: file_id, name: "a.csv" }] }]);
});

test("the bot sees a person's file only where it is a member, and needs files:read", async () => {
  const dev = await devSlackForTest();
  const share = (channel: string): { id: string; url: string } => {
    const files = [{ name: "notes.txt", mimetype: "text/plain", content: "aGk=", encoding: "base64" as const }];
    const [file] = dev.control.postMessage({ channel, text: "", files }).files ?? [];
    return { id: file?.id ?? "", url: file?.url_private_download ?? "" };
  };
  const here = share("general");
  const there = share("random");
  const headers = { authorization: `Bearer ${dev.botToken}` };
  const got = await fetch(here.url, { headers });
  expect([got.headers.get("content-type"), await got.text()]).toEqual(["text/plain; charset=utf-8", "hi"]);
  expect((await fetch(there.url, { headers })).headers.get("content-type")).toContain("text/html");
  expect(await callWebApi(dev, "files.info", { file: here.id })).toMatchObject({ file: { user: "U0ALICE0001" } });
  expect(await callWebApi(dev, "files.info", { file: there.id })).toMatchObject({ error: "file_not_found" });
  expect((await fetch(here.url.replace(here.id, "F0NOWHERE01"), { headers })).status).toBe(404);

  const poor = await devSlackForTest({ scopes: ["chat:write"] });
  const posted = poor.control.postMessage({
    channel: "dm",
    text: "",
    files: [{ name: "a.txt", mimetype: "text/plain", content: "a" }],
  });
  const page = await fetch(posted.files?.[0]?.url_private_download ?? "", {
    headers: { authorization: `Bearer ${poor.botToken}` },
  });
  expect(page.headers.get("content-type")).toContain("text/html");
});
