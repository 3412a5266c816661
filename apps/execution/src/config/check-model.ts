import { chooseModel, isModelProblem } from "@crosszone/assistant";
import { assistantFileProblems } from "../agents/assistant/settings/read-assistant-file.ts";
import { isReadableOnTheWay, type ConfigProblem, type ConfigValues } from "@crosszone/service-kit";
import type { modelVariables } from "./model-variables.ts";

export type ModelConfig = ConfigValues<typeof modelVariables>;

/** What no variable can say alone about the language model. Variables that could not be read are absent. */
export function modelProblems(config: Partial<ModelConfig>): ConfigProblem[] {
  const choice = chooseModel(config);
  if (isModelProblem(choice)) return [choice];
  const problems: ConfigProblem[] = [];
  if (choice?.provider === "bedrock" && config.AWS_REGION === undefined)
    problems.push({ name: "AWS_REGION", wrong: "is not set, but MODEL=bedrock/… requires it" });
  if (
    choice?.provider === "bedrock" &&
    config.AWS_ACCESS_KEY_ID !== undefined &&
    config.AWS_SECRET_ACCESS_KEY === undefined
  )
    problems.push({ name: "AWS_SECRET_ACCESS_KEY", wrong: "is not set, but AWS_ACCESS_KEY_ID is" });
  if (choice === undefined && config.ASSISTANT_FILE !== undefined)
    problems.push({ name: "ASSISTANT_FILE", wrong: "is set, but no language model is connected. Set MODEL or a key" });
  else problems.push(...assistantFileProblems(config));
  return problems;
}

/** Where questions and keys travel in clear. */
export function modelWarnings(config: Partial<ModelConfig>): string[] {
  return (["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"] as const).flatMap((name) => {
    const value = config[name];
    return value !== undefined && isReadableOnTheWay(value)
      ? [`${name} is http: on another machine. Questions, files and the key travel there unencrypted. Use https:.`]
      : [];
  });
}
