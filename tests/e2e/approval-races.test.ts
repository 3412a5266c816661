import type { InputRequest } from "@crosszone/contracts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  approval,
  type Attacked,
  bob,
  byGroup,
  call,
  chiyo,
  logFrom,
  oncall,
  type Plan,
  startAttacked,
  type Target,
  waitForLine,
  pressCard,
  type AttackTools,
  createAttackTools,
  refused,
  rejected,
  toldSince,
} from "../harness/start-attacked.ts";

const runOf = (title: string, after: NonNullable<Plan["after"]>): Plan => ({ asks: [approval(title)], after });
const changed = {
  gets: "changed",
  state: "withdrawn",
  leaves: { event: "input_use_rejected", verdict: "changed" },
} as const;

/** Calls that run after bob has approved them, and the verdict on each. */
interface Run extends Plan {
  readonly gets: string;
  readonly state: InputRequest["state"];
  readonly leaves: object;
}

const runs: Record<string, Run> = {
  "other arguments": {
    ...runOf("other arguments", ({ use }) => use("other arguments", { ...call("other arguments"), arguments: {} })),
    ...changed,
  },
  "another tool": { ...runOf("another tool", ({ use }) => use("another tool", call("refund"))), ...changed },
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
    after: async ({ use }, requests) => {
      const { records } = await requests.page({}, 100);
      const id = records.find(({ request }) => request.title === "after its time")?.request.request_id ?? "";
      await vi.waitUntil(async () => (await requests.find(id))?.request.state === "void", 15_000);
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
  pair: { asks: [approval("first"), approval("second")] },
  replayed: { asks: [approval("replayed", { decide: byGroup })] },
  doubled: { asks: [approval("doubled")] },
  disputed: { asks: [approval("disputed", { decide: shared })] },
  left: { asks: [approval("left", { decide: byGroup })] },
  stopped: { asks: [approval("stopped")] },
};

let zones: Attacked;
let tools: AttackTools;

beforeAll(async () => {
  zones = await startAttacked({ ...runs, ...races });
  tools = createAttackTools(zones, (await Promise.all(Object.keys(races).map(zones.ask))).flat(), "first");
});
afterAll(() => zones.stop());

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
  const stateOf = async (title: string) => (await tools.stored(title)).state;
  const votesOf = async (title: string) => (await tools.stored(title)).votes.map(({ user_id }) => user_id);

  test("the same payload again is no second vote, and leaves its trace", async () => {
    const lines = logFrom(zones);
    const payload = { trigger_id: "1.2.replayed" };
    await tools.press("replayed", { user: "bob", payload });
    await waitForLine(lines, { event: "input_pressed", outcome: "counted" });
    const before = await tools.stored("replayed");
    await tools.press("replayed", { user: "bob", payload });
    await waitForLine(lines, refused("duplicate"));
    expect(await tools.stored("replayed")).toEqual(before);
  });

  test("a double click decides once, and each click gets a word", async () => {
    const lines = logFrom(zones);
    const click = () => tools.press("doubled", { user: "bob" });
    const told = await toldSince(zones, () => Promise.all([click(), click()]));
    await expect.poll(() => told().split('"ephemeral_for":"U0BOB000001"')).toHaveLength(3);
    expect(told()).not.toContain("Denied");
    expect(lines().filter(({ event }) => event === "input_decided")).toHaveLength(1);
    expect(await votesOf("doubled")).toEqual([bob]);
  });

  test("of an approve and a deny at once, one decides, and the other reads so", async () => {
    const lines = logFrom(zones);
    const approve = () => tools.press("disputed", { user: "bob" });
    const told = await toldSince(zones, () =>
      tools.submit("disputed", { verb: "deny", meanwhile: async () => void approve() }),
    );
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
    await tools.press("left", { user: "bob" });
    await waitForLine(lines, { event: "input_pressed", outcome: "counted", user_id: bob });
    setGroup(chiyo);
    await tools.press("left");
    await waitForLine(lines, { event: "input_pressed", outcome: "counted", user_id: chiyo });
    expect(await stateOf("left")).toBe("open");
    setGroup(bob, chiyo);
    await tools.press("left");
    await expect.poll(() => stateOf("left")).not.toBe("open");
  });

  test("a modal that is sent after a withdrawal decides nothing, and says so", async () => {
    const meanwhile = () => tools.post(`${tools.idOf("stopped")}/withdraw`);
    const told = await toldSince(zones, () => tools.submit("stopped", { user: "bob", verb: "deny", meanwhile }));
    await expect.poll(told).toMatch(/This (was withdrawn|is not open)/);
    expect([await stateOf("stopped"), await votesOf("stopped")]).toEqual(["withdrawn", []]);
  });

  test("approving the second card leaves the first as it is", async () => {
    const before = await tools.stored("first");
    await tools.press("second", { user: "bob" });
    await expect.poll(() => stateOf("second")).toBe("approved");
    expect(await tools.stored("first")).toEqual(before);
  });
});
