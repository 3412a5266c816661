import { z } from "zod";

/** How the assistant answers somewhere. */
export interface AssistantSettings {
  /** `provider/id`, as in MODEL; the model of MODEL when absent. */
  readonly model?: string | undefined;
  /** Stand after the built-in instructions. */
  readonly instructions?: string | undefined;
}

/** The settings of some conversations. */
export interface ChannelSettings {
  /** By Slack id; `dm` is every direct message. */
  readonly channels: Readonly<Record<string, AssistantSettings>>;
}

/** What ASSISTANT_FILE says. */
export interface AssistantFile extends ChannelSettings {
  /** Of every conversation that has none of its own. */
  readonly instructions?: string | undefined;
  /** By Slack id. */
  readonly teams: Readonly<Record<string, AssistantSettings & ChannelSettings>>;
}

/** Says all that is wrong with an assistant file, each with where it is; never what is written there. */
export class AssistantFileError extends Error {
  override readonly name = "AssistantFileError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

const instructions = z.string().trim().min(1).max(8_000).optional();
const settings = { model: z.string().trim().min(1).max(255).optional(), instructions };
const channelIds = { pattern: /^(?:dm|[CGD][A-Z0-9]{1,30})$/, words: "a conversation id (C…, G…, D…), or dm" };
const teamIds = { pattern: /^[TE][A-Z0-9]{1,30}$/, words: "a team id (T…)" };

/** A record with ids as keys. The error of another key says which ids are valid; zod's own says only that the key is invalid. */
const byId = <Value extends z.ZodType>({ pattern, words }: typeof teamIds, value: Value) =>
  z
    .record(z.string().regex(pattern), value, {
      error: ({ code }) => (code === "invalid_key" ? `it is not ${words}` : undefined),
    })
    .default({});

const channels = byId(channelIds, z.strictObject(settings));
const teams = byId(teamIds, z.strictObject({ ...settings, channels }));

/** All members may be missing; a member that is not known is refused, for it is a misspelt one. */
const fileSchema: z.ZodType<AssistantFile> = z.strictObject({ instructions, channels, teams });

/** Reads the text of an assistant file. `judgeModel` says what is wrong with a model. Throws an `AssistantFileError`. */
export function parseAssistantFile(text: string, judgeModel: (name: string) => string | undefined): AssistantFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AssistantFileError(["it is not JSON"]);
  }
  const read = fileSchema.safeParse(json);
  if (!read.success)
    throw new AssistantFileError(read.error.issues.map(({ path, message }) => `at /${path.join("/")}: ${message}`));
  const problems = modelsIn(read.data).flatMap(([where, name]) => {
    const wrong = judgeModel(name);
    return wrong === undefined ? [] : [`at ${where}: ${wrong}`];
  });
  if (problems.length > 0) throw new AssistantFileError(problems);
  return read.data;
}

/** Returns each model of a file with where it is named. */
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
