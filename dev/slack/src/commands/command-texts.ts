import type { AppError } from "../events/app-sender.ts";
import type { Channel } from "../protocol/workspace.ts";

/** Slack's own ephemeral messages about a command that failed. */
export const commandTexts = {
  failed: (command: string, error: AppError): string => `${command} failed with the error "${error}"`,
  unknown: (command: string): string =>
    `${command} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.\n\nIf you are trying to send a message and not run a command, try preceding the "/" with an empty space.`,
  inThread: (command: string): string => `${command} is not supported in threads. Sorry!`,
};

/** The author of these messages, which is in no list of people. */
export const SLACKBOT: { user: string; bot_id: string } = { user: "USLACKBOT", bot_id: "B0SLACKBOT1" };

/** Splits a text into the command and the text after it; undefined if it is not a command. */
export function splitCommand(text: string): { command: string; rest: string } | undefined {
  const [, command, rest = ""] = /^(\/\S+)\s*([^]*)$/.exec(text) ?? [];
  return command === undefined ? undefined : { command, rest: rest.trimEnd() };
}

const channelNames: Readonly<Partial<Record<Channel["kind"], string>>> = {
  group: "privategroup",
  im: "directmessage",
  mpim: "privategroup",
};

/** Returns the name that the app is told: Slack names only public channels. */
export const shownChannelName = ({ kind, name }: Channel): string => channelNames[kind] ?? name;
