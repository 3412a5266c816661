import { WebClient } from "@slack/web-api";
import { createSdkLogger } from "../../slack/token-clients.ts";
import { readCallError } from "../../slack/slack-call-error.ts";

export interface SlackAnswer {
  /** Slack's error code; `http_502`, `timeout` and the like without one. Absent if the call succeeded. */
  readonly error?: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The scopes of the token, if Slack returned them. */
  readonly scopes?: readonly string[];
}

const logger = createSdkLogger(() => undefined);
const once = { logger, timeout: 10_000, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };

/** Calls a method of Slack's Web API once, within ten seconds. Never rejects. */
export async function callSlack(
  slackApiUrl: string,
  method: string,
  { token, ...args }: Readonly<Record<string, string | undefined>>,
): Promise<SlackAnswer> {
  try {
    const body = await new WebClient(token, { ...once, slackApiUrl }).apiCall(method, args);
    return { body: { ...body }, scopes: body.response_metadata?.scopes };
  } catch (error) {
    return { error: readCallError(method, error).code, body: {} };
  }
}
