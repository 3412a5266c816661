/** `node dist/doctor.js`: tells what is wrong with the configuration of this zone, by trying it on the real peers. */
import { processOutput, runDoctor } from "@crosszone/service-kit/doctor";
import { verificationDoctor } from "./doctor/verification-doctor.ts";

const help = `Usage: node dist/doctor.js [--json]

Reads the environment as the verification zone does, and tries it on the real peers: Slack, and the execution zone.
Changes nothing: no message is posted and no task is run. Prints no secret.
`;

process.exitCode = await runDoctor({
  args: process.argv.slice(2),
  help,
  plan: () => [verificationDoctor(process.env)],
  output: processOutput(process, process.env),
});
