import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { describe, onTestFinished } from "vitest";
import { wireModels, wireProviders } from "../testing/index.ts";
import { liveCases } from "../testing/live-cases.ts";

const fixtures = resolve(import.meta.dirname, "../../../../examples/models/demo.json");

// The cases of LIVE_MODEL_TEST=1, which rarely runs, on the recorded model of `pnpm demo:model`.
describe.each(wireProviders)("%s", (provider) => {
  liveCases(async () => {
    const mock = await LLMock.create({ port: 0, chunkSize: 8, latency: 2 });
    onTestFinished(() => mock.stop());
    mock.loadFixtureFile(fixtures);
    return wireModels[provider](mock.url);
  });
});
