/** The agent that answers without network or model. */
export { createBuiltinAgent } from "./builtin-agent.ts";
export { code, codeBlock } from "./skill.ts";
