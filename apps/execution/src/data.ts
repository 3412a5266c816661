/** `node dist/data.js`: exports, deletes, re-encrypts and looks at what this zone keeps. */
import { runDataCommand } from "@crosszone/service-kit/data";
import { openExecutionData } from "./data/open-execution-data.ts";

const { stdin, stdout, stderr, env, argv } = process;

process.exitCode = await runDataCommand({
  args: argv.slice(2),
  usage: "Usage: node dist/data.js COMMAND, in the environment of the execution zone, which may run meanwhile\n",
  open: [() => openExecutionData(env)],
  terminal: { stdout, stderr, ...(stdin.isTTY && { stdin }) },
});
