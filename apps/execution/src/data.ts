/** `node dist/data.js`: exports, deletes, re-encrypts and inspects this zone's data. */
import { runDataCommand } from "@crosszone/ops/data";
import { openExecutionData } from "./zone/ops/data.ts";

const { stdin, stdout, stderr, env, argv } = process;

process.exitCode = await runDataCommand({
  args: argv.slice(2),
  usage: "Usage: node dist/data.js COMMAND, with the environment of the execution zone, which can keep running\n",
  env,
  zones: { execution: openExecutionData },
  terminal: { stdout, stderr, stdin: stdin.isTTY ? stdin : undefined },
});
