import type { EventPublisher } from "../events/event-publisher.ts";
import { type CommandRun, ControlError, type RunCommand } from "../protocol/control-api.ts";
import type { Channel, Message, User } from "../protocol/workspace.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import { SlackError } from "../web-api/slack-error.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { CommandOutcome } from "./command-sender.ts";
import { commandTexts, SLACKBOT, splitCommand } from "./command-texts.ts";
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
  send: (form: Readonly<Record<string, string>>) => Promise<CommandOutcome>;
  /** Returns the commands of the installed app; none without the scope `commands`. */
  commands: () => readonly string[];
  /** Returns the user and the conversation of a request; throws a `ControlError`. */
  find: (post: { channel: string; user?: string }) => { user: User; channel: Channel };
}

/** Runs a person's slash command. Slack's own replies are ephemeral. */
export function createCommandOperations(parts: CommandOperationsParts): CommandOperations {
  const { state, events, traffic, responseUrls, send, commands, find } = parts;

  return {
    runCommand: async (typed) => {
      const { user, channel } = find(typed);
      const split = splitCommand(typed.text);
      if (split === undefined) throw new ControlError("text: must start with a command, such as /agents");
      if (channel.is_archived) throw new ControlError("this channel is archived", 403);
      const { command, rest } = split;
      const message: Message = { channel: channel.id, ts: state.clock.ts(), user: user.id, text: typed.text };
      const run = (status: number, ms: number): CommandRun => ({ message, status, ms });
      const slackSays = (text: string, thread_ts?: string): void => {
        const thread = thread_ts === undefined ? {} : { thread_ts };
        events.post({ channel: channel.id, ...thread, ...SLACKBOT, text, ephemeral_for: user.id });
      };
      if (!commands().includes(command)) {
        slackSays(commandTexts.unknown(command), typed.thread_ts);
        return run(0, 0);
      }
      if (typed.thread_ts !== undefined) {
        slackSays(commandTexts.inThread(command), typed.thread_ts);
        return run(0, 0);
      }
      const at = Date.now();
      const place = { channel: channel.id, user: user.id };
      const form = formOf({ command, text: rest }, { user, channel }, responseUrls.issue(place));
      const { status, ms, said, error } = await send(form);
      const verdict =
        error === undefined ? "acknowledged" : status === 0 ? `no answer: ${error}` : `refused: ${status}`;
      traffic.record({
        at,
        kind: "event",
        name: command,
        status,
        ms,
        verdict,
        request: { body: form },
        response: said,
      });
      if (error !== undefined) slackSays(commandTexts.failed(command, error));
      else if (said !== undefined && said !== null) show(said, command);
      return run(status, ms);

      function show(payload: unknown, name: string): void {
        try {
          postReply(payload, place, { state, events });
        } catch (refused) {
          if (!(refused instanceof SlackError)) throw refused;
          slackSays(commandTexts.failed(name, "dispatch_failed"));
        }
      }
    },
  };

  /** https://docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling */
  function formOf(
    typed: { command: string; text: string },
    { user, channel }: { user: User; channel: Channel },
    path: string,
  ): Record<string, string> {
    const { team, app } = state.directory.workspace;
    return {
      token: "deprecated-verification-token",
      team_id: team.id,
      team_domain: team.domain,
      channel_id: channel.id,
      channel_name: { channel: channel.name, group: "privategroup", im: "directmessage", mpim: "privategroup" }[
        channel.kind
      ],
      user_id: user.id,
      user_name: user.name,
      ...typed,
      api_app_id: app.app_id,
      is_enterprise_install: "false",
      response_url: state.url + path,
      trigger_id: state.triggers.issue(user.id),
    };
  }
}
