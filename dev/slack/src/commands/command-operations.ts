import { randomBytes, randomInt } from "node:crypto";
import type { EventPublisher } from "../events/event-dispatcher.ts";
import { type CommandRun, ControlError, type RunCommand } from "../protocol/control-api.ts";
import type { Channel, Message, User } from "../protocol/workspace.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import { SlackError } from "../web-api/slack-error.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { type CommandError, commandTexts, SLACKBOT, splitCommand } from "./command-texts.ts";
import { postReply, type ResponseUrlStore } from "./command-replies.ts";
import { sendOnce, signedHeaders } from "../events/signed-request.ts";
import type { SocketHub } from "../events/socket-hub.ts";

export interface CommandOperations {
  /** Resolves when the app has acknowledged the command, or Slack has given up. */
  runCommand(typed: RunCommand): Promise<CommandRun>;
}

/** The parts for running a command. */
export interface CommandOperationsParts {
  state: WorkspaceState;
  events: EventPublisher;
  traffic: TrafficLog;
  responseUrls: ResponseUrlStore;
  send: (form: Readonly<Record<string, string>>) => Promise<CommandOutcome>;
  /** Returns the commands of the installed app; none without the scope `commands`. */
  commands: () => readonly string[];
  /** Returns the user and the conversation of a request; throws a `ControlError`. */
  find: (post: { channel: string; user?: string }) => { user: User; channel: Channel };
}

/** Runs a person's slash command. Slack's own replies are ephemeral. */
export function createCommandOperations(parts: CommandOperationsParts): CommandOperations {
  const { state, events, commands, find } = parts;
  return {
    runCommand: async (typed) => {
      const place = find(typed);
      const { user, channel } = place;
      const split = splitCommand(typed.text);
      if (split === undefined) throw new ControlError("text: must start with a command, such as /agents");
      if (channel.is_archived) throw new ControlError("this channel is archived", 403);
      const { command, rest } = split;
      const message: Message = { channel: channel.id, ts: state.clock.ts(), user: user.id, text: typed.text };
      const slackSays = (text: string): void => {
        const thread = typed.thread_ts === undefined ? {} : { thread_ts: typed.thread_ts };
        events.post({ channel: channel.id, ...thread, ...SLACKBOT, text, ephemeral_for: user.id });
      };
      const isKnown = commands().includes(command);
      if (!isKnown || typed.thread_ts !== undefined) {
        slackSays(isKnown ? commandTexts.inThread(command) : commandTexts.unknown(command));
        return { message, status: 0, ms: 0 };
      }
      const { status, ms, said, error } = await sendCommand({ command, text: rest }, place, parts);
      const failure = error ?? replyFailure(said, place, parts);
      if (failure !== undefined) slackSays(commandTexts.failed(command, failure));
      return { message, status, ms };
    },
  };
}

interface CommandAuthor {
  readonly user: User;
  readonly channel: Channel;
}

/** Sends the command to the app, and records it. */
async function sendCommand(
  typed: { readonly command: string; readonly text: string },
  { user, channel }: CommandAuthor,
  { state, traffic, responseUrls, send }: CommandOperationsParts,
): Promise<CommandOutcome> {
  const at = Date.now();
  const { team, app } = state.directory.workspace;
  // See https://docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling
  const form = {
    token: "deprecated-verification-token",
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: channelNames[channel.kind] ?? channel.name,
    user_id: user.id,
    user_name: user.name,
    ...typed,
    api_app_id: app.app_id,
    is_enterprise_install: "false",
    response_url: state.url + responseUrls.issue({ channel: channel.id, user: user.id }),
    trigger_id: `${randomInt(1e9, 1e10)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString("hex")}`,
  };
  const outcome = await send(form);
  const { status, ms, said, error } = outcome;
  const verdict = error === undefined ? "acknowledged" : status === 0 ? `no answer: ${error}` : `refused: ${status}`;
  const entry = { kind: "event", name: typed.command, request: { body: form }, response: said } as const;
  traffic.record({ ...entry, at, status, ms, verdict });
  return outcome;
}

/** Slack names only public channels to the app. */
const channelNames: Readonly<Partial<Record<Channel["kind"], string>>> = {
  group: "privategroup",
  im: "directmessage",
  mpim: "privategroup",
};

/** Posts the app's immediate reply, if any; returns Slack's error if the reply is invalid. */
function replyFailure(
  said: unknown,
  { user, channel }: CommandAuthor,
  { state, events }: CommandOperationsParts,
): CommandError | undefined {
  if (said === undefined || said === null) return undefined;
  try {
    postReply(said, { channel: channel.id, user: user.id }, { state, events });
    return undefined;
  } catch (refused) {
    if (!(refused instanceof SlackError)) throw refused;
    return "dispatch_failed";
  }
}

/** The app's reaction to a command: `status` is 0 without a timely response. */
export interface CommandOutcome {
  status: number;
  ms: number;
  /** The app's immediate reply: none, JSON, or text. */
  said?: unknown;
  /** Slack's error code. */
  error?: CommandError;
}

/** The parts of the command sender. */
export interface CommandSenderParts {
  hub: Pick<SocketHub, "connected" | "command">;
  /** The URL for commands when no socket is connected, the same as for events. */
  eventsUrl: () => string | undefined;
  signingSecret: string;
  /** Three seconds, in Slack. A command is never retried. Milliseconds. */
  ackTimeoutMs: number;
  /** Unix seconds. */
  now: () => number;
}

/** Sends a slash command to the app: over a connected socket, otherwise as a signed form. */
export function createCommandSender(
  parts: CommandSenderParts,
): (form: Readonly<Record<string, string>>) => Promise<CommandOutcome> {
  const { hub, eventsUrl, signingSecret, ackTimeoutMs, now } = parts;

  async function overSocket(form: Readonly<Record<string, string>>): Promise<CommandOutcome> {
    const started = performance.now();
    const { reason, payload } = await hub.command(form);
    const ms = Math.round(performance.now() - started);
    if (reason !== undefined)
      return { status: 0, ms, error: reason === "timeout" ? "operation_timeout" : "dispatch_failed" };
    return { status: 200, ms, ...(!isEmpty(payload) && { said: payload }) };
  }

  async function overHttp(url: string, form: Readonly<Record<string, string>>): Promise<CommandOutcome> {
    const body = new URLSearchParams({ ...form }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const headers = { ...signedHeaders(signingSecret, now(), body), ...type };
    const { status, ms, body: text } = await sendOnce({ url, headers, body }, ackTimeoutMs);
    if (status === 200) return { status, ms, said: jsonOrText(text) };
    const isLate = status === 0 && ms >= ackTimeoutMs;
    return { status, ms, error: isLate ? "operation_timeout" : "dispatch_failed" };
  }

  return async (form) => {
    if (hub.connected()) return overSocket(form);
    const url = eventsUrl();
    return url === undefined ? { status: 0, ms: 0, error: "dispatch_failed" } : overHttp(url, form);
  };
}

/** Slack's own client sends an empty object with an acknowledgment without a reply. */
function isEmpty(payload: unknown): boolean {
  return payload === null || (typeof payload === "object" && Object.keys(payload).length === 0);
}

/** A JSON object is a message; anything else is the message's text, and white space is none. */
function jsonOrText(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // It is text.
  }
  return { text };
}
