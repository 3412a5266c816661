/** Building blocks of a zone's doctor: checks, runner, report, and the checks that every zone has. */
export { checkClock, type ClockCheck } from "./peer-checks.ts";
export { checkConfiguration, type ReadForDoctor } from "./configuration-checks.ts";
export { checkOpens, type Opened } from "./configuration-checks.ts";
export { checkReachable, type ReachableCheck, type ReachableOptions } from "./peer-checks.ts";
export { checkTraces } from "./peer-checks.ts";
export { databaseChecks, type DatabaseChecks, type DatabaseInspection } from "./database-checks.ts";
export { failed, passed, skipped, warned, type Check, type Finding, type FindingStatus } from "./checks.ts";
export type { Peer } from "./describe-probe.ts";
export { judgeFit, type Misfit } from "./checks.ts";
export { processOutput } from "./report.ts";
export { probe, ProbeError, type Probe, type ProbeResult, type ProbeOptions, type ProbeStep } from "./probe.ts";
export { readSystemLimits } from "./system-checks.ts";
export { reportJson, summaryLine, type DoctorOutput, type Section } from "./report.ts";
export { runChecks, type CheckResult, type RunChecksOptions } from "./checks.ts";
export { runDoctor, type DoctorOptions, type SectionPlan } from "./run-doctor.ts";
export { checkMemory, checkOpenFiles, checkTlsVerification, type SystemLimits } from "./system-checks.ts";
