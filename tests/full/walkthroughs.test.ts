import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { walkthroughOf } from "../harness/read-page.ts";
import { repoDir } from "./release-copy.ts";
import { createScratchRepository } from "./scratch-repository.ts";

const page = readFileSync(join(repoDir, "CONTRIBUTING.md"), "utf8");

/** Returns the source files of a walkthrough, without tests, fixtures and documents, such as the rows of the troubleshooting page. */
const sourcesOf = (heading: string): readonly string[] =>
  walkthroughOf(page, heading)
    .flatMap((step) => (step.kind === "run" ? [] : [step.path]))
    .filter((path) => !/\.test\.ts$|\.md$|\/fixtures\/|\/slack-symptoms\.ts$/.test(path));

/** The folders that each walkthrough type-checks, and the maximum number of source files that it edits. */
test.each([
  { heading: "Add a step type", checked: ["packages/workflow/src"], most: 3 },
  { heading: "Add a policy rule", checked: ["apps/verification/src"], most: 4 },
  { heading: "Add a transport", checked: ["apps/verification/src"], most: 4 },
  { heading: "Add a protocol adapter", checked: ["packages/agent-bridge/src"], most: 4 },
  { heading: "Add an admin endpoint", checked: ["apps/execution/src"], most: 4 },
])(
  "the walkthrough works as written: $heading",
  async ({ heading, checked, most }) => {
    expect(new Set(sourcesOf(heading)).size).toBeLessThanOrEqual(most);
    const copy = createScratchRepository(checked);
    for (const step of walkthroughOf(page, heading)) await copy.follow(step);
  },
  600_000,
);
