/** `node dist/data.js`: exports, deletes, re-encrypts and inspects this zone's stored data. */
import { runDataCommand } from "@crosszone/ops/data";
import { openVerificationData } from "./zone/tables.ts";

const { stdin, stdout, stderr, env, argv } = process;

process.exitCode = await runDataCommand({
  args: argv.slice(2),
  usage: "Usage: node dist/data.js COMMAND, in the environment of the verification zone, which can stay running\n",
  env,
  zones: { verification: openVerificationData },
  terminal: { stdout, stderr, stdin: stdin.isTTY ? stdin : undefined },
});
