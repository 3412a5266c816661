import { passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";

/** Checks the format of the signing secret. Only Slack's next event proves that the secret is right. */
export function checkSlackSigningSecret({
  signingSecret,
  appToken,
}: {
  readonly signingSecret: string | undefined;
  readonly appToken: string | undefined;
}): Check {
  return {
    name: "slack signing secret",
    reads: ["SLACK_SIGNING_SECRET", "SLACK_APP_TOKEN"],
    run: () => {
      if (appToken !== undefined) return skipped("events come over Socket Mode");
      if (/^[0-9a-f]{32}$/.test(signingSecret ?? ""))
        return passed("has the right format; Slack's first event will prove it");
      return warned(
        "is not 32 hexadecimal digits, as Slack's are",
        "Copy the Signing Secret from Basic Information, App Credentials, not the Client Secret or the Verification Token.",
      );
    },
  };
}
