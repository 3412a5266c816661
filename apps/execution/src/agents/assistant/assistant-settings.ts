import {
  type Assistant,
  chooseModel,
  isModelProblem,
  isPriced,
  type ModelChoice,
  type ModelSettings,
} from "@crosszone/assistant";
import { type AssistantChannel, type AssistantSection, isAssistantSection } from "@crosszone/contracts";
import { settingsRow } from "@crosszone/service-kit/settings";
import type { Budget } from "../../usage/budget.ts";
import type { RequestPlace } from "../agent.ts";

type Place = AssistantChannel;
type OfChannels = Pick<AssistantSection, "channels">;

/** What the section `assistant` says. `channels`: by Slack id; `dm` applies to all direct messages. */
export type AssistantSettings = AssistantSection;

/** Without the section, nothing is said. */
export const noAssistantSettings: AssistantSettings = isAssistantSection.filled({});

/** Creates the row of the section. `judgeModel` returns what is wrong with a model. */
export const assistantRow = (judgeModel: (name: string) => string | undefined) =>
  settingsRow({
    schema: isAssistantSection,
    absent: {},
    check: (section, { refuse }): AssistantSettings => {
      for (const [pointer, name] of modelsIn(section)) {
        const message = judgeModel(name);
        if (message !== undefined) refuse({ pointer, message });
      }
      return section;
    },
  });

/** Returns each model in a file with its place. */
export function modelsIn(file: AssistantSettings): [where: string, name: string][] {
  const places: [string, Place | undefined][] = [
    ...channelsIn("", file),
    ...Object.entries(file.teams).flatMap(([id, one]): typeof places => [
      [`/teams/${id}`, one],
      ...channelsIn(`/teams/${id}`, one),
    ]),
  ];
  return places.flatMap(([where, { model } = {}]) => (model === undefined ? [] : [[`${where}/model`, model]]));
}

const channelsIn = (under: string, of: OfChannels | undefined): [string, Place | undefined][] =>
  Object.entries(of?.channels ?? {}).map(([id, one]) => [`${under}/channels/${id}`, one]);

/**
 * Returns the settings for a question. For each setting the most specific place that has it wins: team and channel,
 * channel, team, all.
 */
export function settingsFor(file: AssistantSettings, { channel = "", team_id: teamId = "" }: RequestPlace): Place {
  const ofTeam = ownValue(file.teams, teamId);
  const places = [channelOf(ofTeam, channel), channelOf(file, channel), ofTeam, { instructions: file.instructions }];
  const said = <Member extends keyof Place>(member: Member): string | undefined =>
    places.map((place?: Place) => place?.[member]).find((value) => value !== undefined);
  return { model: said("model"), instructions: said("instructions") };
}

function channelOf(of: OfChannels | undefined, channel: string): Place | undefined {
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
  readonly current: () => AssistantSettings;
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

/** What decides whether a model can be used. Variables that couldn't be read are absent. */
interface AssistantConfig extends ModelSettings {
  readonly AWS_REGION?: string;
  readonly BUDGETS?: readonly Budget[];
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
