import { isAgentResult } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { newAgentTask, resultOf } from "../testing/open-process.ts";
import { insteadOfTooLarge } from "./open-message.ts";

const headers = { "data-owner": "team" };
const ids = { run_id: "t1", task_id: "t1", correlation_id: "correlation of t1" };

test("R3.5: a message that is too large for the bus becomes a FAILURE with its ids and headers, but no content", () => {
  const task = newAgentTask("t1", { input_data: "long" });
  const asked = insteadOfTooLarge({ channel: "agent_tasks", value: task, headers });
  const answered = insteadOfTooLarge({ channel: "agent_results", value: resultOf(task, "long"), headers });
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
