/** Test helpers for other packages: an executor, the workflow API over a started one, and fake agents. */
export { deliverResult, leaseCalls, startFakeAgents, type FakeAnswer } from "./fake-agents.ts";
export { newExecutor, type Executor, type ExecutorOptions } from "./new-executor.ts";
export { startWorkflowApi } from "./executors-under-test.ts";
