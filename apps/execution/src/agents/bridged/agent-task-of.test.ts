import { isAgentTask } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { agentTaskOf } from "./agent-task-of.ts";

const context = { now: () => new Date("2026-03-01T10:00:00Z"), deadline: new Date("2026-03-01T10:05:00Z") };
const input = { task_id: "t1", correlation_id: "c1", text: "hi", thread: [], attachments: [] };

test("a question becomes a task of the bus with the id of its run, without empty members", () => {
  const task = agentTaskOf("A", input, context);
  expect(isAgentTask(task)).toBe(true);
  expect(task).toEqual({
    run_id: "t1",
    task_id: "t1",
    agent_name: "A",
    input_data: { text: "hi" },
    correlation_id: "c1",
    timestamp: "2026-03-01T10:00:00.000Z",
    deadline: "2026-03-01T10:05:00.000Z",
  });
});

test("I9, S14: an agent got the thread and file names as JSON: now only the thread, if it asks, without Slack ids", () => {
  const thread = [{ text: "before", user: "U1" }];
  const file = { id: "F1", url: "https://files.example.com/F1", name: "a.csv", mime_type: "text/csv", size: 3 };
  const asked = { ...input, thread, attachments: [file], user_id: "U1" };
  expect(agentTaskOf("A", asked, context).input_data).toEqual({ text: "hi" });
  const { input_data } = agentTaskOf("A", { ...asked, sendsThread: true }, context);
  expect(input_data).toEqual({ text: "hi", thread: [{ text: "before" }] });
});
