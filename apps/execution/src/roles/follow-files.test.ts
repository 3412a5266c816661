import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { followFiles } from "./agents-file.ts";

test("each edit of a file is applied, even after an invalid edit or a removal, until the watch stops", async () => {
  const folder = mkdtempSync(join(tmpdir(), "follow-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "agents.yaml");
  const apply = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error("broken")).mockResolvedValue();
  const onFailure = vi.fn<(error: unknown) => void>();
  const stop = followFiles([path], { apply, onFailure });
  writeFileSync(path, "1");
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledWith(new Error("broken")));
  rmSync(path);
  await vi.waitFor(() => expect(apply).toHaveBeenCalledTimes(2));
  writeFileSync(path, "22");
  await vi.waitFor(() => expect(apply).toHaveBeenCalledTimes(3));
  await stop();
  expect(onFailure).toHaveBeenCalledTimes(1);
});
