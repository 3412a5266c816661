import { expect, test } from "vitest";
import { startDevSlack } from "@crosszone/dev-slack";
import { onTestFinished } from "vitest";
import type { LogLine } from "../harness/log-lines.ts";
import { startExecution } from "../harness/start-execution.ts";
import { startVerification } from "../harness/start-verification.ts";

test("with an app-level token events come over a socket, and are answered the same", async () => {
  const log: LogLine[] = [];
  const token = "link-token-of-thirty-two-characters";
  const execution = await startExecution({ token, log });
  const slack = await startDevSlack();
  const verification = await startVerification({
    log,
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      EXECUTION_URL: `${execution.url}/rpc`,
      EXECUTION_TOKEN: token,
    },
  });
  onTestFinished(async () => {
    await verification.stop();
    await slack.close();
    await execution.stop();
  });
  const root = slack.control.postMessage({ channel: "dm", text: "2+2 in words?" });
  const answer = await slack.control.waitForMessage(
    ({ thread_ts, metadata }) => thread_ts === root.ts && metadata?.event_payload["state"] === "done",
  );
  expect(answer.markdown_text).toContain("four");
});
