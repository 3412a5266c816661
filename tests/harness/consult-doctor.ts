import { type RowResult, runRows, type ZoneTable } from "@crosszone/ops/doctor";
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
