/** Slack's word: `operation_timeout` when no answer came in time, `dispatch_failed` for any that is not 200. */
export type CommandError = "operation_timeout" | "dispatch_failed";

/** What Slack itself says when a command goes wrong, to who typed it alone. */
export const commandTexts = {
  failed: (command: string, error: CommandError): string => `${command} failed with the error "${error}"`,
  unknown: (command: string): string =>
    `${command} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.\n\nIf you are trying to send a message and not run a command, try preceding the "/" with an empty space.`,
  inThread: (command: string): string => `${command} is not supported in threads. Sorry!`,
};

/** Who says it: Slack itself, which is in no list of people. */
export const SLACKBOT: { user: string; bot_id: string } = { user: "USLACKBOT", bot_id: "B0SLACKBOT1" };

/** The command and what stands behind it; nothing when a text is no command. */
export function splitCommand(text: string): { command: string; rest: string } | undefined {
  const [, command, rest = ""] = /^(\/\S+)\s*([^]*)$/.exec(text) ?? [];
  return command === undefined ? undefined : { command, rest: rest.trimEnd() };
}
