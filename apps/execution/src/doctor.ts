/** `node dist/doctor.js`: tests this zone's configuration on the machine where the zone will run. */
import { runDoctor } from "@crosszone/ops/doctor";
import { executionDoctor } from "./zone/ops/doctor.ts";

const help = `Usage: node dist/doctor.js [--json]

Reads the environment as the execution zone does, and tries it on this machine: the callers, the models, the agents, the database.
Changes nothing and runs no task. Prints no secrets.
`;

await runDoctor({ args: process.argv.slice(2), help, tables: () => [executionDoctor(process.env)], on: process });
