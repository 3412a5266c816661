import { databaseUrlOf, type Environment, isLoopback } from "@crosszone/service-kit";
import {
  type Check,
  checkConfiguration,
  checkMemory,
  checkOpenFiles,
  checkTlsVerification,
  checkTraces,
  databaseChecks,
  judgeFit,
  probe,
  readSystemLimits,
  type SectionPlan,
} from "@crosszone/ops/doctor";
import { inspectDatabase, networkOf } from "@crosszone/sql";
import { loadVerificationConfig, verificationConfig, type VerificationConfig } from "../../config/config.ts";
import { verificationMigrations } from "../../database/migrations.ts";
import { linkChecks } from "./link-checks.ts";
import { slackChecks } from "./slack-checks.ts";

const reads = ["EXECUTION_RETRY_BUDGET_MS", "POLL_WAIT_MS", "ANSWER_DEADLINE"] as const;

/** This zone's time limits that depend on each other, milliseconds. */
type LinkTimes = Readonly<Record<(typeof reads)[number], number>>;

/** Checks that the time limits of this zone fit together. */
export function checkLimits(times: LinkTimes): Check {
  const { EXECUTION_RETRY_BUDGET_MS: budget, POLL_WAIT_MS: wait, ANSWER_DEADLINE: deadline } = times;
  return {
    name: "limits",
    reads,
    run: () =>
      judgeFit(`polls take ${wait} ms, answers up to ${deadline} ms`, [
        [wait >= deadline, `ANSWER_DEADLINE is not above ${wait} ms: one poll can use it up. Raise it.`],
        [
          budget >= deadline,
          `ANSWER_DEADLINE is not above ${budget} ms, the time for retries: a person learns of a failure only at the deadline. Raise it.`,
        ],
      ]),
  };
}

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
    checkTraces({ config, probe }),
    checkTlsVerification(limits),
    checkOpenFiles(limits, { name: "MAX_CONNECTIONS", value: config.MAX_CONNECTIONS }),
    checkMemory(limits, { variables: ["MAX_QUESTIONS"], bytes: questions * bytes }),
  ];
}
