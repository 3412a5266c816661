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

test("a planned fault of downloads occurs as often as planned, and only for the bot", async () => {
  const dev = await devSlackForTest();
  const files = [{ name: "notes.txt", mimetype: "text/plain", content: "hello" }];
  const [file] = dev.control.postMessage({ channel: "general", text: "", files }).files ?? [];
  const url = file?.url_private_download ?? "";
  const headers = { authorization: `Bearer ${dev.botToken}` };
  const get = () => fetch(url, { headers, redirect: "manual" });

  dev.control.setFileFault({ kind: "redirect", times: 2 });
  expect((await fetch(url)).headers.get("content-type")).toContain("text/html");
  for (const status of [302, 302, 200]) expect((await get()).status).toBe(status);
  dev.control.setFileFault({ kind: "disguised_page" });
  const page = await get();
  expect([page.headers.get("content-type"), await page.text()]).toEqual([
    "text/plain; charset=utf-8",
    expect.stringContaining("<!DOCTYPE html>"),
  ]);
  dev.control.setFileFault({ kind: "other_type" });
  expect((await (await get()).bytes()).subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"));
  dev.control.setFileFault({ kind: "long_length" });
  await expect(get().then((response) => response.text())).rejects.toThrow("terminated");
  dev.control.setFileFault({ kind: "huge" });
  const huge = await get();
  expect(huge.headers.get("content-length")).toBe("10000000000");
  await huge.body?.cancel();
  for (const kind of ["drip", "endless"] as const) {
    dev.control.setFileFault({ kind });
    const answer = await get();
    expect(answer.headers.get("content-length")).toBeNull();
    await answer.body?.cancel();
  }
});

test("a remote file is a link: Slack says that it is external and where it points", async () => {
  const dev = await devSlackForTest();
  const external_url = "https://slack.com/api/api.test";
  const files = [{ name: "plan.pdf", mimetype: "application/pdf", content: "", external_url }];
  const [file] = dev.control.postMessage({ channel: "general", text: "", files }).files ?? [];
  expect(await callWebApi(dev, "files.info", { file: file?.id })).toMatchObject({
    file: { mode: "external", is_external: true, url_private: external_url },
  });
});

test("a file of a type that the browser does not know gets the type of its name, as Slack gives it", async () => {
  const dev = await devSlackForTest();
  const files = [{ name: "notes.MD", mimetype: "application/octet-stream", content: "# Hi" }];
  expect(dev.control.postMessage({ channel: "general", text: "", files }).files).toMatchObject([
    { mimetype: "text/markdown" },
  ]);
});
