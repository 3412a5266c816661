import { describe } from "vitest";
import { chooseModel, isModelProblem } from "../models/model-choice.ts";
import { accessOf, type AccessSettings, openModel, type OpenModel } from "../models/open-model.ts";
import { liveCases } from "../testing/live-cases.ts";

/** Sends three short questions to the model of the environment, which may cost a cent. */
const isLive = process.env["LIVE_MODEL_TEST"] === "1";

async function openConfigured(): Promise<OpenModel> {
  const set = Object.entries(process.env).filter(([, value]) => value !== "");
  const settings = Object.fromEntries(set) as AccessSettings;
  const choice = chooseModel(settings);
  if (choice === undefined)
    throw new Error("LIVE_MODEL_TEST=1 needs a model: set MODEL and a key, or OPENAI_BASE_URL (docs/models.md)");
  if (isModelProblem(choice)) throw new Error(`${choice.name} ${choice.wrong}. Expected: ${choice.expected}.`);
  if (choice.id === undefined) throw new Error("LIVE_MODEL_TEST=1 needs MODEL=openai/<id> with OPENAI_BASE_URL");
  return openModel(choice.provider, choice.id, accessOf(choice.provider, settings));
}

describe.skipIf(!isLive)("the configured model, skipped unless LIVE_MODEL_TEST=1", () => {
  liveCases(openConfigured);
});
