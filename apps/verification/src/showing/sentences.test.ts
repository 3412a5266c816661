import {
  type ErrorKind,
  errorTable,
  type FailedRun,
  type RunProblemKind,
  type UsageSum,
  ZoneError,
} from "@crosszone/contracts";
import { LinkError, linkErrorKinds } from "@crosszone/jsonrpc";
import { describe, expect, test } from "vitest";
import { systemClock } from "@crosszone/service-kit/timing";
import { createZoneLink } from "../link/zone-link.ts";
import { createScriptedZone } from "../testing/scripted-zone.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import { errorSentence } from "./error-sentences.ts";
import { nearNames, withNearNames } from "./agents-list.ts";
import { usageText } from "../cards/home-view.ts";

const reference = "1f0e9d2c-7b6a-4c5d-8e3f-2a1b0c9d8e7f";

const kinds = Object.keys(errorTable) as ErrorKind[];

const cause = new TypeError("Cannot read properties of undefined (reading 'x')");

const errors = [
  ...kinds.map((kind) => new ZoneError(kind, { agent: "researcher", retry_after_ms: 30_000 }, { cause })),
  ...linkErrorKinds.map(
    (kind) => new LinkError(kind, "ECONNREFUSED 127.0.0.1:4000", { cause, code: -32050, httpStatus: 502 }),
  ),
  new Error("connect ECONNREFUSED"),
];

const technical =
  /-32\d{3}|json|rpc|http|\bcode\b|status|stack|\bat .+:\d+|undefined|exception|econn|timeout|payload|param|request|response|method|server|client|transport|internal|invalid|null|kind|token/i;

const workflow = "publish-text";

function told(kind: ErrorKind, failed_run: Partial<FailedRun> & Pick<FailedRun, "reason">, agent = workflow): string {
  const data = { agent, failed_run: { workflow, ...failed_run } };
  const [sentence = ""] = errorSentence(new ZoneError(kind, data), "ref-1").split("\n_Reference: ref-1_");
  return sentence;
}

const tooLong = "took too long, so I stopped it. Please try again, perhaps with a smaller question.";

const again = "Please try again in a moment.";

const seal = "The step “Seal” of the workflow “publish-text” failed:";

const mistake = "The workflow “publish-text” has a mistake in";

const tell = "Please tell the person who maintains it.";

const names = ["translator", "transcriber", "night owl", "Researcher", "hr", "it", "日本語助手"];

const unknown = new ZoneError("unknown_agent");

const call = { session: "s", correlationId: "c" };

const listing = { description: "", default: false, skills: [] };

/** Returns the sentence for a person who named this agent. */
async function saidTo(agent: string, { zone }: ReturnType<typeof createScriptedZone>): Promise<string> {
  const link = createZoneLink(zone, { limits: wideLimits, clock: systemClock });
  return errorSentence(await withNearNames(unknown, agent, { link, call }), "ref");
}

const none: UsageSum = {
  calls: 0,
  estimated_calls: 0,
  unpriced_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost: null,
};

const month = { ...none, calls: 12, input_tokens: 12_000, cached_input_tokens: 4_000, output_tokens: 850, cost: 1.257 };

const resets_at = "2026-11-22T00:00:00.000Z";

describe("Z12: the sentence that a person sees for an error", () => {
  test.each(
    errors.map(
      (error) => [error instanceof ZoneError || error instanceof LinkError ? error.kind : error.name, error] as const,
    ),
  )("%s: a sentence with the reference, without technical terms", (_kind, error) => {
    const text = errorSentence(error, reference);
    expect(text).toContain(`Reference: ${reference}`);
    expect(text.replace(reference, "")).not.toMatch(technical);
    expect(text).toMatch(/^[A-Z].{30,}\.\n/s);
  });

  test("each kind has a sentence of its own", () => {
    const sentences = errors.slice(0, -1).map((error) => errorSentence(error, reference));
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  test.each([
    [undefined, "in a minute"],
    [200, "in 1 second."],
    [30_000, "in 30 seconds"],
    [600_000, "in 10 minutes"],
  ])("rate_limited with %s ms names the wait: %s", (retry_after_ms, words) => {
    const data = retry_after_ms === undefined ? {} : { retry_after_ms };
    expect(errorSentence(new ZoneError("rate_limited", data), reference)).toContain(words);
  });

  test.each([
    ["timeout", "Please try again, perhaps with a smaller question."],
    ["agent_misconfigured", "Please tell the person who runs it."],
    ["agent_lost_task", "The agent “researcher” has lost this task. Please ask again."],
    ["agent_lost_answer", "It may have acted: please check before you ask again."],
  ] as const)("%s says what to do: %s", (kind, advice) => {
    expect(errorSentence(new ZoneError(kind, { agent: "researcher" }), reference)).toContain(advice);
  });

  test.each(["agent_unavailable", "agent_misconfigured", "agent_failed"] as const)(
    "%s: the agent's message is quoted",
    (kind) => {
      const data = { agent: "scout", agent_says: "The sea is closed." };
      expect(errorSentence(new ZoneError(kind, data), reference)).toContain("\n> The sea is closed.\n");
    },
  );

  test("a model's error is one sentence and the reference, without “It says” and without the provider's details", () => {
    const agent_says = "The model is overloaded. Try again in a minute.";
    const error = new ZoneError("agent_unavailable", { agent_says, owner_detail: "AI_APICallError (status 429)" });
    expect(errorSentence(error, reference)).toBe(`${agent_says}\n_Reference: ${reference}_`);
  });

  test("the agent's name appears where it helps", () => {
    expect(errorSentence(new ZoneError("unknown_agent", { agent: "researcher" }), reference)).toContain("“researcher”");
    expect(errorSentence(new ZoneError("unknown_agent"), reference)).toContain("that agent");
  });
});

describe("failed run sentence", () => {
  test.each<[ErrorKind, string]>([
    ["timeout", `${seal} the agent “fingerprint” ${tooLong}`],
    [
      "agent_unavailable",
      `${seal} the agent “fingerprint” cannot be reached right now. If this continues, tell the people who run it.`,
    ],
    [
      "agent_misconfigured",
      `${seal} the agent “fingerprint” is not configured correctly. Please tell the person who runs it.`,
    ],
    [
      "agent_invalid_response",
      `${seal} the agent “fingerprint” sent an answer that I could not read. The people who run it need to fix that.`,
    ],
    ["agent_failed", `${seal} the agent “fingerprint” could not finish this. Please try again with other words.`],
    ["canceled", `${seal} the agent “fingerprint” was stopped. ${again}`],
  ])(
    "Z12: for a step whose agent failed, %s, the sentence names step and agent and says what to do",
    (kind, sentence) => {
      expect(told(kind, { reason: "agent_failed", step: "Seal" }, "fingerprint")).toBe(sentence);
    },
  );

  test.each([
    ["asked directly", undefined, "The agent “fingerprint”"],
    ["inside a workflow", { workflow, reason: "agent_failed", step: "Seal" }, `${seal} the agent “fingerprint”`],
  ] as const)("Q24: the words of an agent %s are said once, and nothing for its owner", (_how, failed_run, who) => {
    const agent_says = "I only read English.";
    const data = { agent: "fingerprint", agent_says, failed_run, owner_detail: `rejected: ${agent_says}` };
    expect(errorSentence(new ZoneError("agent_failed", data), "r")).toBe(
      `${who} could not finish this. It says:\n> ${agent_says}\n_Reference: r_`,
    );
  });

  test.each<[RunProblemKind, ErrorKind, string]>([
    ["step_timed_out", "timeout", `${seal.replace(" failed:", "")} ${tooLong}`],
    ["mapping_failed", "agent_failed", `${mistake} the step “Seal”: a value that it uses is missing. ${tell}`],
    ["condition_failed", "agent_failed", `${mistake} the step “Seal”: its condition cannot be evaluated. ${tell}`],
    [
      "collection_invalid",
      "agent_failed",
      `${mistake} the step “Seal”: the items to repeat are not a list, or the list is too long. ${tell}`,
    ],
    ["join_failed", "agent_failed", `${seal} too few of its branches succeeded. ${again}`],
    [
      "input_denied",
      "agent_failed",
      `${seal.replace(" failed:", "")} was not approved, so the workflow stopped there.`,
    ],
    ["input_withdrawn", "canceled", `What was asked was withdrawn. ${seal.replace(" failed:", "")} stopped there.`],
    ["run_too_large", "agent_failed", `${seal} the run has too much data. Please try again, perhaps with less data.`],
  ])("Z12: for a step that failed by itself, %s, the sentence says who can fix it", (reason, kind, sentence) => {
    expect(told(kind, { reason, step: "Seal" })).toBe(sentence);
  });

  test("Z12: for a run that failed outside its steps, the sentence names the workflow", () => {
    expect(told("agent_failed", { reason: "mapping_failed" })).toBe(
      `${mistake} its output: a value that it uses is missing. ${tell}`,
    );
    expect(told("timeout", { reason: "run_timed_out" })).toMatch(/^The workflow “publish-text” took too long/);
    expect(told("canceled", { reason: "canceled" })).toMatch(/^The workflow “publish-text” was stopped by someone/);
  });

  test("Z12: an internal error is reported as ours, whatever step it occurred in", () => {
    for (const reason of ["internal", "agent_failed"] as const)
      expect(told("internal", { reason, step: "Seal" })).toMatch(/^Something went wrong on our side/);
  });

  test("a step title from outside is shown literally, on one line, and notifies no one", () => {
    const sentence = told("timeout", { reason: "step_timed_out", step: `<!channel>\n**now** ${"x".repeat(200)}` });
    expect(sentence).toMatch(/^The step “[^\n]{1,120}…” of the workflow/);
    expect(sentence).not.toMatch(/(?:<|&lt;)\\*[!@]|(?<!\\)\*/);
  });
});

describe("near names", () => {
  test.each([
    ["translater", ["translator"]],
    ["tranlsator", ["translator"]],
    ["TRANSLATOR", ["translator"]],
    ["translat", ["translator"]],
    ["researcher-2", ["Researcher"]],
    ["night-owl", ["night owl"]],
    ["hr2", ["hr"]],
    ["日本語助", ["日本語助手"]],
    ["zebra", []],
    ["x", []],
  ])("%s suggests %j", (wanted, near) => {
    expect(nearNames(wanted, names)).toEqual(near);
  });
});

describe("no such agent", () => {
  test("a person who names an unknown agent sees similar names and how to write them", async () => {
    const zone = createScriptedZone();
    zone.on("list_agents", () => ({
      agents: [
        { name: "publish-text", kind: "workflow", ...listing },
        { name: "publish text", ...listing },
      ],
    }));
    expect(await saidTo("publish-txt", zone)).toContain(
      'I don\'t know “publish-txt”. Did you mean `run publish-text: …` or `ask "publish text": …`?',
    );
    expect(await saidTo("zebra", zone)).not.toContain("Did you mean");
  });
});

describe("usage text", () => {
  test("U3: a person sees their own usage, each budget, and when it resets", () => {
    const own = { scope: "person", period: "day", unit: "usd", limit: 5, used: 1.25, resets_at } as const;
    const team = {
      scope: "team",
      period: "month",
      unit: "tokens",
      limit: 2_000_000,
      resets_at: "2026-12-01T00:00:00Z",
    } as const;
    expect(usageText({ day: none, month, budgets: [own, team] }))
      .toBe(`Your language model usage (days and months are in UTC):
- **Today:** nothing
- **This month:** 12 calls, 12,000 input tokens (4,000 cached), 850 output tokens, $1.26

Budgets that apply to you:
- **You, each day:** $5.00, 25% used, $3.75 left. Resets on 22 November at 00:00 UTC.
- **Your team, each month:** 2,000,000 tokens, shared with others. Resets on 1 December at 00:00 UTC.`);
  });

  test("an unknown cost is reported as unknown, and a small cost is not rounded to zero", () => {
    const text = (sum: Partial<UsageSum>): string => usageText({ day: none, month: { ...month, ...sum }, budgets: [] });
    expect(text({ cost: null, unpriced_calls: 12 })).toContain(
      "850 output tokens, cost unknown\n\nNo budget applies to you.",
    );
    expect(text({ cost: 0.0031, calls: 1 })).toContain("1 call, ");
    expect(text({ cost: 0.0031, unpriced_calls: 1 })).toContain("$0.0031, plus 1 call of unknown cost");
    expect(text({ estimated_calls: 2 })).toContain("$1.26, 2 of the calls estimated");
  });
});
