import { errorTable, ZoneError, type ErrorKind } from "@crosszone/contracts";
import { LinkError, linkErrorKinds } from "@crosszone/jsonrpc";
import { describe, expect, test } from "vitest";
import { errorSentence } from "./error-sentences.ts";

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
