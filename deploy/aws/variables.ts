/** Variables of execution that are the same in every installation, and what the secret of verification holds. */
export const executionVariables = { HOST_PROFILE: "agentcore", CALLER_AUTH: "platform" } as const;

export const slackSettings = ["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET", "DATA_KEYS"] as const;
