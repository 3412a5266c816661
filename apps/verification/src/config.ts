/** `node dist/config.js check`: checks the files of settings of this zone, whatever is wrong with other variables. */
import { readSettings } from "@crosszone/ops/doctor";
import { runConfigCheck } from "@crosszone/ops/settings";
import { verificationSections } from "./policy/policy-section.ts";
import { loadVerificationConfig, verificationConfig } from "./zone/config.ts";

const { values } = readSettings(verificationConfig, loadVerificationConfig, process.env);
const settings = { paths: values.VERIFICATION_FILE, rows: verificationSections };
await runConfigCheck("verification", process.argv.slice(2), settings, process);
