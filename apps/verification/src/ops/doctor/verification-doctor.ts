import { databaseUrlOf, isLoopback, type Environment } from "@crosszone/service-kit";
import {
  checkConfiguration,
  checkMemory,
  checkOpenFiles,
  checkTlsVerification,
  checkTraces,
  databaseChecks,
  reach,
  readSystemLimits,
  type Check,
  type SectionPlan,
} from "@crosszone/service-kit/doctor";
import { inspectDatabase, networkOf } from "@crosszone/sql";
import { loadVerificationConfig, verificationConfig, type VerificationConfig } from "../../config/config.ts";
import { tracingVariables } from "../../config/tracing-variables.ts";
import { verificationMigrations } from "../../database/migrations.ts";
import { checkLimits } from "./check-limits.ts";
import { linkChecks } from "./link-checks.ts";
import { slackChecks } from "./slack-checks.ts";

/** Returns every check of the verification zone, for a configuration that may have any errors. */
export function verificationDoctor(env: Environment): SectionPlan {
  const { check, values, files, skip } = checkConfiguration(verificationConfig, loadVerificationConfig, env);
  // Each check names the variables that it reads, and is skipped when one of them is missing here.
  const config = values as VerificationConfig;
  return {
    title: "Verification zone",
    skip,
    checks: [
      check,
      ...slackChecks(config),
      ...linkChecks(config, files),
      ...keptChecks(config),
      ...ownChecks(config, env),
    ],
  };
}

/** Returns the checks of stored data. */
function keptChecks(config: VerificationConfig): Check[] {
  return databaseChecks({
    url: () => databaseUrlOf(config, "verification"),
    dataDir: config.DATA_DIR,
    listensBeyond: () => !isLoopback(config.VERIFICATION_HOST),
    networkOf,
    dataKeys: config.DATA_KEYS,
    inspect: (url) => inspectDatabase({ url, schema: "verification", migrations: verificationMigrations }),
  });
}

function ownChecks(config: VerificationConfig, env: Environment): Check[] {
  const limits = readSystemLimits(env);
  const { MAX_QUESTIONS: questions, MAX_EVENT: bytes } = config;
  return [
    checkLimits(config),
    checkTraces(Object.keys(tracingVariables), { config, reach }),
    checkTlsVerification(limits),
    checkOpenFiles(limits, { name: "MAX_CONNECTIONS", value: config.MAX_CONNECTIONS }),
    checkMemory(limits, { variables: ["MAX_QUESTIONS"], bytes: questions * bytes }),
  ];
}
