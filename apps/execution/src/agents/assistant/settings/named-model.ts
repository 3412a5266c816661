import { chooseModel, isModelProblem, isPriced, type ModelSettings } from "@crosszone/assistant";
import type { ModelChoice } from "@crosszone/assistant";
import type { Budget } from "../../../usage/budget.ts";

/** What decides whether a model can be used. Variables that couldn't be read are absent. */
export interface NamedModelConfig extends ModelSettings {
  readonly AWS_REGION?: string | undefined;
  readonly BUDGETS?: readonly Budget[] | undefined;
}

/** Returns the model named by `provider/id`, or a sentence that says what is wrong and what to do. */
export function namedModel(name: string, config: NamedModelConfig): (ModelChoice & { readonly id: string }) | string {
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
export function judgeModel(config: NamedModelConfig): (name: string) => string | undefined {
  return (name) => {
    const choice = namedModel(name, config);
    return typeof choice === "string" ? choice : undefined;
  };
}
