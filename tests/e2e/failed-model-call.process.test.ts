import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test, vi } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { replayed } from "../harness/run-transcript.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";

// Execution waits a second, then two, before it repeats a failed model call.
vi.setConfig({ testTimeout: 60_000 });

test("the reference of a failed model call finds its provider, HTTP status, attempts and tokens, which Slack does not show", async () => {
  const model = await LLMock.create({ port: 0 });
  onTestFinished(() => model.stop());
  model.on({}, { error: { message: "planted words of the provider", type: "server_error" }, status: 500 });
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, MODEL: "openai/demo" };
  const zones = await startWithAgents({ env: { ...env, AGENT_ADMIN_TOKENS: adminToken } });
  const { text } = await zones.answerTo(zones.write({ text: "This is secret." }), 30_000);
  expect(text).not.toMatch(/status 500|attempts|openai/);
  const [, reference = ""] = /Reference: ([\da-f-]+)/.exec(text) ?? [];
  const shown = await replayed(
    `$ npx -y pnpm crosszone tasks show ${reference}\n`,
    {},
    {
      CROSSZONE_URL: zones.url,
      CROSSZONE_TOKEN: adminToken,
    },
  );
  expect(shown).toMatch(/^error +Agent unavailable \(agent_unavailable, -32010\)$/m);
  expect(shown).toMatch(
    /^detail +\S*demo: unavailable: AI_APICallError \(status 500, retryable[^)]*\), 3 attempts, no tokens$/m,
  );
  expect(shown).not.toMatch(/secret|planted/);
});
