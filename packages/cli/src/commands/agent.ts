import { type Command, defineCommand } from "../program/command.ts";
import { UsageError } from "../program/errors.ts";
import { readCount } from "../program/options.ts";

export const agentDevCommand: Command = defineCommand({
  name: "agent dev",
  summary: "Runs your agent beside a local Slack, restarts it on edits, and shows every exchange.",
  operands: ["[file, folder or url]"],
  options: {
    command: { flags: "--command <line>", help: "the command line that starts the agent, run in the target's folder" },
    port: { flags: "--port <port>", help: "the agent's own port, if it does not read PORT" },
    protocol: { flags: "--protocol <protocol>", help: "auto (default), a2a-1.0, jsonrpc-2.0 or simple-a2a" },
    name: { flags: "--name <name>", help: "the agent's name in Slack (default: its card's name)" },
    slack: { flags: "--no-slack", help: "don't use or start a Crosszone: ask in the terminal only" },
    wire: { flags: "--wire", help: "show whole requests and responses" },
    ask: { flags: "--ask <text>", multiple: true, help: "ask this and end; repeat it for a conversation" },
  },
  examples: [
    ["crosszone agent dev agent.py", "run it, ask it, edit it"],
    ["crosszone agent dev --command 'npm start'", "start it with a command line, in this folder"],
    ["crosszone agent dev http://127.0.0.1:8090", "an agent that runs already"],
    ["crosszone agent dev agent.py --no-slack --ask Hello", "ask it in a script"],
  ],
  run: async ({ values, operands: [target] }, session) => {
    const { command, port, protocol, name, wire, ask = [] } = values;
    if (target === undefined && command === undefined)
      throw new UsageError("Name the agent's file, folder or URL, or give its command: --command <line>.");
    const { runDev } = await import("../agent-dev/dev/run-dev.ts");
    return runDev(
      {
        target: target ?? ".",
        command,
        protocol,
        name,
        ask,
        port: port === undefined ? undefined : readCount("--port", port, 65535),
        slack: values.slack !== false,
        wire: wire === true,
      },
      session,
    );
  },
});
