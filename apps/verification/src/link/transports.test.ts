import type { ServerResponse } from "node:http";
import { serve } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadVerificationConfig } from "../zone/config.ts";
import { createZoneTransport } from "./transports.ts";

test("every question in progress can wait for its answer without delaying a list request", async () => {
  const waiting: ServerResponse[] = [];
  const origin = await serve((_request, response) => void waiting.push(response));
  const { values, files } = loadVerificationConfig({
    SLACK_BOT_TOKEN: "xoxb-1-2-abc",
    SLACK_SIGNING_SECRET: "0123456789abcdef0123456789abcdef",
    EXECUTION_URL: `${origin}/rpc`,
    MAX_QUESTIONS: "150",
  });
  const transport = await createZoneTransport(values, { files, emit: () => undefined });
  onTestFinished(() => transport.close());
  const sending = { timeoutMs: 20_000, session: "s", correlationId: "c" };
  const sent = Array.from({ length: 151 }, () => transport.send(Buffer.from("{}"), sending));
  await vi.waitFor(() => expect(waiting).toHaveLength(151));
  for (const response of waiting) response.writeHead(200, { "content-type": "application/json" }).end("{}");
  expect(await Promise.all(sent)).toHaveLength(151);
});
