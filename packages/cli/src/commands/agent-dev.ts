import { defineCommand, type Command } from "../arguments/command.ts";
import { readCount } from "../arguments/read-count.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { agentOptions } from "./agent-options.ts";

export const agentDevCommand: Command = defineCommand({
  name: "agent dev",
  summary: "Runs your agent beside a local Slack, restarts it on edits, and shows every exchange.",
  operands: "<file, folder or url>",
  count: [0, 1],
  options: {
    ...agentOptions,
    name: { type: "string", value: "<name>", help: "the agent's name in Slack (default: its card's name)" },
    "no-slack": { type: "boolean", help: "don't use or start a Crosszone: ask in the terminal only" },
    wire: { type: "boolean", help: "show whole requests and responses" },
    ask: { type: "string", multiple: true, value: "<text>", help: "ask this and end; repeat it for a conversation" },
    record: { type: "string", value: "<name>", help: "with --ask: save the conversation as cassettes/<name>.json" },
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
        slack: values["no-slack"] !== true,
        wire: wire === true,
      },
      session,
    );
  },
});
