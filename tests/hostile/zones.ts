import { connect, type Socket } from "node:net";
import { startDevSlack } from "@crosszone/dev-slack";
import { onTestFinished } from "vitest";
import { startWatched, type WatchedProcess } from "./watched-process.ts";

export type ZoneName = "execution" | "verification";

/** A zone as its own process, alone in the world but for a local Slack. Ends with the test. */
export async function startZone(zone: ZoneName, env: Record<string, string> = {}): Promise<WatchedProcess> {
  // How often a caller may ask is not what is tested here.
  const often = { MAX_REQUESTS_PER_MINUTE: "100000000", MAX_REQUEST_BURST: "1000000" };
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

export interface RawConnection {
  readonly socket: Socket;
  /** What came so far. */
  text(): string;
  /** All that came, once the connection is closed. */
  readonly closed: Promise<string>;
}

/** A connection of which nobody knows what goes over it. Errors of it are nobody's fault. */
export function rawConnect(url: string, bytes: string | Buffer = ""): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
  socket.on("error", () => undefined);
  // The other side has said all that it will say.
  socket.on("end", () => socket.end());
  if (bytes.length > 0) socket.write(bytes);
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  socket.on("close", () => resolve(text));
  return { socket, text: () => text, closed };
}

/** The status of each answer in what came. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
