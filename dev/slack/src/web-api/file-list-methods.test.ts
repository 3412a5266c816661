import { expect, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";

/** A person shares a file; returns its id. */
function share(dev: DevSlack, channel: string, name: string): string {
  const mimetype = name.endsWith(".pdf") ? "application/pdf" : "text/plain";
  const { files } = dev.control.postMessage({ channel, text: "", files: [{ name, mimetype, content: "x" }] });
  return files?.[0]?.id ?? "";
}

/** The app uploads a file; returns its id. */
async function upload(dev: DevSlack, args: object): Promise<string> {
  const { upload_url, file_id } = await callWebApi(dev, "files.getUploadURLExternal", { filename: "a.png", length: 1 });
  await fetch(String(upload_url), { method: "POST", body: "x" });
  await callWebApi(dev, "files.completeUploadExternal", { files: [{ id: file_id }], ...args });
  return String(file_id);
}

test("files.list has what the app may see, newest first, by channel, person, type and page", async () => {
  const dev = await devSlackForTest();
  const notes = share(dev, "general", "notes.txt");
  share(dev, "random", "unseen.txt");
  const page = share(dev, "dm", "page.pdf");
  const own = await upload(dev, { channel_id: "C0GENERAL01" });
  await callWebApi(dev, "files.getUploadURLExternal", { filename: "announced.png", length: 1 });
  const list = async (args: object = {}) => {
    const { files, paging, error } = await callWebApi(dev, "files.list", { ...args });
    return error ?? { ids: (files as { id: string }[]).map(({ id }) => id), paging };
  };
  const paging = { count: 100, total: 3, page: 1, pages: 1 };
  expect(await list()).toEqual({ ids: [own, page, notes], paging });
  expect(await list({ channel: "C0GENERAL01" })).toMatchObject({ ids: [own, notes] });
  expect(await list({ user: "U0CROSSZONE" })).toMatchObject({ ids: [own] });
  expect(await list({ types: "pdfs,images" })).toMatchObject({ ids: [own, page] });
  expect(await list({ count: 2, page: 2 })).toEqual({
    ids: [notes],
    paging: { count: 2, total: 3, page: 2, pages: 2 },
  });
  const now = Math.floor(Date.now() / 1000);
  expect(await list({ ts_to: now - 60 })).toMatchObject({ ids: [] });
  expect(await list({ ts_from: now - 60 })).toMatchObject({ ids: [own, page, notes] });
  expect(await list({ types: "songs" })).toBe("unknown_type");
  expect(await list({ user: "U0NOBODY001" })).toBe("user_not_found");
});

test("files.delete removes the app's file from its messages, and deletes a message that has nothing else", async () => {
  const dev = await devSlackForTest();
  const [alone, mentioned] = [
    await upload(dev, { channel_id: "C0GENERAL01" }),
    await upload(dev, { channel_id: "C0GENERAL01", initial_comment: "here" }),
  ];
  const remove = (file: string) => callWebApi(dev, "files.delete", { file });
  expect(await remove(alone)).toEqual({ ok: true });
  expect(await remove(mentioned)).toEqual({ ok: true });
  expect(dev.control.messages({ channel: "general" })).toMatchObject([{ text: "here" }]);
  expect(dev.control.messages({ channel: "general" })[0]).not.toHaveProperty("files");
  expect(await remove(mentioned)).toMatchObject({ error: "file_deleted" });
  expect(await callWebApi(dev, "files.info", { file: mentioned })).toMatchObject({ error: "file_not_found" });
  expect(await remove(share(dev, "general", "notes.txt"))).toMatchObject({ error: "cant_delete_file" });
  expect(await remove(share(dev, "random", "unseen.txt"))).toMatchObject({ error: "file_not_found" });
  expect(await remove("F0NOWHERE01")).toMatchObject({ error: "file_not_found" });
});
