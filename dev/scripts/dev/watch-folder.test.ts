import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchFolder } from "./watch-folder.ts";

test("an edit of a file in the folder is reported once, until the watch ends; hidden files are ignored", async () => {
  const folder = mkdtempSync(join(tmpdir(), "watch-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const onChanged = vi.fn<() => void>();
  const stop = watchFolder(folder, onChanged);
  onTestFinished(stop);
  writeFileSync(join(folder, ".a.json.swp"), "{");
  await delay(500);
  expect(onChanged).not.toHaveBeenCalled();
  for (const text of ["{", "{}"]) writeFileSync(join(folder, "a.json"), text);
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalled(), 10_000);
  await delay(500);
  expect(onChanged).toHaveBeenCalledTimes(1);
  stop();
  writeFileSync(join(folder, "a.json"), "[]");
  await delay(500);
  expect(onChanged).toHaveBeenCalledTimes(1);
});

test("a missing folder is not an error of the watcher", () => {
  expect(watchFolder(join(tmpdir(), "no-such-folder"), () => undefined)).not.toThrow();
});
