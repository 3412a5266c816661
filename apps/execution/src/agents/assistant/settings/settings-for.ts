import type { AgentTaskInput } from "../../agent.ts";
import type { AssistantFile, AssistantSettings, ChannelSettings } from "./assistant-file.ts";

/**
 * Returns the settings for a question. For each setting the most specific place that has it wins: team and channel,
 * channel, team, all.
 */
export function settingsFor(
  file: AssistantFile,
  { channel = "", team_id: teamId = "" }: Pick<AgentTaskInput, "channel" | "team_id">,
): AssistantSettings {
  const ofTeam = ownValue(file.teams, teamId);
  const places = [channelOf(ofTeam, channel), channelOf(file, channel), ofTeam, { instructions: file.instructions }];
  const said = <Member extends keyof AssistantSettings>(member: Member): string | undefined =>
    places.map((place?: AssistantSettings) => place?.[member]).find((value) => value !== undefined);
  return { model: said("model"), instructions: said("instructions") };
}

function channelOf(of: ChannelSettings | undefined, channel: string): AssistantSettings | undefined {
  if (of === undefined) return undefined;
  return ownValue(of.channels, channel) ?? (channel.startsWith("D") ? ownValue(of.channels, "dm") : undefined);
}

/** Reads own properties only: `constructor` is not a channel. */
const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
