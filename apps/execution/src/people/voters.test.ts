import type { InputAnswer, InputDeciders, InputKind } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { ballot, newRecord } from "../testing/new-input.ts";
import { mistakesIn } from "@crosszone/service-kit/testing";
import { approvalsRow } from "./approvals.ts";
import { judgeBallot } from "./decide.ts";
import { isProgram, knownVoters, mayVote, needsSlack, type VoteRule, votersProblem } from "./input-record.ts";

const deciders = (more: Partial<InputDeciders>): InputDeciders => ({
  people: [],
  groups: [],
  requester: false,
  approve: 1,
  deny: 1,
  ...more,
});
const own = deciders({ requester: true });
const refusedSelf = "lets only its requester decide, and a program can't approve its own call: name people or a group";

test.each<[string, VoteRule, string | undefined]>([
  ["a program approves its own call", { kind: "approve", decide: own, requester: "token:ci" }, refusedSelf],
  ["a subject approves its own call", { kind: "approve", decide: own, requester: "subject:x" }, refusedSelf],
  ["a person approves the own call", { kind: "approve", decide: own, requester: "U1" }, undefined],
  ["a program answers what its task asks", { kind: "text", decide: own, requester: "token:ci" }, undefined],
  ["a program fills in a form", { kind: "form", decide: own, requester: "token:ci", origin: "a2a" }, undefined],
  [
    "a token answers what its run asks",
    { kind: "choose", decide: own, requester: "token:ci", origin: "api" },
    undefined,
  ],
  [
    "a named token approves",
    { kind: "approve", decide: deciders({ people: ["token:ops"] }), requester: "token:ci" },
    undefined,
  ],
  [
    "a group may have the missing votes",
    { kind: "approve", decide: deciders({ groups: ["S1"], approve: 3 }), requester: "token:ci" },
    undefined,
  ],
  [
    "nobody is named",
    { kind: "approve", decide: deciders({}) },
    "names no eligible approver: add people, groups or requester",
  ],
])("P8: %s", (_title, rule, problem) => expect(votersProblem(rule)).toBe(problem));

test("P8: the rules of a policy are judged for a person, because programs come later", async () =>
  expect(await mistakesIn("approvals", approvalsRow, "approvals: {default: {decide: {requester: true}}}")).toEqual([]));

/** Every rule over two people and two programs, whoever of them asked. */
const everybody = ["U1", "U2", "token:a", "token:b"];
function* rules(): Generator<VoteRule & { readonly kind: InputKind }> {
  for (const kind of ["approve", "text"] as const)
    for (const origin of [undefined, "api", "mcp"])
      for (const requester of [undefined, "U1", "token:a"])
        for (const self of [true, false])
          for (const approve of [1, 2])
            for (let set = 0; set < 16; set += 1) {
              const people = everybody.filter((_, bit) => ((set >> bit) & 1) === 1);
              yield { kind, origin, requester, decide: deciders({ people, requester: self, approve }) };
            }
}

/** Returns whether the votes of all of these decide. */
function isDecidedBy(ids: readonly string[], rule: VoteRule & { readonly kind: InputKind }): boolean {
  const answer: InputAnswer = rule.kind === "approve" ? { verdict: "approve" } : { verdict: "answer", value: "x" };
  const voters = ids.map((user_id) => ({ user_id, groups: [] }));
  let record = newRecord({ ...rule, team_id: undefined });
  for (const by of voters) {
    const via = isProgram(by.user_id) ? (rule.origin === "api" ? "api" : "mcp") : "slack";
    const { next } = judgeBallot(record, ballot(by, { answer, via, voters }), { now: 1, ownerEnded: false });
    if (next !== undefined) record = { ...record, request: next };
  }
  return record.request.state !== "open";
}

test("P8: what can be asked can be decided, and nothing else: for every rule, all votes together decide just when enough may vote", () => {
  const all = [...rules()];
  for (const rule of all) {
    const isPossible = votersProblem(rule) === undefined;
    expect([rule, isDecidedBy(everybody, rule)]).toEqual([rule, isPossible]);
    const byPrograms = isDecidedBy(everybody.filter(isProgram), rule);
    expect([rule, byPrograms]).toEqual([rule, isPossible && !needsSlack(rule)]);
  }
  expect(all).toHaveLength(1_152);
});

/** A request of the workspace T1, decided by Bob of T1, a partner of T9 and a colleague without a workspace. */
const shared: VoteRule = {
  kind: "approve",
  team_id: "T1",
  decide: deciders({ people: ["T1/UBOB", "T9/UPAT", "UCAT"] }),
};

test.each<[who: string, is: [user_id: string, team_id?: string], ways: ("console" | "slack")[]]>([
  ["Bob himself", ["UBOB", "T1"], ["console", "slack"]],
  ["another workspace's user with Bob's id", ["UBOB", "T2"], []],
  ["Bob's id in claims without a workspace", ["UBOB"], []],
  ["a partner who is named", ["UPAT", "T9"], ["console", "slack"]],
  ["one of our own with the partner's id", ["UPAT", "T1"], []],
  ["who is named without a workspace", ["UCAT", "T1"], ["console", "slack"]],
  ["the same, with one workspace, by claims that name none", ["UCAT"], ["console", "slack"]],
  ["another workspace's user with that id, whom only Slack proves", ["UCAT", "T2"], ["slack"]],
])("X24: the id of a Slack user counted for any workspace: %s", (_who, [user_id, team_id], ways) => {
  const may = (["console", "slack"] as const).filter((via) => mayVote(shared, { user_id, team_id, groups: [] }, via));
  expect(may).toEqual(ways);
});

test("X24: an earlier vote is judged with its workspace", () => {
  const both: VoteRule = { ...shared, decide: deciders({ people: ["T1/UBOB", "T1/UCAT"], approve: 2 }) };
  expect([votersProblem(both), knownVoters(both)]).toEqual([undefined, ["T1/UBOB", "T1/UCAT"]]);
  let record = newRecord({ ...both, kind: "approve" });
  const outcomes = ["UBOB", "UBOB", "UCAT"].map((user_id) => {
    const by = { user_id, team_id: "T1", groups: [] };
    const vote = ballot(by, { answer: { verdict: "approve" }, via: "console" });
    const { next, outcome } = judgeBallot(record, vote, { now: 1, ownerEnded: false });
    if (next !== undefined) record = { ...record, request: next };
    return outcome;
  });
  expect([outcomes, record.request.state]).toEqual([["counted", "already_voted", "decided"], "approved"]);
});
