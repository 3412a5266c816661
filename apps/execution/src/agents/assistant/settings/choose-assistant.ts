import type { Assistant } from "@crosszone/assistant";
import type { MessagePlace } from "../../agent.ts";
import type { AssistantFile, AssistantSettings, ChannelSettings } from "./assistant-file.ts";

/**
 * Returns the settings for a question. For each setting the most specific place that has it wins: team and channel,
 * channel, team, all.
 */
export function settingsFor(
  file: AssistantFile,
  { channel = "", team_id: teamId = "" }: MessagePlace,
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

/** Chooses the assistant for a task's team and channel, with the operator's instructions. */
export type ChooseAssistant = (
  task: MessagePlace,
) => Promise<{ readonly assistant: Assistant; readonly instructions: string | undefined }>;

export interface AssistantChoices {
  /** Uses the model of MODEL. */
  readonly main: Assistant;
  readonly current: () => AssistantFile;
  /** Opens an assistant with another model, `provider/id`. */
  readonly open: (model: string) => Promise<Assistant>;
}

/** Returns a function that opens each model once, on the first question that needs it. */
export function createChooseAssistant({ main, current, open }: AssistantChoices): ChooseAssistant {
  const opened = new Map<string, Promise<Assistant>>();

  const openOnce = (model: string): Promise<Assistant> =>
    opened.getOrInsertComputed(model, () => {
      const opening = open(model);
      opening.catch(() => opened.delete(model));
      return opening;
    });

  return async (task) => {
    const { model, instructions } = settingsFor(current(), task);
    return { instructions, assistant: model === undefined ? main : await openOnce(model) };
  };
}
