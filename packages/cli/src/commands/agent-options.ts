/** Options of the commands that run an author's agent. */
export const agentOptions = {
  command: {
    type: "string",
    value: "<line>",
    help: "the command line that starts the agent, run in the target's folder",
  },
  port: { type: "string", value: "<port>", help: "the agent's own port, if it does not read PORT" },
  protocol: { type: "string", value: "<protocol>", help: "auto (default), a2a-1.0, jsonrpc-2.0 or simple-a2a" },
} as const;
