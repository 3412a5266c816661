import { startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { onTestFinished } from "vitest";
import { startExecution } from "./start-execution.ts";
import { startVerification } from "./start-verification.ts";

/** Both zones and a local Slack that sends its events over a socket, since there is an app-level token. Ends with the test. */
export async function startOverSocket(): Promise<DevSlack> {
  const token = "link-token-of-thirty-two-characters";
  const execution = await startExecution({ token, log: [] });
  const slack = await startDevSlack();
  const verification = await startVerification({
    log: [],
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
  return slack;
}
