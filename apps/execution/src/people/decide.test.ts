import type { InputAnswer, InputRequest, InputVoter } from "@crosszone/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ballot, newRecord, payment, voter } from "../testing/new-input.ts";
import { type Ballot, judgeBallot } from "./decide.ts";
import type { InputRecord, NewInput } from "./input-record.ts";

const moment = { now: 1_000, ownerEnded: false };
const bob = voter("U_BOB");
const ops = (name: string): InputVoter => voter(`U_${name}`, ["S_OPS"]);
const denies = { answer: { verdict: "deny", reason: "No." } } as const;

/** Applies ballots in turn, as the store does. Returns the outcomes and the last request. */
function play(members: Partial<NewInput>, ...ballots: readonly Ballot[]) {
  let record: InputRecord = newRecord(members);
  const outcomes = ballots.map((one) => {
    const { outcome, next } = judgeBallot(record, one, moment);
    record = { ...record, request: next ?? record.request };
    return outcome;
  });
  return { outcomes, request: record.request };
}

const outcomeOf = (members: Partial<NewInput>, one: Ballot) => play(members, one).outcomes[0];
const quorum: NewInput["decide"] = { people: [], groups: ["S_OPS"], requester: false, approve: 2, deny: 1 };

describe("who can decide", () => {
  test.each<[string, InputVoter, Partial<NewInput["decide"]>, string]>([
    ["a named person", bob, {}, "decided"],
    ["a member of a named group", ops("CAROL"), {}, "decided"],
    ["P2: not just anyone who sees the thread", voter("U_EVE"), {}, "not_eligible"],
    ["a member of another group", voter("U_EVE", ["S_EVE"]), {}, "not_eligible"],
    ["a group of the same id in another team", voter("U_EVE", ["S_OPS"], "T2"), {}, "not_eligible"],
    ["a named person in another team", voter("U_BOB", [], "T2"), {}, "decided"],
    ["the requester", voter("U_ALICE"), { requester: true }, "decided"],
    ["a requester who is not asked", voter("U_ALICE"), {}, "not_eligible"],
    ["a requester in the group", voter("U_ALICE", ["S_OPS"]), {}, "not_eligible"],
    ["a requester in the list", voter("U_ALICE"), { people: ["U_ALICE"] }, "not_eligible"],
    ["a requester under another team id", voter("U_ALICE", ["S_OPS"], "T2"), { people: ["U_ALICE"] }, "not_eligible"],
    ["a requester who is asked, from another team", voter("U_ALICE", [], "T2"), { requester: true }, "not_eligible"],
    ["a person who calls himself a token", voter("token:1", ["S_OPS"]), { people: ["token:1"] }, "not_eligible"],
  ])("%s", (...[, by, rule, outcome]) => {
    expect(outcomeOf({ decide: { ...newRecord().request.decide, ...rule } }, ballot(by))).toBe(outcome);
  });

  test("P2, P8: an API caller can't assert a person: only a named token decides there", () => {
    const rule = { ...newRecord().request.decide, people: ["U_BOB", "token:1"] };
    expect(outcomeOf({ decide: rule }, ballot(bob, { via: "api" }))).toBe("not_eligible");
    expect(outcomeOf({ decide: rule }, ballot(voter("token:2"), { via: "api" }))).toBe("not_eligible");
    expect(outcomeOf({ decide: rule }, ballot(voter("token:1"), { via: "api" }))).toBe("decided");
  });

  test("escalation adds people after the first reminder, and excluded people never count", () => {
    const record = newRecord({ escalate: ["U_DAN"], not: ["U_BOB"] });
    expect(judgeBallot(record, ballot(voter("U_DAN")), moment).outcome).toBe("not_eligible");
    const reminded = { ...record, request: { ...record.request, reminders: 1 } };
    expect(judgeBallot(reminded, ballot(voter("U_DAN")), moment).outcome).toBe("decided");
    expect(judgeBallot(reminded, ballot(bob), moment).outcome).toBe("not_eligible");
  });
});

describe("votes", () => {
  test("P2: a double click does not act twice: it decides once, and its repetition gets the same response", () => {
    const { outcomes, request } = play({}, ballot(bob), ballot(bob), ballot(ops("CAROL")));
    expect(outcomes).toEqual(["decided", "decided", "already_decided"]);
    expect(request).toMatchObject({ state: "approved", votes: [{ user_id: "U_BOB", verdict: "approve" }] });
    expect(play({}, ballot(bob), ballot(bob, denies)).outcomes).toEqual(["decided", "already_decided"]);
  });

  test("a quorum needs distinct people, and one no ends it", () => {
    const [carol, dan] = [ops("CAROL"), ops("DAN")];
    const rule = { decide: quorum };
    expect(play(rule, ballot(carol), ballot(carol)).outcomes).toEqual(["counted", "already_voted"]);
    expect(play(rule, ballot(carol), ballot(dan, { voters: [carol] })).request.state).toBe("approved");
    expect(play(rule, ballot(carol), ballot(dan, denies)).request).toMatchObject({
      state: "denied",
      answer: denies.answer,
    });
  });

  test("P7: a voter who left the group in between does not count, and counts again after a return", () => {
    const [carol, dan] = [ops("CAROL"), ops("DAN")];
    const left = { ...carol, groups: [] };
    for (const voters of [undefined, [], [left], [voter("U_CAROL", ["S_OPS"], "T2")]]) {
      const { outcomes, request } = play({ decide: quorum }, ballot(carol), ballot(dan, { voters }));
      expect(outcomes).toEqual(["counted", "counted"]);
      expect(request).toMatchObject({ state: "open", votes: [{ user_id: "U_CAROL" }, { user_id: "U_DAN" }] });
    }
    const back = play({ decide: quorum }, ballot(carol), ballot(dan), ballot(dan, { voters: [carol] }));
    expect(back.outcomes).toEqual(["counted", "counted", "decided"]);
    const third = play({ decide: quorum }, ballot(carol), ballot(dan), ballot(ops("EVE"), { voters: [left, dan] }));
    const counts = third.request.votes.map((vote) => [vote.user_id, vote.counts ?? true]);
    expect(counts).toEqual([
      ["U_CAROL", false],
      ["U_DAN", true],
      ["U_EVE", true],
    ]);
  });

  test("a person can change an approve to a deny, but not back", () => {
    const rule = { decide: { ...quorum, deny: 2 } };
    const carol = ops("CAROL");
    const { outcomes, request } = play(rule, ballot(carol), ballot(carol, denies), ballot(carol));
    expect(outcomes).toEqual(["counted", "counted", "already_voted"]);
    expect(request.votes).toMatchObject([{ user_id: "U_CAROL", verdict: "deny" }]);
  });

  test("whatever the votes, no one but enough eligible people approves", () => {
    const people = ["U_ALICE", "U_BOB", "U_CAROL", "U_DAN", "U_EVE"];
    const person = fc.record({
      user_id: fc.constantFrom(...people),
      team_id: fc.constantFrom("T1", "T2"),
      groups: fc.subarray(["S_OPS", "S_EVE"]),
    });
    const press = fc.record({ by: person, voters: fc.array(person, { maxLength: 4 }), isYes: fc.boolean() });
    const rule = fc.record({
      people: fc.subarray(["U_ALICE", "U_BOB"]),
      groups: fc.constant<string[]>(["S_OPS"]),
      requester: fc.boolean(),
      approve: fc.integer({ min: 1, max: 3 }),
      deny: fc.integer({ min: 1, max: 2 }),
    });
    const check = fc.property(rule, fc.array(press, { maxLength: 8 }), (of, presses) => {
      let record = newRecord({ decide: of });
      for (const { by, voters, isYes } of presses) {
        const before = record.request;
        const verdict = isYes ? "approve" : "deny";
        const { next = before } = judgeBallot(record, ballot(by, { voters, answer: { verdict } }), moment);
        record = { ...record, request: next };
        if (next.state === before.state) continue;
        const known = [by, ...voters.filter((one) => one.user_id !== by.user_id)];
        const may = (id: string): boolean => {
          const { user_id, team_id, groups } = known.find(({ user_id: one }) => one === id) ?? voter("");
          if (user_id === "U_ALICE" && !of.requester) return false;
          if (of.people.includes(user_id)) return true;
          return team_id === "T1" && (user_id === "U_ALICE" || groups.includes("S_OPS"));
        };
        const counted = next.votes.filter((one) => one.verdict === verdict && may(one.user_id));
        expect(next.state).toBe(isYes ? "approved" : "denied");
        expect(new Set(counted.map(({ user_id }) => user_id)).size).toBeGreaterThanOrEqual(of[verdict]);
        return;
      }
      expect(record.request.state).toBe("open");
    });
    fc.assert(check);
  });
});

describe("time and content", () => {
  test("at the millisecond of its expiry a request is expired, one before it is open", () => {
    const record = newRecord();
    const at = (now: number) => judgeBallot(record, ballot(bob), { now, ownerEnded: false });
    expect(at(59_999).outcome).toBe("decided");
    expect(at(60_000)).toMatchObject({ outcome: "expired", next: { state: "expired", votes: [] } });
  });

  test("a click on the card of an ended task withdraws the request and gets a word", () => {
    const { outcome, next } = judgeBallot(newRecord(), ballot(bob), { now: 0, ownerEnded: true });
    expect({ outcome, state: next?.state }).toEqual({ outcome: "withdrawn", state: "withdrawn" });
  });

  test("an approval of an action needs the digest of what the person saw; a denial does not", () => {
    const action = payment(100);
    const digest = newRecord({ action }).request.action?.digest;
    const other = newRecord({ action: payment(101) }).request.action?.digest;
    expect(play({ action }, ballot(bob), ballot(bob, { digest: other }))).toMatchObject({
      outcomes: ["changed", "changed"],
      request: { state: "open", votes: [] },
    });
    expect(play({ action }, ballot(bob, { digest })).request.execute_until).toBe("1970-01-01T00:01:01.000Z");
    expect(play({ action }, ballot(bob, denies)).request.state).toBe("denied");
  });

  const choose = { kind: "choose", options: [{ value: "a", label: "A" }] } satisfies Partial<NewInput>;
  const form = {
    kind: "form",
    schema: {
      type: "object",
      properties: { mail: { type: "string", format: "email" }, age: { type: "integer", maximum: 120 } },
      required: ["age"],
    },
  } satisfies Partial<NewInput>;
  const value = (of: string): InputAnswer => ({ verdict: "answer", value: of });
  const values = (of: Record<string, string | number>): InputAnswer => ({ verdict: "answer", values: of });

  test.each<[Partial<NewInput>, InputAnswer, InputRequest["state"]]>([
    [choose, value("a"), "answered"],
    [choose, { verdict: "deny" }, "denied"],
    [{ kind: "text" }, value("Tomorrow."), "answered"],
    [form, values({ age: 7, mail: "a@example.com" }), "answered"],
  ])("the first valid answer decides: %j %j", (...[members, answer, state]) => {
    expect(play(members, ballot(bob, { answer })).request).toMatchObject({ state, answer });
  });

  test.each<[Partial<NewInput>, InputAnswer, string[]]>([
    [{}, value("yes"), ["/answer/verdict"]],
    [choose, { verdict: "approve" }, ["/answer/verdict"]],
    [choose, value("b"), ["/answer/value"]],
    [{ kind: "text" }, { verdict: "answer" }, ["/answer/value"]],
    [form, { verdict: "approve" }, ["/answer/verdict"]],
    [form, value("7"), ["/answer/values"]],
    [form, values({}), ["/answer/values/age"]],
    [form, values({ age: 121, mail: "no", x: 1 }), ["/answer/values/mail", "/answer/values/age", "/answer/values/x"]],
    [form, values({ age: "7" }), ["/answer/values/age"]],
  ])("a wrong answer is refused with its place, and stores nothing: %j %j", (...[members, answer, pointers]) => {
    const refused = (): unknown => judgeBallot(newRecord(members), ballot(bob, { answer }), moment);
    const problems = pointers.map((pointer) => expect.objectContaining({ pointer }) as unknown);
    expect(refused).toThrow(expect.objectContaining({ kind: "invalid_params", data: { problems } }));
    expect(outcomeOf(members, ballot(voter("U_EVE"), { answer }))).toBe("not_eligible");
  });
});
