import type { Environment } from "@crosszone/service-kit";
import {
  checkConfiguration,
  checkMemory,
  checkOpenFiles,
  checkTlsVerification,
  checkTraces,
  reach,
  readSystemLimits,
  type Check,
  type SectionPlan,
} from "@crosszone/service-kit/doctor";
import { loadVerificationConfig, verificationConfig, type VerificationConfig } from "../config.ts";
import { tracingVariables } from "../config/tracing-variables.ts";
import { checkLimits } from "./check-limits.ts";
import { linkChecks } from "./link-checks.ts";
import { slackChecks } from "./slack-checks.ts";

/** Every check of the verification zone, for a configuration that may be wrong in any way. */
export function verificationDoctor(env: Environment): SectionPlan {
  const { check, values, files, skip } = checkConfiguration(verificationConfig, loadVerificationConfig, env);
  // Each check names the variables that it reads, and does not run when one of them is missing here.
  const config = values as VerificationConfig;
  return {
    title: "Verification zone",
    skip,
    checks: [check, ...slackChecks(config), ...linkChecks(config, files), ...ownChecks(config, env)],
  };
}

function ownChecks(config: VerificationConfig, env: Environment): Check[] {
  const limits = readSystemLimits(env);
  const { MAX_QUESTIONS: questions, MAX_EVENT: bytes } = config;
  return [
    checkLimits(config),
    checkTraces(Object.keys(tracingVariables), { config, reach }),
    checkTlsVerification(limits),
    checkOpenFiles(limits, { name: "MAX_CONNECTIONS", value: config.MAX_CONNECTIONS }),
    checkMemory(limits, { variables: ["MAX_QUESTIONS", "MAX_EVENT"], bytes: questions * bytes }),
  ];
}
