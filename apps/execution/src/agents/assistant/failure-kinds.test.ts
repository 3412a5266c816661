import { AssistantError, failureReasons } from "@crosszone/assistant";
import { expect, test } from "vitest";
import { zoneErrorOf } from "./failure-kinds.ts";

const by = { showDetail: false };

test.each(failureReasons)(
  "%s is an error of the zone with a sentence for the person and none for outsiders",
  (reason) => {
    const failure = new AssistantError(reason, "AI_APICallError (status 500)", { retryAfterMs: 7_000 });
    const { kind, data } = zoneErrorOf(failure, by);
    expect(kind).toMatch(/^agent_(?:unavailable|failed|misconfigured)$/);
    expect(data).toEqual({ agent_says: failure.sentence, retry_after_ms: 7_000 });
    expect(zoneErrorOf(failure, { ...by, showDetail: true }).data.owner_detail).toBe(
      `${reason}: AI_APICallError (status 500)`,
    );
  },
);

test("only errors that a later attempt may not have can be retried", () => {
  const retryable = failureReasons.filter((reason) => zoneErrorOf(new AssistantError(reason, ""), by).retryable);
  expect(retryable).toEqual(["overloaded", "unreachable", "unavailable", "silent", "interrupted"]);
});
