import { connect } from "node:net";
import { resolve } from "node:path";
import { startDevSlack } from "@crosszone/dev-slack";
import { type LogLine, startZoneProcess, type ZoneProcess } from "@crosszone/testkit/process";
import { onTestFinished, vi } from "vitest";

/** Memory after a garbage collection, bytes. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

export type WatchedProcess = Awaited<ReturnType<typeof startWatched>>;

export type ZoneName = "execution" | "verification";

/** Options of Node for a zone that reports its memory. */
export const reportsMemory = ["--expose-gc", "--import", resolve(import.meta.dirname, "report-memory.ts")];

/** Returns the memory of such a process, which writes to this log. */
export async function memoryOf({ signal }: Pick<ZoneProcess, "signal">, log: readonly LogLine[]): Promise<Memory> {
  const reports = (): LogLine[] => log.filter(({ event }) => event === "memory");
  const before = reports().length;
  signal("SIGUSR2");
  await vi.waitUntil(() => reports().length > before, 60_000);
  return reports().at(-1) as unknown as Memory;
}

/** Starts a process of a zone on a free port of loopback and can read its memory. Ends with the test. */
export async function startWatched(zone: ZoneName, env: Record<string, string>) {
  const log: LogLine[] = [];
  const started = await startZoneProcess(zone, { EXECUTION_TOKEN: "", ...env }, { log, node: reportsMemory });
  return { ...started, log, memory: () => memoryOf(started, log) };
}

/** Starts a process of a zone, without the other zone. Verification gets a local Slack. Ends with the test. */
export async function startZone(zone: ZoneName, env: Record<string, string> = {}): Promise<WatchedProcess> {
  // Rate limits are not tested here.
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

/** Returns whether a valid request on a new connection gets its answer. */
export async function isWell({ url }: { url: string }): Promise<boolean> {
  const response = await fetch(`${url}/healthz`, { headers: { connection: "close" } });
  return response.status === 200 && (await response.text()) === '{"status":"ok"}';
}

/** Returns the bytes of a request that is answered with 200. */
export function goodRequest(zone: ZoneName, connection = "close"): string {
  if (zone === "verification") return `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;
  const body = '{"jsonrpc":"2.0","method":"list_agents","id":1}';
  const type = "Content-Type: application/json";
  return `POST /rpc HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

export type RawConnection = ReturnType<typeof rawConnect>;

/** Opens a TCP connection and sends bytes. Its errors are ignored. `closed` resolves with all received text. */
export function rawConnect(url: string, bytes: string | Buffer = "") {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
  socket.on("error", () => undefined);
  // The server has finished sending.
  socket.on("end", () => socket.end());
  if (bytes.length > 0) socket.write(bytes);
  const closed = new Promise<string>((end) => socket.on("close", () => end(text)));
  return { socket, text: () => text, closed };
}

/** Returns the status of each answer in a received text. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
