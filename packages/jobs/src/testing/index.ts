export { newJob, openJobDatabase, openJobs, testJobs, type OpenJobs, type TestColumn } from "./open-jobs.ts";
