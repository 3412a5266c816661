export { createAlarm, createJobWorker, createPolling } from "./worker/job-worker.ts";
export type { JobWorker, JobWorkerDeps } from "./worker/job-worker.ts";
export { createJobEvents } from "./table/job-events.ts";
export type { ClockJump } from "./store/clock-jumps.ts";
export { createJobLease, type JobLease } from "./store/job-lease.ts";
export { reapJobs } from "./store/job-lease.ts";
export {
  createRoom,
  type DropReason,
  type End,
  type Ending,
  type JobContext,
  JobDropped,
  type JobEvent,
  type JobKind,
} from "./worker/job-kind.ts";
export { plainJobs, type JobSchema } from "./table/job-tables.ts";
export { outboxStep, type OutboxTables, type WaitingMessage } from "./store/outbox.ts";
export type { TurnedJob } from "./store/outside.ts";
export { JobStore } from "./store/job-store.ts";
export { type BatchStatement, batchStatement } from "./store/batch.ts";
export type { Batch, WrittenBatch } from "./store/batch.ts";
export type { EndingJob, JobStoreOptions, NextWork } from "./store/grouped-writes.ts";
export { jobsStep, jobStates, type JobTable, type JobTables, type JobWorkerTable } from "./table/job-tables.ts";
export { openProcessJobs, type ProcessJobs, type ProcessJobsOptions } from "./worker/process-jobs.ts";
export { EndWatch } from "./worker/end-watch.ts";
export { type Arrival, storeArrival, storeArrivals } from "./worker/job-worker.ts";
export type { LeaseId, JobEnd, JobReadings, NewJob, NewMessage, LeasedJob } from "./table/job-tables.ts";
export type { LaneGuard } from "./store/job-statements.ts";
export type { Entered, LaneJob } from "./store/lanes.ts";
