import { executionConfig } from "../../../apps/execution/src/config/config.ts";
import { verificationConfig } from "../../../apps/verification/src/config/config.ts";
import { type Environment } from "../../../packages/service-kit/src/config/definition.ts";
import { readConfig } from "../../../packages/service-kit/src/config/load-config.ts";
import { judgeFit, passed, type Check, type Misfit, type SectionPlan } from "../../../packages/ops/src/doctor/index.ts";

/** Returns the checks that need the configuration of both zones. */
export function zonesAgree(env: Environment): SectionPlan {
  const { values: verification } = readConfig(verificationConfig, env);
  const { values: execution } = readConfig(executionConfig, env);
  return {
    title: "Between the zones",
    checks: [checkLimits(verification, execution), checkDatabases(verification, execution)],
  };
}

type Verification = ReturnType<typeof readConfig<typeof verificationConfig>>["values"];
type Execution = ReturnType<typeof readConfig<typeof executionConfig>>["values"];

/** A variable that cannot be read is a problem of its own zone. Every comparison with `NaN` is false. */
const unread = Number.NaN;

function checkLimits(verification: Verification, execution: Execution): Check {
  const {
    POLL_WAIT_MS = unread,
    EXECUTION_TIMEOUT_MS = unread,
    ANSWER_DEADLINE = unread,
    MAX_QUESTIONS = unread,
  } = verification;
  const { TASK_DEADLINE = unread, TASK_RETENTION = unread, MAX_RUNNING_TASKS = unread } = execution;
  const misfits: readonly Misfit[] = [
    [
      TASK_DEADLINE > ANSWER_DEADLINE,
      "TASK_DEADLINE of execution is above ANSWER_DEADLINE of verification: tasks run on after their question has ended. Lower it.",
    ],
    [
      TASK_RETENTION < POLL_WAIT_MS + EXECUTION_TIMEOUT_MS,
      "TASK_RETENTION of execution is shorter than one poll of verification: answers are lost. Raise it.",
    ],
    [
      MAX_QUESTIONS > MAX_RUNNING_TASKS,
      "MAX_QUESTIONS of verification is above MAX_RUNNING_TASKS of execution: under load, execution refuses questions as rate_limited.",
    ],
  ];
  return { name: "limits", run: () => judgeFit("fit together", misfits) };
}

/** Both zones can use one server, because each has its own schema. */
function checkDatabases(verification: Verification, execution: Execution): Check {
  const { DATABASE_URL: url } = verification;
  return {
    name: "databases",
    run: () => {
      if (url === undefined || url !== execution.DATABASE_URL) return passed("one for each zone");
      return passed("one server and one user: each zone has its own schema, and could read the other's");
    },
  };
}
