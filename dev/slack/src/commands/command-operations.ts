import type { EventPublisher } from "../events/event-dispatcher.ts";
import { type CommandRun, ControlError, type RunCommand } from "../protocol/control-api.ts";
import type { Channel, Message, User } from "../protocol/workspace.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import { SlackError } from "../web-api/slack-error.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { type AppAnswer, answerEntry, type AppError, type AppSender } from "../events/app-sender.ts";
import { commandTexts, shownChannelName, SLACKBOT, splitCommand } from "./command-texts.ts";
import { postReply, type ResponseUrlStore } from "./command-replies.ts";

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
  send: AppSender;
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

/** Sends the command to the app, and records it. */
async function sendCommand(
  typed: { readonly command: string; readonly text: string },
  { user, channel }: ReturnType<CommandOperationsParts["find"]>,
  { state, traffic, responseUrls, send }: CommandOperationsParts,
): Promise<AppAnswer> {
  const at = Date.now();
  const { team, app, organization } = state.directory.workspace;
  // See https://docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling
  const form = {
    token: "deprecated-verification-token",
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: shownChannelName(channel),
    user_id: user.id,
    user_name: user.name,
    ...typed,
    api_app_id: app.app_id,
    ...(organization && { enterprise_id: organization.id, enterprise_name: organization.name }),
    is_enterprise_install: String(organization !== undefined),
    response_url: state.url + responseUrls.issue("commands", { channel: channel.id, user: user.id }),
    trigger_id: state.triggers.issue({ user: user.id, channel: channel.id }),
  };
  const outcome = await send("slash_commands", form);
  traffic.record({ ...answerEntry(typed.command, outcome), at, request: { body: form } });
  return outcome;
}

/** Posts the app's immediate reply, if any; returns Slack's error if the reply is invalid. */
function replyFailure(
  said: unknown,
  { user, channel }: ReturnType<CommandOperationsParts["find"]>,
  { state, events }: CommandOperationsParts,
): AppError | undefined {
  if (said === undefined || said === null) return undefined;
  try {
    postReply(said, { channel: channel.id, user: user.id }, { state, events });
    return undefined;
  } catch (refused) {
    if (!(refused instanceof SlackError)) throw refused;
    return "dispatch_failed";
  }
}
