import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
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
  type Pressing,
  type Signing,
  type Attack,
  type AttackTools,
  createAttackTools,
  expectAudited,
  refused,
  rejected,
  toldSince,
} from "../harness/start-attacked.ts";

const failed = { event: "input_pressed", outcome: "failed" };
const changed = { says: "not what you saw", leaves: rejected("changed") };
const unfit = { says: "does not fit", leaves: failed };

async function expectUnauthorized({ forge }: AttackTools, signing: Signing): Promise<void> {
  expect(await forge("deploy", signing)).toBe(401);
}

/** Payloads that Slack's client does not make. */
const forgeries: Attack[] = [
  {
    title: "a press on another app, with a valid signature",
    attack: ({ press }) => press("deploy", { user: "bob", payload: { api_app_id: "A0SOMEOTHER" } }),
    leaves: refused("wrong_app"),
  },
  ...(
    [
      ["an unsigned press", () => ({ headers: {} })],
      ["a press with a signature of another secret", () => ({ secret: "another-secret" })],
      ["a press that was signed ten minutes ago", () => ({ at: Math.floor(Date.now() / 1_000) - 600 })],
    ] as const
  ).map(([title, signing]) => ({
    title,
    attack: (tools: AttackTools) => expectUnauthorized(tools, signing()),
    leaves: { event: "slack_request_refused" },
  })),
  {
    title: "the id of a request that does not exist",
    attack: ({ press }) => press("deploy", { user: "bob", id: `input:approve:inp_${"0".repeat(32)}` }),
    says: "not open any more",
    // Verification does not find it, so execution gets no answer.
    leaves: { event: failed.event },
  },
  {
    title: "the id of another request, with the digest of this one",
    attack: ({ press, digestOf }) => press("refund", { user: "bob", value: digestOf("deploy") }),
    on: "refund",
    ...changed,
  },
  ...[
    ["a verb that no button has", "input:use:$"],
    ["a verb of every object", "input:constructor:$"],
    ["SQL in the id", "input:approve:inp_' OR 1=1 --"],
    ["a control character in the id", "input:approve:$\u0000"],
    ["a line after the id", "input:approve:$\n"],
  ].map(([title = "", id = ""]) => ({
    title,
    attack: ({ press, idOf }: AttackTools) => press("deploy", { user: "bob", id: id.replace("$", idOf("deploy")) }),
    leaves: refused("unknown_element"),
  })),
  {
    title: "an id of 10,000 characters",
    attack: ({ press }) => press("deploy", { user: "bob", id: `input:approve:${"a".repeat(10_000)}` }),
    leaves: refused("unreadable"),
  },
  {
    title: "an approval by press of what is a form",
    on: "form",
    attack: ({ press }) => press("form", { user: "bob" }),
    ...unfit,
  },
  {
    title: "an option that the card does not have",
    on: "choice",
    attack: ({ press }) => press("choice", { user: "bob", verb: "choose", value: "us" }),
    ...unfit,
  },
  {
    title: "a card that shows other arguments",
    attack: ({ press }) => press("deploy", { user: "bob", value: "b".repeat(64) }),
    ...changed,
  },
  {
    title: "a card of an older build, without a digest",
    attack: ({ press, idOf }) => press("deploy", { user: "bob", value: idOf("deploy") }),
    ...changed,
  },
  {
    title: "a card in another channel",
    attack: ({ press }) =>
      press("deploy", { payload: { container: { channel_id: "C0RANDOM001", message_ts: "1.2" } } }),
    says: "This is not yours to decide.",
    leaves: rejected("not_eligible"),
  },
];

/** Modals that Slack's client does not submit. */
const modals: Attack[] = [
  {
    title: "with the private metadata of another app's modal",
    attack: ({ submit }) => submit("deploy", { user: "bob", verb: "deny", view: { private_metadata: "{}" } }),
    leaves: refused("unknown_element"),
  },
  {
    title: "with the id of another request",
    on: "decided",
    attack: ({ submit, idOf }) =>
      submit("deploy", { user: "bob", verb: "deny", view: { callback_id: `input:deny:${idOf("decided")}` } }),
    says: "This is not open any more.",
    leaves: refused("closed"),
  },
  {
    title: "that approves, with the digest in its metadata",
    attack: ({ submit, idOf, digestOf }) => {
      const private_metadata = JSON.stringify({ channel: "C0GENERAL01", digest: digestOf("deploy") });
      return submit("deploy", {
        user: "bob",
        verb: "deny",
        view: { callback_id: `input:approve:${idOf("deploy")}`, private_metadata },
      });
    },
    ...unfit,
  },
  {
    title: "with a value that the form does not allow",
    on: "form",
    attack: ({ submit }) => submit("form", { user: "bob", verb: "open", values: { "field:size": "99" } }),
    says: "9",
    leaves: failed,
  },
  {
    title: "with a text in place of a number",
    on: "form",
    attack: ({ submit }) => submit("form", { user: "bob", verb: "open", values: { "field:size": "1; DROP TABLE" } }),
    says: "number",
    leaves: failed,
  },
];

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
