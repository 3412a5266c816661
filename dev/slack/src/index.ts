export { createLocalSlack } from "./create-local-slack.ts";
export type { LocalSlack, LocalSlackOptions } from "./create-local-slack.ts";
export { startDevSlack } from "./start-dev-slack.ts";
export type { DevSlack, DevSlackOptions } from "./start-dev-slack.ts";
export type { DevSecrets } from "./dev-secrets.ts";
export type { Control, Reaction } from "./control/control.ts";
export { startDevSlackOAuth } from "./oauth/start-dev-slack-oauth.ts";
export type { DevSlackOAuth, DevSlackOAuthOptions } from "./oauth/start-dev-slack-oauth.ts";
export type { WorkspaceNames } from "./workspace/seed-workspace.ts";
export type { CommandRun, RunCommand } from "./commands/command-protocol.ts";
export { ControlError } from "./control/control-error.ts";
export type { EventEnvelope, SlackEvent } from "./events/event-envelope.ts";
export type { Allowance, RateLimits, Tier } from "./web-api/rate-limit.ts";
export type {
  Channel,
  ControlEvent,
  Delivery,
  Fault,
  FileFault,
  FileObject,
  Forgery,
  Message,
  PostMessage,
  TrafficEntry,
  User,
  Workspace,
} from "./control/protocol.ts";
