import { describe, expect, test } from "vitest";
import { questionRecord } from "../testing/question-record.ts";
import { identity } from "../testing/fake-slack.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import { createPipeline, type Judgement } from "./pipeline.ts";
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

async function run(rules: NamedRule[]): Promise<{ judgement: Judgement; seen: Judgement[] }> {
  const seen: Judgement[] = [];
  const judge = createPipeline({ rules, timeoutMs: 30, onJudged: (_subject, judgement) => seen.push(judgement) });
  return { judgement: await judge(subject), seen };
}

const outline = ({ denial, verdicts }: Judgement): unknown[] => [
  denial?.reason,
  ...verdicts.map((one) => `${one.rule} ${one.verdict}`),
];

describe("the rules of a policy", () => {
  test("run in order until one denies; each judgement is reported once", async () => {
    const { judgement, seen } = await run([
      rule("first", () => "allow"),
      rule("second", async () => ({ reason: "guest" })),
      rule("third", () => expect.unreachable()),
    ]);
    expect(outline(judgement)).toEqual(["guest", "first allowed", "second denied"]);
    expect(seen).toEqual([judgement]);
  });

  test("allow only together", async () => {
    const { judgement } = await run([rule("first", () => "allow"), rule("second", () => "allow")]);
    expect(outline(judgement)).toEqual([undefined, "first allowed", "second allowed"]);
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
    const { judgement } = await run([one, rule("next", () => expect.unreachable())]);
    expect(outline(judgement)).toEqual(["check_failed", "broken failed"]);
    expect(judgement.cause).toBe(broken);
  });

  test("deny when one times out, and its signal aborts", async () => {
    let aborted = false;
    const hanging = rule("hanging", (signal) => {
      signal.addEventListener("abort", () => (aborted = true));
      return new Promise(() => undefined);
    });
    const { judgement } = await run([hanging, rule("next", () => expect.unreachable())]);
    expect(outline(judgement)).toEqual(["check_failed", "hanging failed"]);
    expect(aborted).toBe(true);
  });
});
