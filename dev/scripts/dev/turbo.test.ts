import { expect, test } from "vitest";
import { createLineFormatter } from "./turbo.ts";

const format = createLineFormatter({ quiet: false, color: false });
const logged = (fields: object): string | undefined =>
  format(`@crosszone/execution:dev: ${JSON.stringify({ level: "info", time: 1_700_000_000_000, ...fields })}`);

test("the reference that Slack shows is in the lines of its message", () => {
  const line = logged({ event: "task_failed", correlation_id: "5f0c2a8e-0000-4000-8000-000000000001" });
  expect(line).toContain("execution");
  expect(line).toContain("5f0c2a8e-0000-4000-8000-000000000001");
});

test("what each start logs is not shown; a warning of the same event is", () => {
  expect(logged({ event: "policy_in_force", users: "No person is listed" })).toBeUndefined();
  expect(logged({ event: "policy_in_force", level: "warn" })).toContain("policy_in_force");
  expect(logged({ event: "agents_file_applied", created: ["echo"] })).toContain("echo");
});

test("a mistake in a file of agents is shown in its own words, one line each", () => {
  const because = "/a/agents.yaml:3:5: /agents/0/url is missing\n/a/agents.yaml:4:5: /agents/0/x is not a known member";
  expect(logged({ level: "error", event: "agents_file_not_usable", because })?.split("\n")).toEqual([
    "execution    /a/agents.yaml:3:5: /agents/0/url is missing",
    "execution    /a/agents.yaml:4:5: /agents/0/x is not a known member",
    "execution    The agents of this file stay as they were until it is correct.",
  ]);
});

test("a program that cannot start is shown with what to do", () => {
  const line = "@crosszone/execution:dev: Failed running 'src/main.ts'. Waiting for file changes before restarting...";
  expect(format(line)).toMatch(
    /^execution {4}The process stopped; see the lines above\. It starts again when you save/,
  );
});

test("turbo's own errors are shown and its chatter is not", () => {
  expect(format(" ERROR  Unable to find package manager binary")).toBe("ERROR  Unable to find package manager binary");
  expect(format("@crosszone/execution:dev: $ node src/main.ts")).toBeUndefined();
});
