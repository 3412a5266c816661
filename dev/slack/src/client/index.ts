export { converse, stateOf } from "./converse.ts";
export type { Conversation } from "./converse.ts";
export { slackEnv } from "./slack-env.ts";
