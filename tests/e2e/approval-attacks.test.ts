import type { InputRequest } from "@crosszone/contracts";
import type { AskedInput } from "@crosszone/execution";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Pressing, pressCard, sendSigned, submitModal } from "../harness/forged-presses.ts";
import { adminToken } from "../harness/runs-api.ts";
import {
  type Attacked,
  bob,
  chiyo,
  logFrom,
  oncall,
  partner,
  type Plan,
  startAttacked,
  type Target,
  waitForLine,
} from "../harness/start-attacked.ts";

const call = (tool: string) => ({ agent: "builtin", tool, arguments: { cents: 1_200, to: "Acme" } });
const approval = (title: string, more: Partial<AskedInput> = {}): AskedInput => ({
  key: title,
  kind: "approve",
  title,
  action: call(title),
  ...more,
});
const runOf = (title: string, then: NonNullable<Plan["then"]>): Plan => ({ asks: [approval(title)], then });
const byGroup = { people: [], groups: [oncall], requester: false, approve: 2, deny: 1 };
const size = { type: "integer" as const, minimum: 1, maximum: 9 };

const plans: Record<string, Plan> = {
  deploy: { asks: [approval("deploy"), approval("refund")] },
  quorum: { asks: [approval("quorum", { decide: byGroup })] },
  form: { asks: [{ key: "form", kind: "form", title: "form", schema: { type: "object", properties: { size } } }] },
  choice: { asks: [{ key: "c", kind: "choose", title: "choice", options: [{ value: "eu", label: "Europe" }] }] },
  expired: { asks: [approval("expired", { action: call("brief") })] },
  withdrawn: { asks: [approval("withdrawn")] },
  decided: { asks: [approval("decided")], then: ({ use }) => use("decided", call("decided")) },
};

/** Calls that run after bob has approved them, and the verdict on each. */
const runs: Record<
  string,
  Plan & { readonly gets: string; readonly state: InputRequest["state"]; readonly leaves: object }
> = {
  "other arguments": {
    ...runOf("other arguments", ({ use }) => use("other arguments", { ...call("other arguments"), arguments: {} })),
    gets: "changed",
    state: "withdrawn",
    leaves: { event: "input_use_rejected", verdict: "changed" },
  },
  "another tool": {
    ...runOf("another tool", ({ use }) => use("another tool", call("refund"))),
    gets: "changed",
    state: "withdrawn",
    leaves: { event: "input_use_rejected", verdict: "changed" },
  },
  "a second time": {
    ...runOf("a second time", async ({ use }) => {
      const same = () => use("a second time", call("a second time"));
      return `${await same()}, then ${await same()}`;
    }),
    gets: "allowed, then again",
    state: "used",
    leaves: { event: "input_used" },
  },
  "the approval of another task": {
    ...runOf("the approval of another task", ({ use }) => use("decided", call("decided"))),
    gets: "not_approved",
    state: "void",
    leaves: { event: "input_use_rejected", verdict: "not_approved" },
  },
  "after its time": {
    asks: [approval("after its time", { action: call("late") })],
    then: async ({ use }, requests) => {
      const { records } = await requests.page({}, { limit: 100, offset: 0 });
      const id = records.find(({ request }) => request.title === "after its time")?.request.request_id ?? "";
      await expect.poll(async () => (await requests.find(id))?.request.state).toBe("void");
      return use("after its time", call("late"));
    },
    gets: "void",
    state: "void",
    leaves: { event: "input_use_rejected", verdict: "void" },
  },
};

/** Requests that one test changes. */
const shared = { ...byGroup, people: [bob, chiyo], groups: [], approve: 1 };
const races: Record<string, Plan> = {
  replayed: { asks: [approval("replayed", { decide: byGroup })] },
  doubled: { asks: [approval("doubled")] },
  disputed: { asks: [approval("disputed", { decide: shared })] },
  left: { asks: [approval("left", { decide: byGroup })] },
  stopped: { asks: [approval("stopped")] },
};

let zones: Attacked;
/** The requests that are attacked, by title. */
const targets: Record<string, Target> = {};

beforeAll(async () => {
  zones = await startAttacked({ ...plans, ...runs, ...races });
  for (const target of (await Promise.all(Object.keys({ ...plans, ...races }).map(zones.ask))).flat())
    targets[target.request.title] = target;
  const { withdrawn, decided, expired } = targets as Record<string, Target>;
  await post(`/input-requests/${withdrawn?.request.request_id}/withdraw`);
  await press("decided", { user: "bob" });
  for (const [target, state] of [
    [withdrawn, "withdrawn"],
    [decided, "used"],
    [expired, "expired"],
  ] as const)
    await vi.waitUntil(async () => (await zones.stored(target?.request.request_id ?? "")).state === state, 15_000);
});
afterAll(() => zones.stop());

const press = (title: string, pressing: Pressing = {}) =>
  pressCard(zones, { target: targets[title] as Target, on: targets["deploy"] as Target, ...pressing });
const submit = (title: string, how: Parameters<typeof submitModal>[2]) =>
  submitModal(zones, targets[title] as Target, how);
const idOf = (title: string): string => targets[title]?.request.request_id ?? "";
const digestOf = (title: string): string => targets[title]?.request.action?.digest ?? "";
const post = (path: string, body?: object): Promise<Response> =>
  fetch(`${zones.execution.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
const answerAs = (caller: string, by: object) =>
  zones.execution.app.dispatch(
    Buffer.from(
      JSON.stringify({
        jsonrpc: "2.0",
        id: "attack-1",
        method: "answer_input",
        params: { request_id: idOf("deploy"), answer: { verdict: "approve" }, by, digest: digestOf("deploy") },
      }),
    ),
    { caller },
  );

/** An attack on an open or ended request, and what it leaves besides the unchanged request. */
interface Attack {
  readonly title: string;
  /** The attacked request; `deploy` by default. */
  readonly on?: string;
  readonly attack: () => Promise<unknown>;
  /** What the person who pressed reads. */
  readonly says?: string;
  /** A line of the log. */
  readonly leaves: object;
}

const notYours = "This is not yours to decide.";
const rejected = (outcome: string) => ({ event: "input_answer_rejected", outcome });
const refused = (reason: string) => ({ event: "interaction_refused", reason });
const failed = { event: "input_pressed", outcome: "failed" };
const team = (id: string) => ({ team: { id, domain: "elsewhere" } });

const people: Attack[] = [
  { title: "another person", attack: () => press("deploy"), says: notYours, leaves: rejected("not_eligible") },
  {
    title: "the requester, who does not count",
    attack: () => press("deploy", { user: "alice" }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
  {
    title: "the requester under another team's id",
    attack: () => press("deploy", { user: "alice", payload: { user: { id: "U0ALICE0001", team_id: "T0OTHERTEAM" } } }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
  {
    title: "the requester, who is in the group",
    on: "quorum",
    attack: () => press("quorum", { user: "alice" }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
  {
    title: "a person whose group Slack does not return",
    on: "quorum",
    attack: () => {
      zones.slack.control.setFault({ method: "usergroups.users.list", kind: "error", error: "internal_error" });
      return press("quorum", { user: "bob" });
    },
    says: "I could not read who is in the user group",
    leaves: rejected("not_eligible"),
  },
  {
    title: "a partner of a shared channel, whom the group has",
    on: "quorum",
    attack: () => press("quorum", { payload: { user: { id: partner, team_id: "T0PARTNERS1" } } }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
  {
    title: "a member, in the payload of another team",
    on: "quorum",
    attack: () => press("quorum", { payload: { user: { id: bob, team_id: "T0OTHERTEAM" }, ...team("T0OTHERTEAM") } }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
  {
    title: "a bot",
    attack: () => press("deploy", { payload: { user: { id: "U0DEPLOYBOT", team_id: "T0CROSSZONE" } } }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
  {
    title: "a person in the modal that denies",
    attack: async () => submit("deploy", { verb: "deny", values: { answer: "No" } }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
];

const forgeries: Attack[] = [
  {
    title: "a press on another app, with a valid signature",
    attack: () => press("deploy", { user: "bob", payload: { api_app_id: "A0SOMEOTHER" } }),
    leaves: refused("wrong_app"),
  },
  {
    title: "an unsigned press",
    attack: () => sendForged({ headers: {} }),
    leaves: { event: "slack_request_refused" },
  },
  {
    title: "a press with a signature of another secret",
    attack: () => sendForged({ secret: "another-secret" }),
    leaves: { event: "slack_request_refused" },
  },
  {
    title: "a press that was signed ten minutes ago",
    attack: () => sendForged({ at: Math.floor(Date.now() / 1_000) - 600 }),
    leaves: { event: "slack_request_refused" },
  },
  {
    title: "the id of a request that does not exist",
    attack: () => press("deploy", { user: "bob", id: `input:approve:inp_${"0".repeat(32)}` }),
    says: "not open any more",
    leaves: failed,
  },
  {
    title: "the id of another request, with the digest of this one",
    attack: () => press("refund", { user: "bob", value: digestOf("deploy") }),
    on: "refund",
    says: "not what you saw",
    leaves: rejected("changed"),
  },
  ...[
    ["a verb that no button has", "input:use:$"],
    ["a verb of every object", "input:constructor:$"],
    ["SQL in the id", "input:approve:inp_' OR 1=1 --"],
    ["a control character in the id", "input:approve:$\u0000"],
    ["a line after the id", "input:approve:$\n"],
  ].map(([title = "", id = ""]) => ({
    title,
    attack: () => press("deploy", { user: "bob", id: id.replace("$", idOf("deploy")) }),
    leaves: refused("unknown_element"),
  })),
  {
    title: "an id of 10,000 characters",
    attack: () => press("deploy", { user: "bob", id: `input:approve:${"a".repeat(10_000)}` }),
    leaves: refused("unreadable"),
  },
  {
    title: "an approval by press of what is a form",
    on: "form",
    attack: () => press("form", { user: "bob" }),
    says: "does not fit",
    leaves: failed,
  },
  {
    title: "an option that the card does not have",
    on: "choice",
    attack: () => press("choice", { user: "bob", verb: "choose", value: "us" }),
    says: "does not fit",
    leaves: failed,
  },
  {
    title: "a card that shows other arguments",
    attack: () => press("deploy", { user: "bob", value: "b".repeat(64) }),
    says: "not what you saw",
    leaves: rejected("changed"),
  },
  {
    title: "a card of an older build, without a digest",
    attack: () => press("deploy", { user: "bob", value: idOf("deploy") }),
    says: "not what you saw",
    leaves: rejected("changed"),
  },
  {
    title: "a card in another channel",
    attack: () => press("deploy", { payload: { container: { channel_id: "C0RANDOM001", message_ts: "1.2" } } }),
    says: notYours,
    leaves: rejected("not_eligible"),
  },
];

const modals: Attack[] = [
  {
    title: "with the private metadata of another app's modal",
    attack: () => submit("deploy", { user: "bob", verb: "deny", view: { private_metadata: "{}" } }),
    leaves: refused("unknown_element"),
  },
  {
    title: "with the id of another request",
    on: "decided",
    attack: () =>
      submit("deploy", { user: "bob", verb: "deny", view: { callback_id: `input:deny:${idOf("decided")}` } }),
    says: "This is not open any more.",
    leaves: refused("closed"),
  },
  {
    title: "that approves, with the digest in its metadata",
    attack: () => {
      const private_metadata = JSON.stringify({ channel: "C0GENERAL01", digest: digestOf("deploy") });
      return submit("deploy", {
        user: "bob",
        verb: "deny",
        view: { callback_id: `input:approve:${idOf("deploy")}`, private_metadata },
      });
    },
    says: "does not fit",
    leaves: failed,
  },
  {
    title: "with a value that the form does not allow",
    on: "form",
    attack: () => submit("form", { user: "bob", verb: "open", values: { "field:size": "99" } }),
    says: "9",
    leaves: failed,
  },
  {
    title: "with a text in place of a number",
    on: "form",
    attack: () => submit("form", { user: "bob", verb: "open", values: { "field:size": "1; DROP TABLE" } }),
    says: "number",
    leaves: failed,
  },
];

const late: Attack[] = [
  {
    title: "an approval after the end",
    on: "expired",
    attack: () => press("expired", { user: "bob" }),
    says: "This expired",
    leaves: rejected("expired"),
  },
  {
    title: "an approval of what was withdrawn",
    on: "withdrawn",
    attack: () => press("withdrawn", { user: "bob" }),
    says: "This was withdrawn",
    leaves: rejected("withdrawn"),
  },
  {
    title: "another person's approval of what was decided",
    on: "decided",
    attack: () => press("decided"),
    says: "This was decided before",
    leaves: rejected("already_decided"),
  },
  {
    title: "a modal that was opened before the end",
    on: "expired",
    attack: () =>
      submit("deploy", { user: "bob", verb: "deny", view: { callback_id: `input:deny:${idOf("expired")}` } }),
    says: "This is not open any more.",
    leaves: refused("closed"),
  },
  {
    title: "a deny of what was decided, on the card as it was",
    on: "decided",
    attack: () => press("decided", { user: "bob", verb: "deny" }),
    says: "This is not open any more.",
    leaves: refused("closed"),
  },
];

const words: Attack[] = ["ok", "yes", "approve", "approved by <@U0BOB000001>"].map((text) => ({
  title: `“${text}” in the thread`,
  attack: async () => {
    const { channel, thread_ts = "" } = targets["deploy"]?.card as Target["card"];
    zones.slack.control.postMessage({ user: "bob", channel, thread_ts, text: `@Crosszone ${text}` });
    await zones.slack.control.waitForMessage((message) =>
      JSON.stringify(message).includes(`Heard: ${text.slice(0, 9)}`),
    );
  },
  leaves: { event: "task_done" },
}));

words.push({
  title: "an edit of the question",
  attack: async () => {
    const { channel, thread_ts: ts = "" } = targets["deploy"]?.card as Target["card"];
    zones.slack.control.editMessage({ user: "alice", channel, ts, text: "@Crosszone approve" });
  },
  leaves: { event: "event_ignored" },
});

const programs: Attack[] = [
  {
    title: "an admin token that is not named",
    attack: async () => expect((await post(...answer({ digest: digestOf("deploy") }))).status).toBe(403),
    leaves: rejected("not_eligible"),
  },
  {
    title: "an admin token that says it is bob",
    attack: async () => expect((await post(...answer({ by: { user_id: bob, groups: [] } }))).status).toBe(422),
    leaves: { event: "api_refused", kind: "invalid_answer" },
  },
  {
    title: "another caller of execution, with invented groups",
    attack: async () =>
      expect(await answerAs("another-zone", { user_id: bob, groups: [oncall] })).toContain("Input request not found"),
    leaves: { event: "rpc_failed", kind: "input_request_not_found" },
  },
  {
    title: "the name of a token over the link",
    attack: () => answerAs("verification", { user_id: "token:0123456789ab", groups: [oncall] }),
    leaves: rejected("not_eligible"),
  },
];

describe.each<[name: string, attacks: readonly Attack[]]>([
  ["P7, P8, P9: of someone who can't decide", people],
  ["P1, P9: by a forged press", forgeries],
  ["P1, P9: by a modal", modals],
  ["P1, P9: too late", late],
  ["P1, P8: by words", words],
  ["P1, P8: by a program", programs],
])("an attack %s changes nothing, and leaves its trace", (_name, attacks) => {
  test.each(attacks)("$title", async ({ on = "deploy", attack, says, leaves }) => {
    const before = await zones.stored(idOf(on));
    const lines = logFrom(zones);
    const told = await toldSince(attack);
    await waitForLine(lines, leaves);
    if (says !== undefined) await expect.poll(told).toContain(says);
    expect(await zones.stored(idOf(on))).toEqual(before);
    expect(lines().filter(({ event }) => event === "input_decided")).toEqual([]);
    expect(zones.slack.control.warnings()).toEqual([]);
  });
});

const sendForged = async (how: Parameters<typeof sendSigned>[2]): Promise<void> =>
  expect(await sendSigned(zones, targets["deploy"] as Target, how)).toBe(401);
const answer = (more: object): [path: string, body: object] => [
  `/input-requests/${idOf("deploy")}/answer`,
  { answer: { verdict: "approve" }, ...more },
];

/** Does something. Returns what people were told in private or in a modal since. */
async function toldSince(attack: () => Promise<unknown>): Promise<() => string> {
  const { control } = zones.slack;
  const notices = () =>
    control
      .workspace()
      .channels.flatMap(({ id }) => control.messages({ channel: id }).filter((one) => one.ephemeral_for));
  const earlier = new Set(notices().map(({ ts }) => ts));
  const reaction = await attack();
  return () => JSON.stringify([reaction ?? "", notices().filter(({ ts }) => !earlier.has(ts))]);
}

describe("P1, P6: an approved call", () => {
  test.each(Object.entries(runs))("is not one with %s", async (title, { gets, state, leaves }) => {
    const lines = logFrom(zones);
    const [target] = (await zones.ask(title)) as [Target];
    await pressCard(zones, { target, on: target, user: "bob" });
    await zones.slack.control.waitForMessage((message) => JSON.stringify(message).includes(`Ran: ${gets}`), 20_000);
    await waitForLine(lines, leaves);
    await expect.poll(async () => (await zones.stored(target.request.request_id)).state).toBe(state);
    expect(lines().filter(({ event }) => event === "input_used").length).toBe(gets.startsWith("allowed") ? 1 : 0);
  });
});

describe("P1, P2, P7: answers that cross", () => {
  const stateOf = async (title: string) => (await zones.stored(idOf(title))).state;
  const votesOf = async (title: string) => (await zones.stored(idOf(title))).votes.map(({ user_id }) => user_id);

  test("the same payload again is no second vote, and leaves its trace", async () => {
    const lines = logFrom(zones);
    const payload = { trigger_id: "1.2.replayed" };
    expect(await (await toldSince(() => press("replayed", { user: "bob", payload })))()).toBeDefined();
    await waitForLine(lines, { event: "input_pressed", outcome: "counted" });
    const before = await zones.stored(idOf("replayed"));
    await press("replayed", { user: "bob", payload });
    await waitForLine(lines, refused("duplicate"));
    expect(await zones.stored(idOf("replayed"))).toEqual(before);
  });

  test("a double click decides once, and each click gets a word", async () => {
    const lines = logFrom(zones);
    const click = () => press("doubled", { user: "bob" });
    const told = await toldSince(() => Promise.all([click(), click()]));
    await expect.poll(() => told().split('"ephemeral_for":"U0BOB000001"')).toHaveLength(3);
    expect(told()).not.toContain("Denied");
    expect(lines().filter(({ event }) => event === "input_decided")).toHaveLength(1);
    expect(await votesOf("doubled")).toEqual([bob]);
  });

  test("of an approve and a deny at once, one decides, and the other reads so", async () => {
    const lines = logFrom(zones);
    const approve = () => press("disputed", { user: "bob" });
    const told = await toldSince(() => submit("disputed", { verb: "deny", meanwhile: async () => void approve() }));
    await waitForLine(lines, rejected("already_decided"));
    await expect.poll(told).toContain("This was decided before");
    expect(lines().filter(({ event }) => event === "input_decided")).toHaveLength(1);
    expect(await votesOf("disputed")).toHaveLength(1);
  });

  test("the vote of a member who has left the group does not count", async () => {
    const lines = logFrom(zones);
    const setGroup = (...users: string[]) =>
      zones.slack.control.putUserGroup({ id: oncall, handle: "oncall", name: "On call", users });
    setGroup(bob, chiyo);
    await press("left", { user: "bob" });
    await waitForLine(lines, { event: "input_pressed", outcome: "counted", user_id: bob });
    setGroup(chiyo);
    await press("left");
    await waitForLine(lines, { event: "input_pressed", outcome: "counted", user_id: chiyo });
    expect(await stateOf("left")).toBe("open");
    setGroup(bob, chiyo);
    await press("left");
    await expect.poll(() => stateOf("left")).not.toBe("open");
  });

  test("a modal that is sent after a withdrawal stays open, with the reason", async () => {
    const meanwhile = () => post(`/input-requests/${idOf("stopped")}/withdraw`);
    const { errors } = await submit("stopped", { user: "bob", verb: "deny", meanwhile });
    expect(errors?.["answer"]).toMatch(/^This (was withdrawn|is not open)/);
    expect(await votesOf("stopped")).toEqual([]);
  });

  test("approving the second card leaves the first as it is, and both were open to bob all along", async () => {
    const before = await zones.stored(idOf("deploy"));
    await press("refund", { user: "bob" });
    await expect.poll(() => stateOf("refund")).toBe("approved");
    expect(await zones.stored(idOf("deploy"))).toEqual(before);
    await press("deploy", { user: "bob" });
    await expect.poll(() => stateOf("deploy")).not.toBe("open");
  });
});
