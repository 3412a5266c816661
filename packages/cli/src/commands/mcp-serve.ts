import { relayMcp } from "../api/relay-mcp.ts";
import { type Command, defineCommand } from "../program/command.ts";
import { exitCodes, UsageError } from "../program/errors.ts";
import { checkUrl } from "../program/options.ts";
import { harmlessLine } from "../text/terminal-text.ts";

export const serveMcp: Command = defineCommand({
  name: "mcp serve",
  summary: "Connects a program that speaks MCP over its standard streams to the zone's agents and workflows.",
  operands: [],
  options: {
    url: { flags: "--url <url>", help: "the zone's MCP endpoint: ASK_URL of the execution zone, and /mcp" },
    tokenEnv: {
      flags: "--token-env <name>",
      help: "variable with a token of the scope ask (default: CROSSZONE_TOKEN)",
    },
  },
  examples: [
    ["crosszone mcp serve --url https://ask.example.com/mcp", "the command to configure in the program"],
    ["crosszone mcp serve --url http://127.0.0.1:4100/mcp --token-env ASK_TOKEN", "with the token of another variable"],
  ],
  run: async ({ values: { url = "", tokenEnv = "CROSSZONE_TOKEN" } }, { env, stdin, stdout, stderr }) => {
    checkUrl("--url", url);
    const token = env[tokenEnv]?.trim() ?? "";
    if (!/^[!-~]+$/.test(token))
      throw new UsageError(`${harmlessLine(tokenEnv)} must be set to a token of the scope ask.`);
    await relayMcp({ url, token, stdin, stdout, stderr });
    return exitCodes.done;
  },
});
