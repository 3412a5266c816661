/** Variables of each zone that are the same in every installation, and what the secret of verification holds. */
export const executionVariables = { HOST_PROFILE: "agentcore", CALLER_AUTH: "platform" } as const;

export const verificationVariables = { EXECUTION_TRANSPORT: "agentcore", AGENTCORE_QUALIFIER: "prod" } as const;

export const slackSettings = ["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET", "DATA_KEYS"] as const;
