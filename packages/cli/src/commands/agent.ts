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
    record: { flags: "--record <name>", help: "with --ask: save the conversation as cassettes/<name>.json" },
    replay: {
      flags: "--replay <file>",
      multiple: true,
      help: "send the messages of this cassette and end; fails if the answer differs",
    },
  },
  examples: [
    ["crosszone agent dev agent.py", "run it, ask it, edit it"],
    ["crosszone agent dev --command 'npm start'", "start it with a command line, in this folder"],
    ["crosszone agent dev http://127.0.0.1:8090", "an agent that runs already"],
    ["crosszone agent dev agent.py --no-slack --ask Hello --record hello", "record a cassette in a script"],
    ["crosszone agent dev agent.py --no-slack --replay cassettes/hello.json", "compare with it in CI"],
  ],
  run: async ({ values, operands: [target] }, session) => {
    const { command, port, protocol, name, wire, ask = [], record, replay = [] } = values;
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
        replay,
        port: port === undefined ? undefined : readCount("--port", port, 65535),
        slack: values.slack !== false,
        wire: wire === true,
      },
      session,
    );
  },
});
