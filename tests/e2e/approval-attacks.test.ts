import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Attack,
  type AttackTools,
  createAttackTools,
  expectAudited,
  refused,
  rejected,
  toldSince,
} from "../harness/attack-requests.ts";
import { forgeries, modals } from "../harness/forged-attacks.ts";
import type { Pressing } from "../harness/forged-presses.ts";
import {
  approval,
  type Attacked,
  bob,
  byGroup,
  call,
  logFrom,
  oncall,
  partner,
  type Plan,
  startAttacked,
  waitForLine,
} from "../harness/start-attacked.ts";

const size = { type: "integer" as const, minimum: 1, maximum: 9 };

const tokenName = "token:0123456789ab";
const byToken = { people: [bob, tokenName], groups: [], requester: false, approve: 1, deny: 1 };

const plans: Record<string, Plan> = {
  deploy: { asks: [approval("deploy", { decide: byToken }), approval("refund")] },
  quorum: { asks: [approval("quorum", { decide: byGroup })] },
  form: { asks: [{ key: "form", kind: "form", title: "form", schema: { type: "object", properties: { size } } }] },
  choice: { asks: [{ key: "c", kind: "choose", title: "choice", options: [{ value: "eu", label: "Europe" }] }] },
  expired: { asks: [approval("expired", { action: call("brief") })] },
  withdrawn: { asks: [approval("withdrawn")] },
  decided: { asks: [approval("decided")], after: ({ use }) => use("decided", call("decided")) },
};

let zones: Attacked;
let tools: AttackTools;

beforeAll(async () => {
  zones = await startAttacked(plans);
  const targets = (await Promise.all(Object.keys(plans).map(zones.ask))).flat();
  tools = createAttackTools(zones, targets, "deploy");
  await tools.post(`${tools.idOf("withdrawn")}/withdraw`);
  await tools.press("decided", { user: "bob" });
  for (const [title, state] of [
    ["withdrawn", "withdrawn"],
    ["decided", "used"],
    ["expired", "expired"],
  ] as const)
    await vi.waitUntil(async () => (await tools.stored(title)).state === state, 15_000);
});
afterAll(() => zones.stop());

const notYours = { says: "This is not yours to decide.", leaves: rejected("not_eligible") };

const otherTeam = "T0OTHERTEAM";
const presses: [title: string, on: string, pressing: Pressing][] = [
  ["another person", "deploy", {}],
  ["the requester, whose vote does not count", "deploy", { user: "alice" }],
  [
    "the requester under another team's id",
    "deploy",
    { user: "alice", payload: { user: { id: "U0ALICE0001", team_id: otherTeam } } },
  ],
  ["the requester, a member of the group", "quorum", { user: "alice" }],
  [
    "a partner of a shared channel, whom the group has",
    "quorum",
    { payload: { user: { id: partner, team_id: "T0PARTNERS1" } } },
  ],
  [
    "a member, in the payload of another team",
    "quorum",
    { payload: { user: { id: bob, team_id: otherTeam }, team: { id: otherTeam } } },
  ],
  ["a bot", "deploy", { payload: { user: { id: "U0DEPLOYBOT", team_id: "T0CROSSZONE" } } }],
];

const people: Attack[] = [
  ...presses.map(([title, on, how]) => ({
    title,
    on,
    attack: ({ press }: AttackTools) => press(on, how),
    ...notYours,
  })),
  {
    ...notYours,
    title: "a person whose group Slack does not return",
    on: "quorum",
    attack: ({ press, zones: { slack } }) => {
      slack.control.setFault({ method: "usergroups.users.list", kind: "error", error: "internal_error" });
      return press("quorum", { user: "bob" });
    },
    says: "I could not read who is in the user group",
  },
  {
    ...notYours,
    title: "a person in the modal that denies",
    attack: async ({ submit }) => submit("deploy", { verb: "deny", values: { answer: "No" } }),
  },
];

const late: Attack[] = [
  ...(
    [
      ["an approval after the end", "expired", "bob", "This expired"],
      ["an approval of what was withdrawn", "withdrawn", "bob", "This was withdrawn"],
      ["another person's approval of what was decided", "decided", undefined, "This was decided before"],
    ] as const
  ).map(([title, on, user, says]) => ({
    title,
    on,
    attack: ({ press }: AttackTools) => press(on, { user }),
    says,
    leaves: rejected(on === "decided" ? "already_decided" : on),
  })),
  {
    title: "a modal that was opened before the end",
    on: "expired",
    attack: ({ submit, idOf }) =>
      submit("deploy", { user: "bob", verb: "deny", view: { callback_id: `input:deny:${idOf("expired")}` } }),
    says: "This is not open any more.",
    leaves: refused("closed"),
  },
  {
    title: "a deny of what was decided, on the card as it was",
    on: "decided",
    attack: ({ press }) => press("decided", { user: "bob", verb: "deny" }),
    says: "This is not open any more.",
    leaves: refused("closed"),
  },
];

const words: Attack[] = ["ok", "yes", "approve", "approved by <@U0BOB000001>"].map((text) => ({
  title: `“${text}” in the thread`,
  attack: async ({ cardOf, zones: { slack } }) => {
    const { channel, thread_ts = "" } = cardOf("deploy");
    slack.control.postMessage({ user: "bob", channel, thread_ts, text: `@Crosszone ${text}` });
    await slack.control.waitForMessage((message) => JSON.stringify(message).includes(`Heard: ${text.slice(0, 9)}`));
  },
  leaves: { event: "task_done" },
}));

words.push({
  title: "an edit of the question",
  attack: async ({ cardOf, zones: { slack } }) => {
    const { channel, thread_ts: ts = "" } = cardOf("deploy");
    slack.control.editMessage({ user: "alice", channel, ts, text: "@Crosszone approve" });
  },
  leaves: { event: "event_ignored" },
});

const programs: Attack[] = [
  {
    title: "an admin token that is not named",
    attack: async ({ post, idOf, digestOf }) => {
      const body = { answer: { verdict: "approve" }, digest: digestOf("deploy") };
      expect(await post(`${idOf("deploy")}/answer`, body)).toBe(403);
    },
    leaves: rejected("not_eligible"),
  },
  {
    title: "an admin token that says it is bob",
    attack: async ({ post, idOf, digestOf }) => {
      const body = { answer: { verdict: "approve" }, digest: digestOf("deploy"), by: { user_id: bob, groups: [] } };
      expect(await post(`${idOf("deploy")}/answer`, body)).toBe(422);
    },
    leaves: { event: "api_refused", kind: "invalid_answer" },
  },
  {
    title: "another caller of execution, with invented groups",
    attack: async ({ answerAs }) => {
      const by = { user_id: bob, groups: [oncall] };
      expect(await answerAs("another-zone", "deploy", by)).toContain("Input request not found");
    },
    leaves: { event: "rpc_failed", kind: "input_request_not_found" },
  },
  {
    title: "a person who calls himself a token, which is named",
    attack: ({ answerAs }) => answerAs("verification", "deploy", { user_id: tokenName, groups: [oncall] }),
    leaves: rejected("not_eligible"),
  },
];

describe.each<[name: string, attacks: readonly Attack[]]>([
  ["P2, P7, P8, P9: of someone who can't decide", people],
  ["P1, P9: by a forged press", forgeries],
  ["P1, P9: by a modal", modals],
  ["P1, P9: too late", late],
  ["P1, P8: by words", words],
  ["P1, P8: by a program", programs],
])("an attack %s changes nothing, and leaves its trace", (_name, attacks) => {
  test.each(attacks)("$title", async ({ on = "deploy", attack, says = "", leaves }) => {
    const before = await tools.stored(on);
    const lines = logFrom(zones);
    const { length } = await zones.execution.acts();
    const told = await toldSince(zones, () => attack(tools));
    await waitForLine(lines, leaves);
    await expect.poll(told).toContain(says);
    expect(await tools.stored(on)).toEqual(before);
    await expectAudited(zones, leaves, length);
    expect(lines().filter(({ event }) => event === "input_decided")).toEqual([]);
    expect(zones.slack.control.warnings()).toEqual([]);
  });
});

test("P1: all that was open is still open to bob", async () => {
  await tools.press("deploy", { user: "bob" });
  await expect.poll(async () => (await tools.stored("deploy")).state).toBe("approved");
});
