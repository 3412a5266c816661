import type { DevSlack, Message } from "@crosszone/dev-slack";
import { vi } from "vitest";
import type { LogLine } from "@crosszone/testkit/process";
import type { Crosszone } from "./start-crosszone.ts";

export { shownText } from "@crosszone/dev-slack/client";

/** Resolves with the logged denials, oldest first, when `count` are logged. */
export async function denials(zones: Crosszone, count = 1): Promise<LogLine[]> {
  const lines = (): LogLine[] => zones.log.filter(({ event }) => event === "policy_denied");
  await vi.waitUntil(() => lines().length >= count);
  return lines();
}

/** Returns the number of tasks that execution has started. */
export const tasksStarted = ({ log }: Crosszone): number =>
  log.filter(({ zone, event }) => zone === "execution" && event === "task_started").length;

/** Returns the ephemeral messages of all conversations. */
export const notices = ({ slack: { control } }: Pick<Crosszone, "slack">): Message[] =>
  control
    .workspace()
    .channels.flatMap(({ id }) => control.messages({ channel: id }))
    .filter(({ ephemeral_for }) => ephemeral_for !== undefined);

/** Resolves with the ephemeral messages when there are `count`. */
export async function waitForNotices(zones: Crosszone, count = 1): Promise<Message[]> {
  await vi.waitUntil(() => notices(zones).length >= count);
  return notices(zones);
}

/** Makes each made-up `ts` another. */
let mentions = 0;

/** Sends a mention that people can't write: of a user, channel or team that may not exist. */
export function sendMention(
  { slack }: Crosszone,
  { user, channel, ...more }: { user: string; channel: string; [member: string]: unknown },
  envelope: Parameters<typeof slack.control.sendEvent>[1] = {},
): void {
  mentions += 1;
  const ts = `${Math.floor(Date.now() / 1_000)}.${String(mentions).padStart(6, "0")}`;
  const text = `<@${slack.workspace.app.bot_user_id}> 2+2`;
  slack.control.sendEvent({ type: "app_mention", user, channel, text, ts, event_ts: ts, ...more }, envelope);
}

/** Returns the HTTP statuses of the answers to Slack's events, each once. */
export const eventStatuses = ({ slack: { control } }: Crosszone): number[] => [
  ...new Set(
    control
      .traffic()
      .filter(({ kind }) => kind === "event")
      .map(({ status }) => status),
  ),
];

/** Makes Slack reject streams, as in a workspace without them. */
export function rejectStreams({ slack }: Pick<Crosszone, "slack">): void {
  slack.control.setFault({ method: "chat.startStream", kind: "error", error: "messages_tab_disabled", times: 100 });
}

/** Types a slash command as a person, by default `/agents` in a direct message. `said` resolves with the answer, which only the person sees. */
export async function typeCommand(
  { control }: Pick<DevSlack, "control">,
  { text = "/agents", channel = "dm", user = "alice" } = {},
) {
  const run = await control.runCommand({ channel, user, text });
  const said = (): Promise<Message> =>
    control.waitForMessage(
      ({ ephemeral_for, ts }) => ephemeral_for === run.message.user && Number(ts) > Number(run.message.ts),
    );
  return { run, said };
}
