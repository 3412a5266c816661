import { runChecks, type CheckResult, type SectionPlan } from "@crosszone/ops/doctor";
import { verificationDoctor } from "@crosszone/verification";

/** Runs a zone's doctor as its command does; gives what each check found, by its name. */
export async function consultDoctor({ checks, skip }: SectionPlan): Promise<Record<string, CheckResult>> {
  const results = await runChecks(checks, { timeoutMs: 15_000, ...(skip && { skip }) });
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

/** What execution is told to ask for, and verification to send, unless a test says otherwise. */
export const linkToken = `link-token-${"0123456789abcdef".repeat(2)}`;

/** What verification's doctor finds about the zone link. Slack is nowhere: it is another matter. */
export async function consultAboutLink(
  EXECUTION_URL: string,
  env: Record<string, string> = {},
): Promise<Record<string, CheckResult>> {
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

/** All that a person reads of a result, on one line. */
export const advice = (result: CheckResult | undefined): string => [result?.says, ...(result?.todo ?? [])].join(" ");
