import { executionDoctor } from "../../../apps/execution/src/ops/doctor/execution-doctor.ts";
import { verificationDoctor } from "../../../apps/verification/src/ops/doctor/verification-doctor.ts";
import type { Environment } from "../../../packages/service-kit/src/config/definition.ts";
import { type Check, passed, type SectionPlan } from "../../../packages/ops/src/doctor/index.ts";
import { samples } from "../../agents/src/samples/samples.ts";
import { agentFiles, agentOrigins } from "../dev/agent-settings.ts";
import { dataSettings } from "../dev/data-folder.ts";
import { slackSettings } from "../dev/slack-settings.ts";
import { zonesAgree } from "./zones-agree.ts";

/** The agents that `pnpm dev` adds to those of the zone. They are HTTP servers that run only with it. */
function sampleAgents(env: Environment): SectionPlan {
  const names = samples.map(({ name, protocol }) => `${name} (${protocol})`).join(", ");
  const port = env["DEV_AGENTS_PORT"] || "3200";
  const says = `${names}: \`pnpm dev\` starts them at 127.0.0.1:${port}, in addition to the agents of AGENTS_FILE`;
  return { title: "Sample agents", checks: [{ name: "samples", run: () => passed(says) }] };
}

/**
 * Returns the checks for an environment that both zones share. Checks of values that `pnpm dev` creates at each start are skipped with that
 * reason.
 */
export function doctorPlan(given: Environment): readonly SectionPlan[] {
  const localSlack = slackSettings(given).state === "none";
  const data = dataSettings(given, { localSlack, port: given["VERIFICATION_PORT"] || "3000" });
  const env = {
    ...given,
    ...agentFiles(given),
    ...(localSlack && { AGENT_ORIGINS: agentOrigins(given) }),
    ...data.env,
  };
  const verification = verificationDoctor(verificationEnvironment(env));
  const execution = executionDoctor(env);
  const made = madeByDev(env);
  return [
    { ...verification, skip: (check) => made(check) ?? verification.skip?.(check) },
    { ...execution, skip: (check) => made(check) ?? execution.skip?.(check) },
    zonesAgree(env),
    ...(localSlack ? [sampleAgents(given)] : []),
  ];
}

/** Without Slack credentials, `pnpm dev` creates some for its local Slack. The other checks assume that they are present. */
function verificationEnvironment(env: Environment): Environment {
  if (slackSettings(env).state !== "none") return env;
  return { ...env, SLACK_BOT_TOKEN: "xoxb-made-by-dev", SLACK_SIGNING_SECRET: "0".repeat(32) };
}

function madeByDev(env: Environment): (check: Check) => string | undefined {
  const localSlack = slackSettings(env).state === "none";
  return ({ name }) => {
    if (localSlack && name.startsWith("slack "))
      return "no Slack credentials are set: `pnpm dev` starts its local Slack";
    if (!env["EXECUTION_URL"] && name.startsWith("execution "))
      return "EXECUTION_URL is not set: `pnpm dev` starts the execution zone with a temporary token";
    if (!env["VERIFICATION_URL"] && name.startsWith("verification "))
      return "VERIFICATION_URL is not set: `pnpm dev` sets it";
    return undefined;
  };
}
