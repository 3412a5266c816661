import { verificationDoctor } from "../../../apps/verification/src/zone/doctor.ts";
import type { Environment } from "../../../packages/service-kit/src/config/definition.ts";
import {
  failed,
  passed,
  type Finding,
  type DoctorRow,
  type ZoneTable,
} from "../../../packages/ops/src/doctor/index.ts";

/** What to ask a zone that was just deployed; nothing when the app has another name. */
export function smokePlan(app: string, env: Environment): readonly ZoneTable[] | undefined {
  if (app === "execution") return [executionPlan(env)];
  if (app === "verification") return [{ title: "Verification zone", rows: [refusesUnsigned(env["VERIFICATION_URL"])] }];
  return undefined;
}

/** The doctor of verification without what needs its secrets: how it reaches execution, and what execution answers. */
function executionPlan(env: Environment): ZoneTable {
  const { rows, skip } = verificationDoctor(env);
  return {
    title: "Execution zone, from outside",
    rows: rows.filter(({ name }) => name.startsWith("execution ")),
    skip,
  };
}

const refusesUnsigned = (url = ""): DoctorRow => ({
  name: "unsigned events",
  probe: async (): Promise<Finding> => {
    if (!URL.canParse(url)) return failed("VERIFICATION_URL is not set", "Set it to the public URL of verification.");
    const events = new URL("/slack/events", url);
    const answer = await fetch(events, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
    await answer.body?.cancel();
    if (answer.status === 401) return passed("it answers, and refuses what Slack did not sign");
    return failed(
      `${events.href} answers ${answer.status} to an event without a signature`,
      "Expected 401. Look into the log of verification, and at what VERIFICATION_URL leads to.",
    );
  },
});
