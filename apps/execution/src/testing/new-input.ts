import type { InputVoter } from "@crosszone/contracts";
import type { Ballot } from "../people/decide.ts";
import { type InputRecord, type NewInput, inputIdOf } from "../people/input-record.ts";
import { newInputRecord } from "../people/input-statements.ts";
import type { ApprovalFor } from "../people/approvals.ts";

/** An approval that Bob or the group of operators decides, asked by Alice. */
export const newInput = (members: Partial<NewInput> = {}): NewInput => ({
  request_id: inputIdOf("task", "key"),
  kind: "approve",
  title: "Send the invoice?",
  agent: "assistant",
  decide: { people: ["U_BOB"], groups: ["S_OPS"], requester: false, approve: 1, deny: 1 },
  visibility: "thread",
  requester: "U_ALICE",
  team_id: "T1",
  caller: "verification",
  expiresInMs: 60_000,
  executeWithinMs: 60_000,
  policy: "p",
  ...members,
});

/** An action with its arguments. */
export const payment = (euros: number) => ({ agent: "assistant", tool: "pay", arguments: { euros } });

/** A request that was stored at the time 0. */
export const newRecord = (members: Partial<NewInput> = {}): InputRecord => newInputRecord(newInput(members), 0);

export const voter = (user_id: string, groups: string[] = [], team_id = "T1"): InputVoter => ({
  user_id,
  team_id,
  groups,
});

export const ballot = (by: InputVoter, members: Partial<Ballot> = {}): Ballot => ({
  by,
  answer: { verdict: "approve" },
  via: "slack",
  ...members,
});

/** The policy by which the requester decides what a call with side effects does. */
export const byRequester: ApprovalFor = ({ sideEffects }) => ({
  needed: sideEffects,
  terms: {
    decide: { people: [], groups: [], requester: true, approve: 1, deny: 1 },
    visibility: "thread",
    expiresInMs: 60_000,
    executeWithinMs: 60_000,
    policy: "p",
  },
});
