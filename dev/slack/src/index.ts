export {
  type CommandRun,
  ControlError,
  type ControlEvent,
  type PostMessage,
  type RunCommand,
  type TrafficEntry,
} from "./protocol/control-api.ts";
export type { Delivery, Fault, FileFault, Forgery } from "./protocol/faults.ts";
export type { Channel, FileObject, Message, User, Workspace } from "./protocol/workspace.ts";
export { createLocalSlack } from "./server/create-local-slack.ts";
export type { LocalSlack, LocalSlackOptions } from "./server/create-local-slack.ts";
export { startDevSlack } from "./server/start-dev-slack.ts";
export type { DevSlack, DevSlackOptions } from "./server/dev-slack.ts";
export type { DevSecrets } from "./server/dev-slack.ts";
export type { Control, Reaction } from "./control/control.ts";
export { startDevSlackOAuth } from "./oauth/start-dev-slack-oauth.ts";
export type { DevSlackOAuth, DevSlackOAuthOptions } from "./oauth/start-dev-slack-oauth.ts";
export type { WorkspaceNames } from "./workspace/seed-workspace.ts";
export type { EventEnvelope, SlackEvent } from "./events/event-envelope.ts";
export type { Allowance, RateLimits, Tier } from "./web-api/rate-limit.ts";
