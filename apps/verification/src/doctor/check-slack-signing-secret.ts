import { passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";

/** Only Slack's next event proves a signing secret; before that, its form tells a secret from something else that was copied. */
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
        return passed("has the form of one; the first event will prove it");
      return warned(
        "is not 32 hexadecimal digits, as Slack's are",
        "Copy the Signing Secret from Basic Information, App Credentials; not the Client Secret, not the Verification Token.",
      );
    },
  };
}
