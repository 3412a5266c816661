import { defineCommand, exitCodes, jsonOption, type Command } from "../arguments/command.ts";
import { reportText } from "../conformance/report-text.ts";
import { harmlessJson } from "../output/harmless.ts";
import { orNearAgent } from "./near-agents.ts";

export const agentConformance: Command = defineCommand({
  name: "agents conformance",
  summary:
    "Checks whether a registered agent complies with its protocol. The zone sends the checks, with the agent's secrets.",
  operands: "<agent>",
  count: [1, 1],
  options: {
    protocol: {
      type: "string",
      value: "<protocol>",
      help: "the protocol to check, such as one to move to (default: its own)",
    },
    verbose: { type: "boolean", help: "also show the checks that passed or were skipped" },
    json: { ...jsonOption, help: "print the report as JSON" },
  },
  examples: [["crosszone agents conformance counter --protocol a2a-1.0", "before you move it"]],
  run: async ({ values: { protocol, verbose = false, json }, operands: [name = ""] }, { api, stdout }) => {
    const { agents } = api();
    const report = await agents.conformance(name, protocol).catch(orNearAgent(agents, name));
    const text = { verbose, columns: stdout.columns || 160 };
    stdout.write(json ? `${harmlessJson(report)}\n` : reportText(report, text));
    return report.compliant ? exitCodes.done : exitCodes.failed;
  },
});
