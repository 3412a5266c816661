import { executionConfig } from "../../../apps/execution/src/config/config.ts";
import { verificationConfig } from "../../../apps/verification/src/config/config.ts";
import { type Environment } from "../../../packages/service-kit/src/config/definition.ts";
import { readConfig } from "../../../packages/service-kit/src/config/load-config.ts";
import { judgeFit, passed, type Check, type Misfit, type SectionPlan } from "../../../packages/ops/src/doctor/index.ts";

/** What only somebody who sees the configuration of both zones can tell: limits that disagree. */
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

/** What cannot be read is told by its own zone; no comparison with it holds. */
const unread = Number.NaN;

function checkLimits(verification: Verification, execution: Execution): Check {
  const {
    POLL_WAIT = unread,
    EXECUTION_TIMEOUT = unread,
    ANSWER_DEADLINE = unread,
    MAX_QUESTIONS = unread,
  } = verification;
  const {
    MAX_WAIT_MS = unread,
    SYNC_WINDOW_MS = unread,
    TASK_DEADLINE = unread,
    TASK_RETENTION = unread,
    MAX_RUNNING_TASKS = unread,
  } = execution;
  const misfits: readonly Misfit[] = [
    [
      SYNC_WINDOW_MS >= EXECUTION_TIMEOUT,
      `EXECUTION_TIMEOUT of verification is not above the ${SYNC_WINDOW_MS} ms that execution waits for an answer: longer tasks time out. Raise it.`,
    ],
    [
      MAX_WAIT_MS < POLL_WAIT,
      `POLL_WAIT of verification is above the ${MAX_WAIT_MS} ms that execution holds a poll: polls return sooner than asked. Lower it.`,
    ],
    [
      TASK_DEADLINE > ANSWER_DEADLINE,
      "TASK_DEADLINE of execution is above ANSWER_DEADLINE of verification: tasks run on for which nobody waits.",
    ],
    [
      TASK_RETENTION < POLL_WAIT + EXECUTION_TIMEOUT,
      "TASK_RETENTION of execution is shorter than one poll of verification: answers are lost.",
    ],
    [
      MAX_QUESTIONS > MAX_RUNNING_TASKS,
      "MAX_QUESTIONS of verification is above MAX_RUNNING_TASKS of execution: under load, people read that there is too much to do.",
    ],
  ];
  return { name: "limits", run: () => judgeFit("fit together", misfits) };
}

/** One server for both is right: each zone has a schema of its own there. */
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
