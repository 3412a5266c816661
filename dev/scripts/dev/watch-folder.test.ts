import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchFolder } from "./watch-folder.ts";

test("an edit of a folder's file is told once, until it is not wanted; a hidden file's is not", async () => {
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

test("a folder that is not there is left to those who read it", () => {
  expect(watchFolder(join(tmpdir(), "no-such-folder"), () => undefined)).not.toThrow();
});
