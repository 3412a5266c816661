/** `node dist/doctor.js`: tests this zone's configuration against the real services and explains how to fix any problems. */
import { runDoctor } from "@crosszone/ops/doctor";
import { verificationDoctor } from "./zone/doctor.ts";

const help = `Usage: node dist/doctor.js [--json]

Reads the environment of the verification zone and tests it against the real services: Slack and execution.
Changes nothing: no message is posted and no task is run. Prints no secret.
`;

await runDoctor({ args: process.argv.slice(2), help, tables: () => [verificationDoctor(process.env)], on: process });
