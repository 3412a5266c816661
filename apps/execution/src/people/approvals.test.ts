import { writeFile } from "node:fs/promises";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { openApprovals } from "../zone/open-inputs.ts";
import { createApprovalFor, defaultPolicy, readPolicy } from "./approvals.ts";

const call = { agent: "assistant", tool: "wiki_delete", channel: "C1", sideEffects: true };

function policyOf(value: unknown) {
  const read = readPolicy(value);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return createApprovalFor(() => read.policy);
}

test("without a file, the requester approves calls with side effects", () => {
  const approvalFor = createApprovalFor(() => defaultPolicy);
  expect(approvalFor(call)).toMatchObject({
    needed: true,
    terms: {
      decide: { people: [], groups: [], requester: true, approve: 1, deny: 1 },
      expiresInMs: 86_400_000,
      executeWithinMs: 3_600_000,
      visibility: "thread",
    },
  });
  expect(approvalFor({ ...call, sideEffects: false }).needed).toBe(false);
});

test("the first rule that matches applies, else the default", () => {
  const approvalFor = policyOf({
    default: { approval: "none" },
    rules: [
      { agent: "assistant", tool: "wiki_read", approval: "none" },
      { tool: "wiki_*", channel: "C1", approval: "always", decide: { groups: ["S1"], approve: 2 }, expires_in: "2h" },
      { agent: "assistant", approval: "side_effects" },
    ],
  });
  const needed = (members: object) => approvalFor({ ...call, sideEffects: false, ...members }).needed;
  expect(needed({ tool: "wiki_read" })).toBe(false);
  expect(needed({})).toBe(true);
  expect(needed({ channel: "C2" })).toBe(false);
  expect(needed({ channel: "C2", sideEffects: true })).toBe(true);
  expect(needed({ channel: "C2", agent: "other", sideEffects: true })).toBe(false);
  expect(needed({ tool: undefined })).toBe(false);
  const { terms } = approvalFor(call);
  expect(terms).toMatchObject({ decide: { groups: ["S1"], requester: false, approve: 2 }, expiresInMs: 7_200_000 });
});

test("another rule has another digest, the same rule in another place has the same one", () => {
  const digest = (...rules: object[]) => policyOf({ rules })(call).terms.policy;
  const rule = { tool: "wiki_*", decide: { people: ["U1"] } };
  expect(digest({ agent: "other" }, rule)).toBe(digest(rule));
  expect(digest({ ...rule, decide: { people: ["U2"] } })).not.toBe(digest(rule));
});

test.each<[string, unknown, string]>([
  ["no approver", { rules: [{ decide: { people: [] } }] }, "/rules/0/decide"],
  ["too few can vote", { default: { decide: { people: ["U1", "U1"], approve: 2 } } }, "/default/decide"],
  ["an unknown member", { rules: [{ aproval: "always" }] }, "/rules/0"],
  ["no unit", { rules: [{}, { expires_in: 10 }] }, "/rules/1/expires_in"],
])("a mistake is reported with its place: %s", (...[, value, pointer]) => {
  expect(readPolicy(value)).toMatchObject({ problems: [{ pointer }] });
});

test("edits of the file apply without a restart, and a mistake keeps the previous policy", async () => {
  const path = tempFile("approvals.yaml", "rules:\n  - tool: pay\n    decide: {}\n");
  const events: unknown[] = [];
  const contents: object[] = [];
  const emit = (event: string, fields?: object): void => void events.push([event, fields]);
  const open = () => openApprovals(path, { emit, loaded: async (_id, content) => void contents.push(content) });
  await expect(open()).rejects.toThrow(`${path}:3:5: /rules/0/decide names no eligible approver`);
  await writeFile(path, "default:\n  approval: none\n");
  const { approvalFor, close } = await open();
  onTestFinished(close);
  expect(approvalFor(call).needed).toBe(false);
  await writeFile(path, "default:\n  approval: always\n# Edited.\n");
  await expect.poll(() => approvalFor(call).needed).toBe(true);
  await writeFile(path, "default:\n  approval: sometimes\n");
  await expect.poll(() => events.at(-1)).toMatchObject(["approvals_file_not_usable", {}]);
  expect(approvalFor(call).needed).toBe(true);
  expect(contents).toMatchObject([{ default: { approval: "none" } }, { default: { approval: "always" } }]);
});
