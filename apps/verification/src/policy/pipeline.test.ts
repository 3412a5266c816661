import { describe, expect, test } from "vitest";
import { questionRecord } from "../testing/question-record.ts";
import { identity } from "../testing/fake-slack.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import { createPipeline, type Judgment } from "./pipeline.ts";
import type { NamedRule, PolicySubject, Verdict } from "./policy-rule.ts";

const subject: PolicySubject = {
  record: questionRecord(),
  policy: closedPolicy,
  identity,
  directory: { team: async () => undefined, user: async () => undefined, channel: async () => undefined },
};

const rule = (name: string, judge: (signal: AbortSignal) => Verdict | Promise<Verdict>): NamedRule => ({
  name,
  judge: (_subject, signal) => judge(signal),
});

async function run(rules: NamedRule[]): Promise<{ judgment: Judgment; seen: Judgment[] }> {
  const seen: Judgment[] = [];
  const judge = createPipeline({ rules, timeoutMs: 30, onJudged: (_subject, judgment) => seen.push(judgment) });
  return { judgment: await judge(subject), seen };
}

const outline = ({ denial, verdicts }: Judgment): unknown[] => [
  denial?.reason,
  ...verdicts.map((one) => `${one.rule} ${one.verdict}`),
];

describe("the rules of a policy", () => {
  test("run in order until one denies; each judgment is reported once", async () => {
    const { judgment, seen } = await run([
      rule("first", () => "allow"),
      rule("second", async () => ({ reason: "guest" })),
      rule("third", () => expect.unreachable()),
    ]);
    expect(outline(judgment)).toEqual(["guest", "first allowed", "second denied"]);
    expect(seen).toEqual([judgment]);
  });

  test("allow only together", async () => {
    const { judgment } = await run([rule("first", () => "allow"), rule("second", () => "allow")]);
    expect(outline(judgment)).toEqual([undefined, "first allowed", "second allowed"]);
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
    const { judgment } = await run([one, rule("next", () => expect.unreachable())]);
    expect(outline(judgment)).toEqual(["check_failed", "broken failed"]);
    expect(judgment.cause).toBe(broken);
  });

  test("deny when one times out, and its signal aborts", async () => {
    let aborted = false;
    const hanging = rule("hanging", (signal) => {
      signal.addEventListener("abort", () => (aborted = true));
      return new Promise(() => undefined);
    });
    const { judgment } = await run([hanging, rule("next", () => expect.unreachable())]);
    expect(outline(judgment)).toEqual(["check_failed", "hanging failed"]);
    expect(aborted).toBe(true);
  });
});
