import { executionConfig } from "../../../apps/execution/src/zone/config/variables.ts";
import { executionDoctor } from "../../../apps/execution/src/zone/ops/doctor.ts";
import { verificationConfig } from "../../../apps/verification/src/zone/config.ts";
import { verificationDoctor } from "../../../apps/verification/src/zone/doctor.ts";
import type { Environment } from "../../../packages/service-kit/src/config/definition.ts";
import { readConfig } from "../../../packages/service-kit/src/config/load-config.ts";
import { passed, type DoctorRow, warned, type ZoneTable } from "../../../packages/ops/src/doctor/index.ts";
import { agentFiles, agentOrigins } from "../dev/agent-settings.ts";
import { dataSettings } from "../dev/data-folder.ts";
import { readRunningDev } from "../dev/running-dev.ts";
import { slackSettings } from "../dev/slack-settings.ts";

/** Returns the tables of both zones for the settings of the running `./crosszone dev`, or for those that it would start with. */
export function doctorTables(own: Environment): readonly ZoneTable[] {
  const running = readRunningDev(own);
  const env = running === undefined ? settingsOf(own) : { ...own, ...running.env };
  const skip = running === undefined ? madeByDev(own) : onlyThere(running.withheld, own);
  const of = running === undefined ? "" : " of the running `./crosszone dev`";
  const zones = [verificationDoctor(env), executionDoctor(env)];
  return [
    ...zones.map((zone) => ({
      ...zone,
      title: zone.title + of,
      skip: (row: DoctorRow) => skip(row) ?? zone.skip?.(row),
    })),
    { title: "Between the zones", rows: [limitsRow(env)] },
  ];
}

/** Returns the settings of a `./crosszone dev` that is not running, as far as they do not change with each start. */
function settingsOf(own: Environment): Environment {
  const localSlack = slackSettings(own).state === "none";
  const { env } = dataSettings(own, { localSlack, port: own["VERIFICATION_PORT"] || "3000" });
  // `./crosszone dev` makes these credentials for its local Slack. The other rows assume that they are present.
  const made = { SLACK_BOT_TOKEN: "xoxb-made-by-dev", SLACK_SIGNING_SECRET: "0".repeat(32) };
  return { ...own, ...agentFiles(own), ...env, ...(localSlack && { ...made, AGENT_ORIGINS: agentOrigins(own) }) };
}

type Skip = (row: DoctorRow) => string | undefined;

function madeByDev(own: Environment): Skip {
  const isMade = {
    slack: slackSettings(own).state === "none",
    execution: !own["EXECUTION_URL"],
    verification: !own["VERIFICATION_URL"],
  };
  return ({ name }) => {
    const [peer = ""] = name.split(" ");
    return isMade[peer as keyof typeof isMade] ? "`./crosszone dev` isn't running, which sets it" : undefined;
  };
}

/** Secrets of the environment of `./crosszone dev` are in no file. */
const onlyThere =
  (withheld: readonly string[], own: Environment): Skip =>
  ({ variables = [] }) => {
    const name = variables.find((variable) => withheld.includes(variable) && !own[variable]);
    return name && `${name} is set only where \`./crosszone dev\` runs: set it here too, or in .env`;
  };

/** The row of the limits of both zones. A variable that cannot be read is a problem of its own zone. */
function limitsRow(env: Environment): DoctorRow {
  const { values: verification } = readConfig(verificationConfig, env);
  const { values: execution } = readConfig(executionConfig, env);
  const { POLL_WAIT_MS: wait = NaN, EXECUTION_TIMEOUT_MS: timeout = NaN, ANSWER_DEADLINE: answer = NaN } = verification;
  const { TASK_DEADLINE: task = NaN, TASK_RETENTION: retention = NaN, MAX_RUNNING_TASKS: running = NaN } = execution;
  const todo = [
    task >= answer &&
      "TASK_DEADLINE of execution is not below ANSWER_DEADLINE of verification: slow tasks are canceled before they time out. Lower it.",
    retention < wait + timeout &&
      "TASK_RETENTION of execution is shorter than one poll of verification: answers are lost. Raise it.",
    (verification.MAX_QUESTIONS ?? NaN) > running &&
      "MAX_QUESTIONS of verification is above MAX_RUNNING_TASKS of execution: under load, execution refuses questions as rate_limited.",
  ].filter((sentence) => sentence !== false);
  const isFit = todo.length === 0;
  return {
    name: "limits",
    probe: () => (isFit ? passed("fit together") : warned("some values do not fit together", ...todo)),
  };
}
