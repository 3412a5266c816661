import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { policySchema } from "@crosszone/verification";
import { expect, test } from "vitest";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/operations.md"), "utf8");
const [, section = ""] = /^## Policy file$([^]*?)^## /m.exec(page) ?? [];

test("the page lists every member of the policy file, in order", () => {
  const listed = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  const members = Object.keys(policySchema.parse({}));
  expect(listed, 'Fix the table of docs/operations.md, section "Policy file".').toEqual(members);
});

test("the policy file on the page is valid", () => {
  const [, example = ""] = /```json\n([^]*?)```/.exec(section) ?? [];
  expect(policySchema.parse(JSON.parse(example))).toMatchObject({ allow_guests: true });
});
