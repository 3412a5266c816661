import { readFileSync } from "node:fs";
import {
  type Assistant,
  chooseModel,
  isModelProblem,
  isPriced,
  type ModelChoice,
  type ModelSettings,
} from "@crosszone/assistant";
import {
  type ConfigProblem,
  JsonFileError,
  jsonFileError,
  jsonFileProblems,
  parseJsonFile,
} from "@crosszone/service-kit";
import { z } from "zod";
import type { Budget } from "../../usage/budget.ts";
import type { RequestPlace } from "../agent.ts";

interface AssistantSettings {
  /** `provider/id`, as in MODEL; the model of MODEL when absent. */
  readonly model?: string;
  /** Appended to the built-in instructions. */
  readonly instructions?: string;
}

interface ChannelSettings {
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

const instructionsText = z.string().trim().min(1).max(8_000).optional();
const settings = { model: z.string().trim().min(1).max(255).optional(), instructions: instructionsText };
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
const fileSchema: z.ZodType<AssistantFile> = z.strictObject({ instructions: instructionsText, channels, teams });

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

/**
 * Returns the settings for a question. For each setting the most specific place that has it wins: team and channel,
 * channel, team, all.
 */
export function settingsFor(
  file: AssistantFile,
  { channel = "", team_id: teamId = "" }: RequestPlace,
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
  task: RequestPlace,
) => Promise<{ readonly assistant: Assistant; readonly instructions: string | undefined }>;

/** Returns a function that opens each model once, on the first question that needs it. `main` uses the model of MODEL. */
export function createChooseAssistant(choices: {
  readonly main: Assistant;
  readonly current: () => AssistantFile;
  /** Opens an assistant with another model, `provider/id`. */
  readonly open: (model: string) => Promise<Assistant>;
}): ChooseAssistant {
  const { main, current, open } = choices;
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

/** ASSISTANT_FILE, and what decides whether a model can be used. Variables that couldn't be read are absent. */
interface AssistantConfig extends ModelSettings {
  readonly AWS_REGION?: string;
  readonly BUDGETS?: readonly Budget[];
  readonly ASSISTANT_FILE?: string;
  readonly PROMPT_MODELS?: readonly string[];
}

/** Returns the model named by `provider/id`, or a sentence that says what is wrong and what to do. */
export function namedModel(name: string, config: AssistantConfig): (ModelChoice & { readonly id: string }) | string {
  const choice = chooseModel({ ...config, MODEL: name });
  if (choice === undefined) return "it doesn't name a model; remove it to use the model in MODEL";
  if (isModelProblem(choice) && choice.name === "MODEL") return `it ${choice.wrong}; expected ${choice.expected}`;
  if (isModelProblem(choice)) return `it needs ${choice.name}, which is not set`;
  const { provider, id = "" } = choice;
  if (provider === "bedrock" && config.AWS_REGION === undefined) return "it needs AWS_REGION, which is not set";
  const inDollars = config.BUDGETS?.some(({ unit }) => unit === "usd") === true;
  if (inDollars && !isPriced(choice)) return "it has no known price, which budgets in usd need; use budgets in tokens";
  return { provider, id };
}

/** Returns the models that `prompt` steps can name; undefined when they can name any. */
export const promptModels = ({ MODEL, PROMPT_MODELS: models = [] }: AssistantConfig): readonly string[] | undefined =>
  models.length === 0 ? undefined : [...models, ...(MODEL === undefined ? [] : [MODEL])];

/** Returns a function that says what is wrong with a model; undefined when the model can be used. */
export function modelJudge(config: AssistantConfig): (name: string) => string | undefined {
  return (name) => {
    const choice = namedModel(name, config);
    return typeof choice === "string" ? choice : undefined;
  };
}

const nothing: AssistantFile = { channels: {}, teams: {} };

/** Reads ASSISTANT_FILE; returns an empty file when it is not set. Throws a `JsonFileError`. */
export function readAssistantFile(config: AssistantConfig): AssistantFile {
  if (config.ASSISTANT_FILE === undefined) return nothing;
  try {
    return parseAssistantFile(readFileSync(config.ASSISTANT_FILE, "utf8"), modelJudge(config));
  } catch (error) {
    throw jsonFileError(error);
  }
}

export const assistantFileProblems = (config: AssistantConfig): ConfigProblem[] =>
  jsonFileProblems("ASSISTANT_FILE", () => readAssistantFile(config));
