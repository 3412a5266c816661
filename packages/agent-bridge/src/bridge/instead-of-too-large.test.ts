import { isAgentResult } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { newTask } from "../testing/bridge-under-test.ts";
import { successResult } from "./agent-results.ts";
import { insteadOfTooLarge } from "./instead-of-too-large.ts";

const headers = { "data-owner": "team" };
const ids = { run_id: "r1", task_id: "t1", correlation_id: "c1" };

test("R3.5: who waits for what is too large for the bus gets a FAILURE with the ids and headers, and none of the content", () => {
  const task = newTask("t1", { input_data: "long" });
  const asked = insteadOfTooLarge({ channel: "agent_tasks", value: task, headers });
  const answered = insteadOfTooLarge({ channel: "agent_results", value: successResult(task, "long", {}), headers });
  expect(asked).toMatchObject({
    channel: "agent_results",
    value: { ...ids, error: { kind: "invalid_task" } },
    headers,
  });
  expect(answered).toMatchObject({ value: { ...ids, error: { kind: "response_too_large" } }, headers });
  for (const message of [asked, answered]) {
    expect(isAgentResult(message?.value)).toBe(true);
    expect(JSON.stringify(message)).not.toContain("long");
  }
});

test("nobody waits for an answer to a cancellation", () => {
  const value = { ...ids, timestamp: "2026-01-01T00:00:00Z" };
  expect(insteadOfTooLarge({ channel: "agent_cancellations", value })).toBeUndefined();
});
