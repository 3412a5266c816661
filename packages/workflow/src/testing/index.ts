/** For the tests of other packages: an executor, the API of workflows over one that has begun, and agents that do what a test wants. */
export { startFakeAgents, type FakeAgents, type FakeAnswer } from "./fake-agents.ts";
export { newExecutor, type Executor, type ExecutorOptions } from "./new-executor.ts";
export { startWorkflowApi, type StartedWorkflowApi, type WorkflowApiOptions } from "./start-workflow-api.ts";
