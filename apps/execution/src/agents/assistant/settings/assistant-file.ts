import { JsonFileError, parseJsonFile } from "@crosszone/service-kit";
import { z } from "zod";

/** Settings of the assistant for some questions. */
export interface AssistantSettings {
  /** `provider/id`, as in MODEL; the model of MODEL when absent. */
  readonly model?: string;
  /** Appended to the built-in instructions. */
  readonly instructions?: string;
}

/** Settings by conversation. */
export interface ChannelSettings {
  /** By Slack id; `dm` applies to all direct messages. */
  readonly channels: Readonly<Record<string, AssistantSettings>>;
}

/** The content of ASSISTANT_FILE. */
export interface AssistantFile extends ChannelSettings {
  /** For every conversation without its own instructions. */
  readonly instructions?: string;
  /** By Slack id. */
  readonly teams: Readonly<Record<string, AssistantSettings & ChannelSettings>>;
}

const instructions = z.string().trim().min(1).max(8_000).optional();
const settings = { model: z.string().trim().min(1).max(255).optional(), instructions };
const channelIds = { pattern: /^(?:dm|[CGD][A-Z0-9]{1,30})$/, words: "a conversation id (C…, G…, D…), or dm" };
const teamIds = { pattern: /^[TE][A-Z0-9]{1,30}$/, words: "a team id (T…)" };

/** A record with ids as keys. Its error says which keys are valid; zod's own error doesn't. */
const byId = <Value extends z.ZodType>({ pattern, words }: typeof teamIds, value: Value) =>
  z
    .record(z.string().regex(pattern), value, {
      error: ({ code }) => (code === "invalid_key" ? `it is not ${words}` : undefined),
    })
    .default({});

const channels = byId(channelIds, z.strictObject(settings));
const teams = byId(teamIds, z.strictObject({ ...settings, channels }));

/** All members are optional. Unknown members are rejected, because they are likely typos. */
const fileSchema: z.ZodType<AssistantFile> = z.strictObject({ instructions, channels, teams });

/** Parses an assistant file. `judgeModel` returns what is wrong with a model. Throws a `JsonFileError`. */
export function parseAssistantFile(text: string, judgeModel: (name: string) => string | undefined): AssistantFile {
  const file = parseJsonFile(text, fileSchema);
  const problems = modelsIn(file).flatMap(([where, name]) => {
    const wrong = judgeModel(name);
    return wrong === undefined ? [] : [`at ${where}: ${wrong}`];
  });
  if (problems.length > 0) throw new JsonFileError(problems);
  return file;
}

/** Returns each model in a file with its place. */
export function modelsIn(file: AssistantFile): [where: string, name: string][] {
  const entries: [string, AssistantSettings][] = [
    ...channelEntries("", file),
    ...Object.entries(file.teams).flatMap(([id, one]): [string, AssistantSettings][] => [
      [`/teams/${id}`, one],
      ...channelEntries(`/teams/${id}`, one),
    ]),
  ];
  return entries.flatMap(([where, { model }]) => (model === undefined ? [] : [[`${where}/model`, model]]));
}

const channelEntries = (under: string, of: ChannelSettings): [string, AssistantSettings][] =>
  Object.entries(of.channels).map(([id, one]) => [`${under}/channels/${id}`, one]);
