import type { SlackApi } from "./slack-api.ts";

/** Receives the calls to Slack's Web API. */
export interface SlackObserver {
  /** Runs a call, and receives its outcome and duration. `method` is Slack's name of the method. */
  readonly called: <Result>(method: string, call: () => Promise<Result>) => Promise<Result>;
}

/** Slack's names of the methods behind the port. */
export const slackMethods: Readonly<Record<keyof SlackApi, string>> = {
  identity: "auth.test",
  appOf: "bots.info",
  post: "chat.postMessage",
  update: "chat.update",
  startStream: "chat.startStream",
  appendStream: "chat.appendStream",
  stopStream: "chat.stopStream",
  replies: "conversations.replies",
  upload: "files.completeUploadExternal",
  fileInfo: "files.info",
  setSessionStatus: "agents.sessions.setStatus",
  team: "team.info",
  user: "users.info",
  channel: "conversations.info",
  tell: "chat.postEphemeral",
};

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** Returns a Slack API whose calls the observer receives. */
export function observedSlack(slack: SlackApi, { called }: SlackObserver): SlackApi {
  const methods = Object.entries(slackMethods).map(([name, method]) => {
    const call = slack[name as keyof SlackApi] as Method;
    return [name, (...given: readonly unknown[]) => called(method, () => call(...given))];
  });
  return Object.fromEntries(methods) as SlackApi;
}
