import { createServer as createTlsServer } from "node:https";
import { buffer } from "node:stream/consumers";
import { type RowResult, runRows, type ZoneTable } from "@crosszone/ops/doctor";
import type { Certificate } from "@crosszone/testkit";
import { type Answer, answering, serve } from "@crosszone/testkit/temporary";
import { verificationDoctor } from "@crosszone/verification";

/** Runs a zone's doctor as the command does. Returns the results by the name of the row. */
export async function consultDoctor({ rows, skip }: ZoneTable): Promise<Record<string, RowResult>> {
  const results = await runRows(rows, { timeoutMs: 15_000, skip });
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

/** The default link token of both zones. */
export const linkToken = `link-token-${"0123456789abcdef".repeat(2)}`;

/** Runs verification's doctor for the zone link. Slack is unreachable on purpose. */
export async function consultAboutLink(
  EXECUTION_URL: string,
  env: Record<string, string> = {},
): Promise<Record<string, RowResult>> {
  return consultDoctor(
    verificationDoctor({
      SLACK_BOT_TOKEN: "xoxb-0",
      SLACK_SIGNING_SECRET: "0".repeat(32),
      SLACK_API_URL: "http://127.0.0.1:9/api/",
      EXECUTION_TOKEN: linkToken,
      EXECUTION_URL,
      ...env,
    }),
  );
}

/** Returns the text of a result, on one line. */
export const advice = (result: RowResult | undefined): string => [result?.says, ...(result?.todo ?? [])].join(" ");

/** Starts a server that replaces a peer, on a free port of loopback. With a certificate, it uses TLS. Ends with the test. */
export async function startPeer(answer: Answer, certificate?: Certificate): Promise<string> {
  if (certificate === undefined) return serve(answer);
  return (await serve(createTlsServer({ ...certificate }, answering(answer)))).replace("http:", "https:");
}

/** Forwards requests to another server and shifts the `date` header of its answers. */
export function withClock(target: string, seconds: number): Answer {
  return async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const { authorization = "", "content-type": type = "" } = headers;
    const body = await buffer(request);
    const answer = await fetch(target + url, {
      method,
      headers: { authorization, "content-type": type },
      ...(method === "POST" && { body }),
    });
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "",
      "x-oauth-scopes": answer.headers.get("x-oauth-scopes") ?? "",
      date: new Date(Date.now() + seconds * 1_000).toUTCString(),
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}
