import { mistakesIn, sectionIn } from "@crosszone/service-kit/testing";
import { expect, test } from "vitest";
import { approvalsRow, createApprovalFor, usualApprovals } from "./approvals.ts";

const call = { agent: "assistant", tool: "wiki_delete", channel: "C1", sideEffects: true };

async function policyOf(approvals: unknown) {
  const policy = await sectionIn("approvals", approvalsRow, JSON.stringify({ approvals }));
  return createApprovalFor(() => policy);
}

test("without the section, the requester approves calls with side effects", () => {
  const approvalFor = createApprovalFor(() => usualApprovals);
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

test("the first rule that matches applies, else the default", async () => {
  const approvalFor = await policyOf({
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

test("another rule has another digest, the same rule in another place has the same one", async () => {
  const digest = async (...rules: object[]) => (await policyOf({ rules }))(call).terms.policy;
  const rule = { tool: "wiki_*", decide: { people: ["U1"] } };
  expect(await digest({ agent: "other" }, rule)).toBe(await digest(rule));
  expect(await digest({ ...rule, decide: { people: ["U2"] } })).not.toBe(await digest(rule));
});

test.each<[string, unknown, string]>([
  ["no approver", { rules: [{ decide: { people: [] } }] }, "/rules/0/decide"],
  ["too few can vote", { default: { decide: { people: ["U1", "U1"], approve: 2 } } }, "/default/decide"],
  ["an unknown member", { rules: [{ aproval: "always" }] }, "/rules/0/aproval"],
  ["a short time", { default: { remind_every: "10s" } }, "/default/remind_every"],
  ["no unit", { rules: [{}, { expires_in: 10 }] }, "/rules/1/expires_in"],
])("a mistake is reported with its place: %s", async (...[, approvals, pointer]) => {
  const [mistake] = await mistakesIn("approvals", approvalsRow, JSON.stringify({ approvals }));
  expect(mistake).toContain(` /approvals${pointer} `);
});
