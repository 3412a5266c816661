import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { followFiles } from "./live-files.ts";

async function follow(text = "first") {
  const path = join(tempFolder(), "file");
  writeFileSync(path, text);
  const store = vi.fn<(value: { readonly text: string }) => Promise<void>>(async () => undefined);
  const [onApplied, onFailure] = [vi.fn<(value: object) => void>(), vi.fn<(error: unknown) => void>()];
  const read = async () => ({ text: readFileSync(path, "utf8") });
  const file = await followFiles({ paths: [path], read, store, onApplied, onFailure });
  onTestFinished(file.close);
  return { path, file, store, onApplied, onFailure, edit: (next: string) => writeFileSync(path, next) };
}

test("each edit of a file is applied, even after a removal, until it is no longer followed", async () => {
  const { path, file, onApplied, onFailure, edit } = await follow();
  const first = file.current();
  edit("second");
  await vi.waitFor(() => expect(file.current()).toEqual({ text: "second" }));
  expect([first, onApplied.mock.calls]).toEqual([{ text: "first" }, [[{ text: "second" }]]]);
  rmSync(path);
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
  expect(file.current()).toEqual({ text: "second" });
  edit("third one");
  await vi.waitFor(() => expect(file.current()).toEqual({ text: "third one" }));
  await file.close();
  edit("the fourth");
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect([file.current(), onFailure.mock.calls.length]).toEqual([{ text: "third one" }, 1]);
});

test("an edit is in force only once it is stored, and the same object is stored until then", async () => {
  const { file, store, onApplied, onFailure, edit } = await follow();
  const seen: string[] = [];
  store.mockImplementation(async ({ text }) => {
    seen.push(`${text} while ${file.current().text}`);
    if (seen.length < 3) throw new Error("the disk is full");
  });
  edit("second");
  await vi.waitFor(() => expect(file.current()).toEqual({ text: "second" }));
  expect(seen).toEqual(Array.from({ length: 3 }, () => "second while first"));
  expect(onFailure.mock.calls).toEqual([[new Error("it can't be stored: the disk is full")]]);
  expect(onApplied).toHaveBeenCalledOnce();
  // The same object each time, so that its event has one id.
  expect(new Set(store.mock.calls.slice(1).map(([value]) => value)).size).toBe(1);
});

test("the first version must be stored", async () => {
  const store = () => Promise.reject(new Error("the disk is full"));
  const nothing = () => undefined;
  const opened = followFiles({ paths: [], read: async () => 1, store, onApplied: nothing, onFailure: nothing });
  await expect(opened).rejects.toThrow("the disk is full");
});
