import { startDevSlack } from "@crosszone/dev-slack";
import { onTestFinished } from "vitest";
import { startWatched, type WatchedProcess } from "./watched-process.ts";

export type ZoneName = "execution" | "verification";

/** A zone as its own process, alone in the world but for a local Slack. Ends with the test. */
export async function startZone(zone: ZoneName, env: Record<string, string> = {}): Promise<WatchedProcess> {
  // How often a caller may ask is not what is tested here.
  const often = { MAX_REQUESTS_PER_MINUTE: "0" };
  if (zone === "execution") return startWatched(zone, { ...often, ...env });
  const slack = await startDevSlack();
  onTestFinished(() => slack.close());
  return startWatched(zone, {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_TOKEN: "",
    SLACK_API_URL: slack.apiUrl,
    ...env,
  });
}

/** Whether a good request gets its good answer, on a connection of its own. */
export async function isWell({ url }: { url: string }): Promise<boolean> {
  const response = await fetch(`${url}/healthz`, { headers: { connection: "close" } });
  return response.status === 200 && (await response.text()) === '{"status":"ok"}';
}

/** The bytes of a request that is answered with 200. */
export function goodRequest(zone: ZoneName, connection = "close"): string {
  if (zone === "verification") return `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;
  const body = '{"jsonrpc":"2.0","method":"list_agents","id":1}';
  const type = "Content-Type: application/json";
  return `POST /rpc HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
