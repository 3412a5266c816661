/** Building blocks of a zone's doctor: checks, runner, report, and the checks that every zone has. */
export { checkClock, type ClockCheck } from "./check-clock.ts";
export { checkConfiguration, type ReadForDoctor } from "./check-configuration.ts";
export { checkOpens, type Opened } from "./check-opens.ts";
export { checkReachable, type ReachableCheck, type ReachableOptions } from "./check-reachable.ts";
export { checkTraces } from "./check-traces.ts";
export { databaseChecks, type DatabaseChecks, type SeenDatabase } from "./database-checks.ts";
export { failed, passed, skipped, warned, type Check, type Finding, type FindingStatus } from "./check.ts";
export type { Peer } from "./describe-reach.ts";
export { judgeFit, type Misfit } from "./judge-fit.ts";
export { processOutput } from "./process-output.ts";
export { reach, ReachError, type Reach, type Reached, type ReachOptions, type ReachStep } from "./reach.ts";
export { readSystemLimits } from "./read-system-limits.ts";
export { reportJson, summaryLine, type Section } from "./report.ts";
export { runChecks, type CheckResult, type RunChecksOptions } from "./run-checks.ts";
export { runDoctor, type DoctorOptions, type DoctorOutput, type SectionPlan } from "./run-doctor.ts";
export { checkMemory, checkOpenFiles, checkTlsVerification, type SystemLimits } from "./system-checks.ts";
