import { createRedMetrics } from "@crosszone/service-kit";
import type { SlackApi } from "../../slack/slack-api.ts";
import { errorFields, slackErrorKinds } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

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

/**
 * Returns a function that wraps a workspace's Slack API: it counts and times each call and gives it a span. Failed calls are logged at
 * debug level, because the caller logs what the failure means.
 */
export function observeSlack({ logger, registry, tracer }: ObserverDeps): (slack: SlackApi) => SlackApi {
  const calls = createRedMetrics(registry, {
    name: "slack_api",
    help: "Calls to Slack's Web API",
    labels: { method: Object.values(slackMethods) },
    outcomes: ["success", ...slackErrorKinds],
  });
  const watched =
    <Arguments extends unknown[], Result>(
      method: string,
      call: (...given: Arguments) => Promise<Result>,
    ): ((...given: Arguments) => Promise<Result>) =>
    async (...given) => {
      const attributes = { "rpc.system.name": "slack", "rpc.method": method };
      const span = tracer.start(method, { kind: "client", attributes });
      const startedAt = performance.now();
      const record = (outcome: string): void =>
        calls.record({ labels: { method }, outcome, durationMs: performance.now() - startedAt });
      try {
        const result = await call(...given);
        record("success");
        span.end();
        return result;
      } catch (error) {
        const { kind, code } = errorFields(error);
        record(kind);
        span.end({ error: kind, attributes: { "rpc.status_code": code === undefined ? undefined : String(code) } });
        logger.debug("slack_call_failed", { operation: method, kind, code });
        throw error;
      }
    };
  return (slack) => ({
    identity: watched(slackMethods.identity, slack.identity),
    appOf: watched(slackMethods.appOf, slack.appOf),
    post: watched(slackMethods.post, slack.post),
    update: watched(slackMethods.update, slack.update),
    startStream: watched(slackMethods.startStream, slack.startStream),
    appendStream: watched(slackMethods.appendStream, slack.appendStream),
    stopStream: watched(slackMethods.stopStream, slack.stopStream),
    replies: watched(slackMethods.replies, slack.replies),
    upload: watched(slackMethods.upload, slack.upload),
    fileInfo: watched(slackMethods.fileInfo, slack.fileInfo),
    setSessionStatus: watched(slackMethods.setSessionStatus, slack.setSessionStatus),
    team: watched(slackMethods.team, slack.team),
    user: watched(slackMethods.user, slack.user),
    channel: watched(slackMethods.channel, slack.channel),
    tell: watched(slackMethods.tell, slack.tell),
  });
}
