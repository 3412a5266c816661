import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { sourceFolders } from "./source-folders.ts";

const root = resolve(import.meta.dirname, "../../..");

test("each service of `./crosszone dev` watches its own sources and those of the workspace packages that it loads, and no others", () => {
  const watched = (app: string): string[] => sourceFolders(join(root, app)).map((path) => path.slice(root.length + 1));
  expect(watched("dev/slack")).toEqual(["dev/slack/src"]);
  expect(watched("dev/agents")).toEqual(["dev/agents/src", "packages/contracts/src"]);
  expect(watched("apps/execution")).toContain("packages/telemetry/src");
  expect(watched("apps/execution")).not.toContain("tools/cli/src");
  expect(watched("apps/verification")).not.toContain("packages/workflow/src");
});
