/**
 * `./crosszone deploy:smoke <app>`: asks a zone that was just deployed whether it does its work, from outside, without any of its secrets. It is the
 * part of the doctor that needs nothing else.
 */
import { runDoctor } from "../../packages/ops/src/doctor/index.ts";
import { smokePlan } from "./deploy-smoke/plan.ts";

const help = `Usage: ./crosszone deploy:smoke <execution|verification> [--json]

execution      calls it the way verification does: EXECUTION_URL and EXECUTION_CREDENTIALS
verification   sends it an event without a signature, which it must refuse: VERIFICATION_URL
`;

const [app = "", ...args] = process.argv.slice(2);
const plan = smokePlan(app, process.env);
await runDoctor({
  args: plan === undefined && app !== "--help" ? [app, ...args] : app === "--help" ? [app] : args,
  help,
  tables: () => plan ?? [],
  on: process,
});
