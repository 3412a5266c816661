/** The promises about decisions of people and about times and outages that must lose nothing (P), and about the audit log (V), by id. */
export const decisionRequirements = {
  P1: "an input request is execution's record: the first valid answer wins, for the shown arguments and the named approvers",
  P2: "the ways in which other systems lost, doubled, bypassed or misattributed approvals do not work here",
  P3: "a pause crosses A2A and MCP both ways, and resumes exactly there",
  P4: "no time of a schedule is missed or doubled, whatever dies and however clocks change",
  P5: "after an outage of any length each message meant for the app is answered once or listed",
  P6: "the digest is checked when the action runs: a changed action never runs",
  P7: "groups are read at the click for all votes; a group that cannot be read does not count",
  P8: "requesters, bots, agents and tokens decide only where they are named",
  P9: "every click has an answer, and every surface shows the same outcome",
  P10: "an approval that is not used within its time is void",
  V1: "every act and refused act that is audited is one event, in the transaction of the act, with a named actor",
  V2: "an export is verified without a zone; changed, missing, reordered, cut, forked and badly signed are told apart",
  V3: "personal content can be erased, and the proof still holds",
  V4: "two writers, a crash, retention and a restore from a backup never break or fork the audit log unseen",
} as const;
