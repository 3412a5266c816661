import { defineCommand, jsonOption, type Command } from "../arguments/command.ts";
import { readCount } from "../arguments/read-count.ts";
import { readDuration } from "../arguments/read-duration.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { agentOptions } from "./agent-options.ts";

export const agentTestCommand: Command = defineCommand({
  name: "agent test",
  summary: "Replays cassettes against your agent without a language model, and judges its answers.",
  operands: "[file or folder…]",
  count: [0, 1_000],
  options: {
    agent: { type: "string", value: "<file or url>", help: "the agent: a file, a folder, or the URL of a running one" },
    ...agentOptions,
    concurrency: { type: "string", value: "<n>", help: "cases at once (default: 8)" },
    timeout: { type: "string", value: "<time>", help: "timeout of one answer (default: 60s)" },
    record: { type: "boolean", help: "ask the real model, and write its responses and the answers into the cassettes" },
    "require-rubric": { type: "boolean", help: "fail when a rubric can't be judged because no model is configured" },
    json: jsonOption,
    junit: { type: "string", value: "<file>", help: "also write the results as JUnit XML" },
  },
  examples: [
    ["crosszone agent test --agent agent.py", "all cassettes in ./cassettes"],
    ["crosszone agent test --agent agent.py cassettes/refund.json --record", "record one again"],
    ["crosszone agent test --agent agent.py --junit results.xml", "in CI"],
  ],
  run: async ({ values, operands }, session) => {
    const { agent, command, port, protocol, concurrency = "8", timeout = "60s", record, json, junit } = values;
    if (agent === undefined && command === undefined)
      throw new UsageError("Name the agent: --agent <file or url>, or --command <line>.");
    const { testAgent } = await import("../agent-dev/cases/test-agent.ts");
    return testAgent(
      {
        places: operands.length === 0 ? ["cassettes"] : operands,
        agent: agent ?? ".",
        command,
        protocol,
        junit,
        port: port === undefined ? undefined : readCount("--port", port, 65535),
        concurrency: readCount("--concurrency", concurrency, 256),
        timeoutMs: readDuration("--timeout", timeout),
        record: record === true,
        requireRubric: values["require-rubric"] === true,
        json: json === true,
      },
      session,
    );
  },
});
