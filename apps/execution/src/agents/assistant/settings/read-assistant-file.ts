import { readFileSync } from "node:fs";
import { chooseModel, isModelProblem, isPriced, type ModelChoice, type ModelSettings } from "@crosszone/assistant";
import { type ConfigProblem, jsonFileError, jsonFileProblems } from "@crosszone/service-kit";
import type { Budget } from "../../../usage/budget.ts";
import { type AssistantFile, parseAssistantFile } from "./assistant-file.ts";

/** ASSISTANT_FILE, and what decides whether a model can be used. Variables that couldn't be read are absent. */
export interface AssistantConfig extends ModelSettings {
  readonly AWS_REGION?: string;
  readonly BUDGETS?: readonly Budget[];
  readonly ASSISTANT_FILE?: string;
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

/** Returns a function that says what is wrong with a model; undefined when the model can be used. */
export function judgeModel(config: AssistantConfig): (name: string) => string | undefined {
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
    return parseAssistantFile(readFileSync(config.ASSISTANT_FILE, "utf8"), judgeModel(config));
  } catch (error) {
    throw jsonFileError(error);
  }
}

/** Returns the problems of ASSISTANT_FILE. */
export const assistantFileProblems = (config: AssistantConfig): ConfigProblem[] =>
  jsonFileProblems("ASSISTANT_FILE", () => readAssistantFile(config));
