import { describe, expect, test, vi } from "vitest";
import { createFakeSlack, identity, member } from "../testing/fake-slack.ts";
import { questionRecord } from "../testing/test-inbox.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import { denialSentence, type DenyReason, denyReasons } from "./denials.ts";
import { judgeBy, type Judgment, lookAhead } from "./policies.ts";
import type { NamedRule, PolicySubject, PolicyVerdict } from "./rules.ts";
import { createLookupCache, createSlackDirectory } from "./slack-directory.ts";

const setUp = (load: (key: string) => Promise<string | undefined>) => {
  const loads: string[] = [];
  const find = createLookupCache({
    load: (key) => {
      loads.push(key);
      return load(key);
    },
    foundMs: 300,
    missingMs: 60,
    timeoutMs: 30,
    most: 2,
    now: () => 0,
  });
  return { find, loads };
};

const subject: PolicySubject = {
  record: questionRecord(),
  policy: closedPolicy,
  identity,
  directory: {
    team: async () => undefined,
    user: async () => undefined,
    channel: async () => undefined,
    groupHandle: async () => undefined,
  },
};

const rule = (name: string, judge: (signal: AbortSignal) => PolicyVerdict | Promise<PolicyVerdict>): NamedRule => ({
  name,
  judge: (_subject, signal) => judge(signal),
});

const run = (rules: NamedRule[]): Promise<Judgment> => judgeBy(rules, subject, 30);

const outline = ({ denial, verdicts }: Judgment): unknown[] => [
  denial?.reason,
  ...verdicts.map((one) => `${one.rule} ${one.verdict}`),
];

const silent: readonly DenyReason[] = [
  ...(["foreign_team", "foreign_author", "unknown_team", "unknown_user", "unknown_channel"] as const),
  ...(["deactivated", "bot", "stranger", "archived"] as const),
];

const told = denyReasons.filter((reason) => !silent.includes(reason));

describe("lookup cache", () => {
  test("X22: an id longer than any of Slack's is neither looked up nor kept", async () => {
    const { find, loads } = setUp(async (key) => key);
    expect([await find("U".repeat(256)), await find("U1")]).toEqual([undefined, "U1"]);
    expect(loads).toEqual(["U1"]);
  });

  test("concurrent lookups share one load", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { find, loads } = setUp(() => promise);
    const asked = Array.from({ length: 100 }, () => find("a"));
    resolve("x");
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["x"]));
    expect(loads).toHaveLength(1);
  });

  test("a load that fails or hangs rejects all waiting lookups, and is not cached", async () => {
    let works = false;
    const { find } = setUp((key) => {
      if (works) return Promise.resolve("x");
      return key === "hangs" ? new Promise(() => undefined) : Promise.reject(new Error("no"));
    });
    await Promise.all([
      ...[find("fails"), find("fails")].map((one) => expect(one).rejects.toThrow("no")),
      ...[find("hangs"), find("hangs")].map((one) => expect(one).rejects.toThrow("not done within 30 ms")),
    ]);
    works = true;
    expect([await find("fails"), await find("hangs")]).toEqual(["x", "x"]);
  });
});

describe("the rules of a policy", () => {
  test("run in order until one denies", async () => {
    const judgment = await run([
      rule("first", () => "allow"),
      rule("second", async () => ({ reason: "guest" })),
      rule("third", () => expect.unreachable()),
    ]);
    expect(outline(judgment)).toEqual(["guest", "first allowed", "second denied"]);
  });

  const broken = new Error("the disk is full");
  test.each<[string, NamedRule]>([
    [
      "throws",
      rule("broken", () => {
        throw broken;
      }),
    ],
    ["rejects", rule("broken", () => Promise.reject(broken))],
  ])("deny when one %s, and report why", async (_how, one) => {
    const judgment = await run([one, rule("next", () => expect.unreachable())]);
    expect(outline(judgment)).toEqual(["check_failed", "broken failed"]);
    expect(judgment.cause).toBe(broken);
  });

  test("deny when one times out, and its signal aborts", async () => {
    let aborted = false;
    const hanging = rule("hanging", (signal) => {
      signal.addEventListener("abort", () => (aborted = true));
      return new Promise(() => undefined);
    });
    const judgment = await run([hanging, rule("next", () => expect.unreachable())]);
    expect(outline(judgment)).toEqual(["check_failed", "hanging failed"]);
    expect(aborted).toBe(true);
  });
});

describe("words", () => {
  test.each(told)("S9: %s gets a notice that says what to do, with the reference", (reason) => {
    const text = denialSentence({ reason, limit: 3_000_000, retryAfterMs: 61_000 }, "ref-1");
    expect(text).toMatch(/^[A-Z][^_]*Please [^_]*\.\n_Reference: ref-1_$/);
    expect(text).not.toMatch(/undefined|NaN/);
  });

  test.each([
    [1_000, "1 second"],
    [40_000, "40 seconds"],
    [150_000, "3 minutes"],
  ])("a wait of %i ms is written as %s", (retryAfterMs, words) => {
    expect(denialSentence({ reason: "user_rate", retryAfterMs }, "r")).toContain(`in ${words}.`);
  });
});

test("all lookups of a judgment start at once, each once, and are cached for five minutes", async () => {
  const slack = createFakeSlack();
  let now = 0;
  const directory = createSlackDirectory({ slack, identity, now: () => now, timeoutMs: 1_000 });
  lookAhead(directory, questionRecord({ teams: ["T1", "T2"] }));
  expect(slack.calls).toEqual(["team", "team", "user", "channel"]);
  for (const at of [0, 299_999]) {
    now = at;
    expect(await directory.user("U1")).toEqual(member);
    expect(await directory.channel("C1")).toBeDefined();
  }
  expect(slack.calls).toHaveLength(4);
  now = 300_000;
  await directory.user("U1");
  expect(slack.calls).toHaveLength(5);
});

test("a missing value is looked up again after a minute; a failed prefetch has no effect", async () => {
  const slack = createFakeSlack();
  slack.directory.users["UNOBODY"] = undefined;
  let now = 0;
  const directory = createSlackDirectory({ slack, identity, now: () => now, timeoutMs: 1_000 });
  expect(await directory.user("UNOBODY")).toBeUndefined();
  slack.directory.users["UNOBODY"] = member;
  now = 59_999;
  expect(await directory.user("UNOBODY")).toBeUndefined();
  now = 60_000;
  expect(await directory.user("UNOBODY")).toEqual(member);

  slack.failNext("channel", "unavailable");
  lookAhead(directory, questionRecord());
  await vi.waitFor(async () => expect(await directory.channel("C1")).toBeDefined());
});
