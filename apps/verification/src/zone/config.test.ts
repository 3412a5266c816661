import { ConfigError } from "@crosszone/service-kit";
import { describe, expect, test } from "vitest";
import { loadVerificationConfig } from "./config.ts";

const secret = "0123456789abcdef0123456789abcdef";
const slack = { SLACK_BOT_TOKEN: "xoxb-1-2-abc", SLACK_SIGNING_SECRET: secret };

function problems(env: Record<string, string>): string[] {
  try {
    loadVerificationConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      ...error.problems.map(({ name }) => name),
      ...(error.message.includes(secret) ? ["a secret was shown"] : []),
    ];
  }
}

describe("the configuration", () => {
  test("requires a bot token and a signing secret only", () => {
    expect(problems(slack)).toEqual([]);
    expect(problems({})).toEqual(["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"]);
    expect(problems({ SLACK_BOT_TOKEN: "xoxb-1" })).toEqual(["SLACK_SIGNING_SECRET"]);
    expect(problems({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1" })).toEqual([]);
  });

  test.each(["", "short", ` ${secret}`])("refuses the signing secret “%s”", (value) => {
    expect(problems({ ...slack, SLACK_SIGNING_SECRET: value })).toEqual(["SLACK_SIGNING_SECRET"]);
  });

  test("problems between variables are reported with problems of single variables, each variable once", () => {
    expect(
      problems({
        SLACK_BOT_TOKEN: "xoxp-1",
        SLACK_SIGNING_SECRET: "short",
        EXECUTION_URL: "http://example.com/rpc",
        ANSWER_DEADLINE: "x",
      }),
    ).toEqual(["SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET", "ANSWER_DEADLINE", "EXECUTION_URL"]);
    expect(problems({ ...slack, EXECUTION_URL: "no url", SLACK_API_URL: "neither" })).toEqual([
      "SLACK_API_URL",
      "EXECUTION_URL",
    ]);
  });

  test("the bot token is sent only to Slack or to this machine", () => {
    expect(problems({ ...slack, SLACK_API_URL: "https://slack.com.example.com/api/" })).toEqual(["SLACK_API_URL"]);
    expect(problems({ ...slack, SLACK_API_URL: "http://slack.com/api/" })).toEqual(["SLACK_API_URL"]);
    expect(problems({ ...slack, SLACK_API_URL: "http://127.0.0.1:3100/api/" })).toEqual([]);
  });

  describe("Z11: over AgentCore", () => {
    const arn = "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/crosszone-A1b2C3d4E5";

    test.each([arn, `${arn}/runtime-endpoint/prod`])("Z11: %s is enough, without a token", (EXECUTION_URL) => {
      expect(problems({ ...slack, EXECUTION_URL })).toEqual([]);
    });

    test.each([
      "crosszone-A1b2C3d4E5",
      arn.replace("runtime/", "gateway/"),
      arn.replace("123456789012", "12345"),
      arn.replace("eu-central-1", ""),
      arn.replace("bedrock-agentcore", "lambda"),
      `${arn}x`,
      `${arn}/invocations`,
      `${arn}/runtime-endpoint/`,
      `${arn}\n`,
    ])("%j is not the ARN of a runtime", (wrong) => {
      expect(problems({ ...slack, EXECUTION_URL: wrong })).toEqual(["EXECUTION_URL"]);
    });

    test("a private endpoint is local or uses TLS", () => {
      const name = "AWS_ENDPOINT_URL_BEDROCK_AGENTCORE";
      const asked = (url: string): string[] => problems({ ...slack, EXECUTION_URL: arn, [name]: url });
      expect(asked("http://127.0.0.1:9000")).toEqual([]);
      expect(asked("https://vpce-1.bedrock-agentcore.eu-central-1.vpce.amazonaws.com")).toEqual([]);
      expect(asked("http://agentcore.example.com")).toEqual([name]);
      expect(asked("agentcore")).toEqual([name]);
    });
  });

  describe("the credentials for the execution zone", () => {
    const there = { EXECUTION_URL: "https://execution.example.com/rpc" };
    const certificate = { EXECUTION_CLIENT_CERT_FILE: "/c", EXECUTION_CLIENT_KEY_FILE: "/k" };
    const token = { EXECUTION_TOKEN: secret };
    const cases: [what: string, env: Record<string, string>, wrong: string[]][] = [
      ["a token over http", { EXECUTION_URL: "http://example.com/rpc", ...token }, ["EXECUTION_URL"]],
      ["a name like this machine's", { EXECUTION_URL: "http://127.0.0.1.example.com/", ...token }, ["EXECUTION_URL"]],
      ["nothing, on another machine", there, ["EXECUTION_TOKEN"]],
      ["a short token", { ...there, EXECUTION_TOKEN: "short" }, ["EXECUTION_TOKEN"]],
      ["two tokens", { ...there, EXECUTION_TOKEN: `${secret},${secret}` }, []],
      ["nothing, on this machine", { EXECUTION_URL: "http://[::1]:4000/rpc" }, []],
      ["none, on this machine", { EXECUTION_CREDENTIALS: "none" }, []],
      ["none, on another machine", { ...there, EXECUTION_CREDENTIALS: "none" }, ["EXECUTION_CREDENTIALS"]],
      ["bearer without a token", { EXECUTION_CREDENTIALS: "bearer" }, ["EXECUTION_TOKEN"]],
      ["bearer with an empty list", { EXECUTION_CREDENTIALS: "bearer", EXECUTION_TOKEN: "," }, ["EXECUTION_TOKEN"]],
      ["google", { ...there, EXECUTION_CREDENTIALS: "google" }, []],
      ["google to http", { EXECUTION_URL: "http://example.com/", EXECUTION_CREDENTIALS: "google" }, ["EXECUTION_URL"]],
      ["entra without a scope", { ...there, EXECUTION_CREDENTIALS: "entra" }, ["EXECUTION_AUDIENCE"]],
      ["entra", { ...there, EXECUTION_CREDENTIALS: "entra", EXECUTION_AUDIENCE: "api://a/.default" }, []],
      ["half an endpoint", { IDENTITY_ENDPOINT: "http://127.0.0.1:1/msi" }, ["IDENTITY_HEADER"]],
      ["the other half", { IDENTITY_HEADER: "x" }, ["IDENTITY_ENDPOINT"]],
      ["hmac without a secret", { ...there, EXECUTION_CREDENTIALS: "hmac" }, ["EXECUTION_TOKEN"]],
      ["hmac", { ...there, EXECUTION_CREDENTIALS: "hmac", EXECUTION_TOKEN: secret }, []],
      ["mtls without files", { ...there, EXECUTION_CREDENTIALS: "mtls" }, Object.keys(certificate)],
      ["mtls", { ...there, EXECUTION_CREDENTIALS: "mtls", ...certificate }, []],
      ["mtls without TLS", { EXECUTION_CREDENTIALS: "mtls", ...certificate }, ["EXECUTION_URL"]],
      ["a certificate without its key", { EXECUTION_CLIENT_CERT_FILE: "/c" }, ["EXECUTION_CLIENT_KEY_FILE"]],
      ["an authority without TLS", { EXECUTION_CA_FILE: "/c" }, ["EXECUTION_CA_FILE"]],
      ["an unknown kind", { EXECUTION_CREDENTIALS: "basic" }, ["EXECUTION_CREDENTIALS"]],
      ["a header that is a secret", { EXECUTION_HEADERS: "authorization=Bearer x" }, ["EXECUTION_HEADERS"]],
    ];

    test.each(cases)("%s", (_what, env, wrong) => {
      expect(problems({ ...slack, ...env })).toEqual(wrong);
    });
  });
});

describe("several workspaces, by OAuth", () => {
  const oauth = {
    SLACK_CLIENT_ID: "123.456",
    SLACK_CLIENT_SECRET: secret,
    SLACK_SIGNING_SECRET: secret,
    SLACK_REDIRECT_URL: "https://crosszone.example.com/slack/oauth_redirect",
    DATA_KEYS: `k1:${"A".repeat(43)}=`,
  };
  const without = (...names: string[]): Record<string, string> =>
    Object.fromEntries(Object.entries(oauth).filter(([name]) => !names.includes(name)));

  test("need no bot token, and refuse one", () => {
    expect(problems(oauth)).toEqual([]);
    expect(problems({ ...without("SLACK_SIGNING_SECRET"), SLACK_APP_TOKEN: "xapp-1" })).toEqual([]);
    expect(problems({ ...oauth, SLACK_BOT_TOKEN: "xoxb-1" })).toEqual(["SLACK_BOT_TOKEN"]);
  });

  test("Y8: need a secret, a redirect URL and data keys, and report all missing variables at once", () => {
    const needed = ["SLACK_CLIENT_SECRET", "SLACK_REDIRECT_URL", "DATA_KEYS"];
    expect(problems(without(...needed))).toEqual(needed);
    for (const name of needed) expect(problems(without(name))).toEqual([name]);
    expect(problems(without("SLACK_CLIENT_ID"))).toEqual(["SLACK_CLIENT_SECRET", "SLACK_REDIRECT_URL"]);
    expect(problems({ ...oauth, SLACK_CLIENT_ID: "an-id" })).toContain("SLACK_CLIENT_ID");
  });

  test("refuse to forward the bot token", () => {
    expect(problems({ ...oauth, SLACK_TOKEN_FORWARDING: "real" })).toEqual(["SLACK_TOKEN_FORWARDING"]);
  });

  test.each([
    ["http://crosszone.example.com/slack/oauth_redirect", false],
    ["https://crosszone.example.com/slack/elsewhere", false],
    ["https://crosszone.example.com/slack/oauth_redirect?to=me", false],
    ["https://crosszone.example.com/slack/oauth_redirect#here", false],
    ["https://me:too@crosszone.example.com/slack/oauth_redirect", false],
    ["http://127.0.0.1:3000/slack/oauth_redirect", true],
    ["http://localhost:3000/slack/oauth_redirect", true],
  ])("the redirect URL %s: %s", (SLACK_REDIRECT_URL, isGood) => {
    expect(problems({ ...oauth, SLACK_REDIRECT_URL })).toEqual(isGood ? [] : ["SLACK_REDIRECT_URL"]);
  });

  test("S10: without a policy file, a warning says that no workspace can install the app", () => {
    expect(loadVerificationConfig(oauth).warnings).toEqual([
      expect.stringContaining("no workspace can install the app"),
    ]);
  });
});

describe("forwarding of the real token", () => {
  const real = { ...slack, SLACK_TOKEN_FORWARDING: "real" };

  test("is off by default, and logs a warning at the start if it is on", () => {
    expect(loadVerificationConfig(slack)).toMatchObject({ values: { SLACK_TOKEN_FORWARDING: "handle" }, warnings: [] });
    expect(loadVerificationConfig(real).warnings).toEqual([expect.stringContaining("SLACK_TOKEN_FORWARDING=real")]);
    expect(problems({ ...slack, SLACK_TOKEN_FORWARDING: "yes" })).toEqual(["SLACK_TOKEN_FORWARDING"]);
  });

  test("requires TLS or an execution zone on this machine", () => {
    const link = (EXECUTION_URL: string) => problems({ ...real, EXECUTION_URL, EXECUTION_TOKEN: secret });
    expect(link("http://execution.example.com/rpc")).toEqual(["EXECUTION_URL", "SLACK_TOKEN_FORWARDING"]);
    expect(link("https://execution.example.com/rpc")).toEqual([]);
    expect(link("http://127.0.0.1:4000/rpc")).toEqual([]);
  });
});
