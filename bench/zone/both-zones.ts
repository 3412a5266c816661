import { randomBytes } from "node:crypto";
import { startZone, type LoggingProcess } from "./zone-process.ts";

type Env = Readonly<Record<string, string>>;

export interface BothZones {
  readonly verification: LoggingProcess;
  readonly execution: LoggingProcess;
  /** The bearer token of execution. */
  readonly token: string;
  /** The lines of both logs with the level `error`. */
  readonly errors: () => string[];
  /** Returns the exit codes of verification and execution. */
  readonly stop: () => Promise<(number | null)[]>;
}

export interface ZonesPlan {
  /** The variables that connect verification to Slack. */
  readonly slackEnv: Env;
  /** Further variables of each zone. */
  readonly execution?: Env;
  readonly verification?: Env;
  /** Logs and data are here. */
  readonly folder: string;
  /** The repository whose zones run, by default this one. */
  readonly root?: string;
}

/** Variables of verification whose limits allow many concurrent questions. */
export const manyMessages: Env = {
  MESSAGES_PER_MINUTE: "100000",
};

/** Starts both zones as in production, each as a process on a free port of loopback. */
export async function startBothZones(plan: ZonesPlan): Promise<BothZones> {
  const token = randomBytes(32).toString("hex");
  const execution = await startZone(
    "execution",
    { EXECUTION_PORT: "0", EXECUTION_TOKEN: token, ...plan.execution },
    plan,
  );
  const verification = await startZone(
    "verification",
    {
      VERIFICATION_PORT: "0",
      ...plan.slackEnv,
      EXECUTION_URL: `${execution.url}/rpc`,
      EXECUTION_TOKEN: token,
      ...plan.verification,
    },
    plan,
  );
  return {
    verification,
    execution,
    token,
    errors: () => [...verification.errors(), ...execution.errors()],
    stop: () => Promise.all([verification.stop(), execution.stop()]),
  };
}
