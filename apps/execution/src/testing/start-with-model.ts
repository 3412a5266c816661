import { LLMock } from "@copilotkit/aimock";
import { onTestFinished } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { byRequester } from "./new-input.ts";
import { startZone, type ZoneOptions } from "./start-zone.ts";

/** Starts a server with the providers' APIs and scripted answers. Ends with the test. */
export async function startModel(): Promise<LLMock> {
  const mock = await LLMock.create({ port: 0 });
  onTestFinished(() => mock.stop());
  return mock;
}

/** The variables that connect the test's server as Anthropic. */
export const anthropic = (mock: LLMock): Record<string, string> => ({
  ANTHROPIC_API_KEY: "sk-ant-planted-secret",
  ANTHROPIC_BASE_URL: `${mock.url}/v1`,
});

/** Starts a zone with the model at a URL, and agents besides its own. */
export function startWithModel(env: Record<string, string>, others: readonly Agent[] = [], more: ZoneOptions = {}) {
  const registered = [
    { find: async (name: string) => others.find((one) => one.name === name), list: async () => others },
  ];
  // The first answer loads the provider's package.
  const limits = { maxBytes: 200_000, syncWindowMs: 30_000 };
  return startZone(undefined, { env, registered, approvalFor: byRequester, ...limits, ...more });
}
