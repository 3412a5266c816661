import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { UsageError } from "../program/errors.ts";
import { readCount, readDuration } from "../program/options.ts";

/** Options of the commands that run an author's agent. */
export const agentOptions = {
  command: {
    flags: "--command <line>",
    help: "the command line that starts the agent, run in the target's folder",
  },
  port: { flags: "--port <port>", help: "the agent's own port, if it does not read PORT" },
  protocol: { flags: "--protocol <protocol>", help: "auto (default), a2a-1.0, jsonrpc-2.0 or simple-a2a" },
} as const;

export const agentTestCommand: Command = defineCommand({
  name: "agent test",
  summary: "Replays cassettes against your agent without a language model, and judges its answers.",
  operands: ["[files or folders...]"],
  options: {
    agent: { flags: "--agent <file or url>", help: "the agent: a file, a folder, or the URL of a running one" },
    ...agentOptions,
    concurrency: { flags: "--concurrency <n>", help: "cases at once (default: 8)" },
    timeout: { flags: "--timeout <time>", help: "timeout of one answer (default: 60s)" },
    record: {
      flags: "--record",
      help: "ask the real model, and write its responses and the answers into the cassettes",
    },
    requireRubric: {
      flags: "--require-rubric",
      help: "fail when a rubric can't be judged because no model is configured",
    },
    json: jsonOption,
    junit: { flags: "--junit <file>", help: "also write the results as JUnit XML" },
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
        requireRubric: values.requireRubric === true,
        json: json === true,
      },
      session,
    );
  },
});

export const agentDevCommand: Command = defineCommand({
  name: "agent dev",
  summary: "Runs your agent beside a local Slack, restarts it on edits, and shows every exchange.",
  operands: ["[file, folder or url]"],
  options: {
    ...agentOptions,
    name: { flags: "--name <name>", help: "the agent's name in Slack (default: its card's name)" },
    slack: { flags: "--no-slack", help: "don't use or start a Crosszone: ask in the terminal only" },
    wire: { flags: "--wire", help: "show whole requests and responses" },
    ask: { flags: "--ask <text>", multiple: true, help: "ask this and end; repeat it for a conversation" },
    record: { flags: "--record <name>", help: "with --ask: save the conversation as cassettes/<name>.json" },
  },
  examples: [
    ["crosszone agent dev agent.py", "run it, ask it, edit it"],
    ["crosszone agent dev --command 'npm start'", "start it with a command line, in this folder"],
    ["crosszone agent dev http://127.0.0.1:8090", "an agent that runs already"],
    ["crosszone agent dev agent.py --no-slack --ask Hello --record hello", "record a cassette in a script"],
  ],
  run: async ({ values, operands: [target] }, session) => {
    const { command, port, protocol, name, wire, ask = [], record } = values;
    if (target === undefined && command === undefined)
      throw new UsageError("Name the agent's file, folder or URL, or give its command: --command <line>.");
    if (record !== undefined && ask.length === 0) throw new UsageError("--record needs --ask.");
    const { runDev } = await import("../agent-dev/dev/run-dev.ts");
    return runDev(
      {
        target: target ?? ".",
        command,
        protocol,
        name,
        ask,
        record,
        port: port === undefined ? undefined : readCount("--port", port, 65535),
        slack: values.slack !== false,
        wire: wire === true,
      },
      session,
    );
  },
});
