/** The agent that answers without network or model. */
export type { BuiltinAgent, BuiltinAnswer, ReadFile, RunContext, TaskInput } from "./message/skill.ts";
export { createBuiltinAgent, loadLibraries } from "./builtin-agent.ts";
export { code, codeBlock } from "./message/markdown.ts";
