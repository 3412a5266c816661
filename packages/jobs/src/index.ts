export { createAlarm } from "./alarm.ts";
export { createJobEvents, type JobEvents } from "./job-events.ts";
export { createJobLease, type JobLease, type JobLeaseOptions } from "./job-lease.ts";
export { reapJobs } from "./reap-jobs.ts";
export type { JobKind, JobObserver, JobRun, LetGo } from "./job-run.ts";
export { plainJobs, type JobSchema } from "./job-schema.ts";
export { endedPrefix, jobChannel, tellingEnds } from "./job-channel.ts";
export { endRow, insertRow } from "./job-rows.ts";
export { emptiedText, endColumns, endText, heldColumns, insertColumns } from "./job-texts.ts";
export { insertOrText, insertText, isHeldText, resultText } from "./job-texts.ts";
export type { AddedReading, EndingJob, JobStore } from "./job-store.ts";
export { createJobStore, type JobStoreOptions } from "./create-job-store.ts";
export {
  createJobTables,
  dropJobTables,
  jobStates,
  type JobTable,
  type JobTables,
  type JobWorkerTable,
} from "./job-tables.ts";
export { createJobWorker, type JobWorkerDeps } from "./job-worker.ts";
export type { JobEntry, JobWorker } from "./worker-port.ts";
export type { HeldJob, JobEnd, JobReadings, NewJob, TakenJob } from "./job.ts";
export { settle } from "./settle.ts";
export { createLaneStore } from "./lanes/create-lane-store.ts";
export type { LaneGuard } from "./lanes/lane-statements.ts";
export type { LaneSchema } from "./lanes/lane-job.ts";
export type { Entered, LaneStore } from "./lanes/lane-store.ts";
export { createEndTogether, type EndTogether } from "./end-together.ts";
export {
  agentCallJob,
  agentCallKind,
  agentResultKind,
  agentOfShare,
  callFilesContext,
  callId,
  callInputContext,
  callOutputContext,
  callProgressContext,
  callRemoteIdContext,
  shareOfAgent,
  type AgentCallRecord,
  type CallHeaders,
  type CallIds,
  type NewAgentCall,
  type TaskNames,
} from "./execution/agent-call-job.ts";
export type { CallEnding, CallEnds, CallOutcome, HeldCall } from "./execution/call-ends.ts";
export type { CallEntry, CallIntake } from "./execution/call-intake.ts";
export {
  createExecutionJobTables,
  executionJobs,
  executionJobsStep,
  type ExecutionColumn,
  type ExecutionJobTable,
  type ExecutionJobTables,
} from "./execution/execution-jobs.ts";
