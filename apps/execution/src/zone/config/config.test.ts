import { describe, expect, test } from "vitest";
import { configProblems } from "../../testing/config-problems.ts";
import { loadExecutionConfig } from "./config.ts";

const secret = "0123456789abcdef0123456789abcdef";

const jwt = {
  CALLER_AUTH: "jwt",
  CALLER_JWT_ISSUER: "https://accounts.google.com",
  CALLER_JWT_AUDIENCE: "https://execution.example.com",
  CALLER_ALLOWED: "email:verification@example.com",
  CALLER_JWT_JWKS: "https://www.googleapis.com/oauth2/v3/certs",
};

const tls = { TLS_CERT_FILE: "/c", TLS_KEY_FILE: "/k" };

const rsa = '{"kty":"RSA","n":"AQAB","e":"AQAB"}';

const cases: [what: string, env: Record<string, string>, wrong: string[]][] = [
  ["nothing", {}, []],
  ["none on this machine alone", { EXECUTION_HOST: "::1" }, []],
  ["none that others can reach", { EXECUTION_HOST: "0.0.0.0" }, ["EXECUTION_TOKEN"]],
  ["none in a process without the role rpc", { EXECUTION_HOST: "0.0.0.0", EXECUTION_ROLES: "bridge" }, []],
  ["a token", { EXECUTION_HOST: "0.0.0.0", EXECUTION_TOKEN: secret }, []],
  ["a short token", { EXECUTION_HOST: "0.0.0.0", EXECUTION_TOKEN: "short" }, ["EXECUTION_TOKEN"]],
  [
    "none, beside a problem of one variable",
    { EXECUTION_HOST: "0.0.0.0", EXECUTION_PORT: "abc" },
    ["EXECUTION_PORT", "EXECUTION_TOKEN"],
  ],
  ["platform on none", { CALLER_AUTH: "platform", EXECUTION_HOST: "0.0.0.0" }, ["CALLER_AUTH"]],
  ["none on a public address", { CALLER_AUTH: "none", EXECUTION_HOST: "0.0.0.0" }, ["CALLER_AUTH"]],
  ["bearer without a token", { CALLER_AUTH: "bearer" }, ["EXECUTION_TOKEN"]],
  ["hmac without a secret", { CALLER_AUTH: "hmac" }, ["EXECUTION_TOKEN"]],
  ["hmac", { CALLER_AUTH: "hmac", EXECUTION_TOKEN: `${secret},${secret}2`, EXECUTION_HOST: "0.0.0.0" }, []],
  ["jwt", { ...jwt, EXECUTION_HOST: "0.0.0.0" }, []],
  ["S10: jwt without allowed callers", { ...jwt, CALLER_ALLOWED: " , " }, ["CALLER_ALLOWED"]],
  ["jwt for a claim that does not identify a caller", { ...jwt, CALLER_ALLOWED: "iss:x" }, ["CALLER_ALLOWED"]],
  ["a certificate's name with jwt", { ...jwt, CALLER_ALLOWED: "email:a@b.c,CN=x" }, ["CALLER_ALLOWED"]],
  ["jwt without keys", { ...jwt, CALLER_JWT_JWKS: "" }, ["CALLER_JWT_JWKS"]],
  ["jwt with the keys themselves", { ...jwt, CALLER_JWT_JWKS: `{"keys":[${rsa}]}` }, []],
  ["keys over an unencrypted connection", { ...jwt, CALLER_JWT_JWKS: "http://example.com/" }, ["CALLER_JWT_JWKS"]],
  [
    "mtls without files",
    { CALLER_AUTH: "mtls" },
    ["TLS_CERT_FILE", "TLS_KEY_FILE", "CALLER_TLS_CA_FILE", "CALLER_ALLOWED"],
  ],
  [
    "S10: mtls without allowed callers",
    { CALLER_AUTH: "mtls", ...tls, CALLER_TLS_CA_FILE: "/a", CALLER_ALLOWED: "" },
    ["CALLER_ALLOWED"],
  ],
  [
    "a client name without a type",
    { CALLER_AUTH: "mtls", ...tls, CALLER_TLS_CA_FILE: "/a", CALLER_ALLOWED: "verification" },
    ["CALLER_ALLOWED"],
  ],
  ["a certificate without its key", { TLS_CERT_FILE: "/c" }, ["TLS_KEY_FILE"]],
  ["a key without its certificate", { TLS_KEY_FILE: "/k" }, ["TLS_CERT_FILE"]],
  ["TLS without caller authentication", { ...tls, EXECUTION_HOST: "0.0.0.0" }, ["EXECUTION_TOKEN"]],
  ["an unknown kind", { CALLER_AUTH: "google" }, ["CALLER_AUTH"]],
];

describe("config", () => {
  test("S3: with signed requests, a finished task is kept for as long as its request can be replayed", () => {
    const env = { CALLER_AUTH: "hmac", EXECUTION_TOKEN: "a-secret-of-thirty-two-characters" };
    expect(configProblems({ ...env, TASK_RETENTION: "599999ms" })).toEqual(["TASK_RETENTION"]);
    expect(configProblems({ ...env, TASK_RETENTION: "600s" })).toEqual([]);
    expect(configProblems({ TASK_RETENTION: "1s" })).toEqual([]);
  });

  test("a host profile sets the address, and thereby whether callers need credentials", () => {
    for (const HOST_PROFILE of ["agentcore", "cloud-run", "container-apps", "foundry"]) {
      expect(configProblems({ HOST_PROFILE })).toEqual(["EXECUTION_TOKEN"]);
      expect(configProblems({ HOST_PROFILE, EXECUTION_HOST: "127.0.0.1" })).toEqual([]);
      expect(configProblems({ HOST_PROFILE, CALLER_AUTH: "platform" })).toEqual([]);
    }
    expect(configProblems({ HOST_PROFILE: "lambda" })).toEqual(["HOST_PROFILE"]);
  });

  test("AgentCore's fifteen seconds between notice and end of a session exceed a stop", () => {
    const { values } = loadExecutionConfig({ HOST_PROFILE: "agentcore", CALLER_AUTH: "platform" });
    expect(values.STOP_GRACE_MS + 5_000).toBeLessThanOrEqual(15_000);
  });

  test.each(cases)("caller authentication: %s", (_what, env, wrong) => {
    expect(configProblems(env)).toEqual(wrong);
  });

  test.each(["VERIFICATION_URL", "EXECUTION_PUBLIC_URL"])(
    "%s, to which credentials go, uses TLS or is local",
    (name) => {
      const wrong = ["http://zone.example.com", "https://zone.example.com/deep", "http://127.0.0.1:3000"].map((url) =>
        configProblems({ [name]: url }),
      );
      expect(wrong).toEqual([[name], [], []]);
    },
  );

  test.each([
    ["not JSON", "{"],
    ["no keys", '{"keys":[]}'],
    ["a shared secret", '{"keys":[{"kty":"oct","k":"AQAB"}]}'],
    ["a private key", `{"keys":[${rsa.replace("}", ',"d":"AQAB"}')}]}`],
  ])("configured keys must be public: %s is refused", (_what, keys) => {
    expect(configProblems({ ...jwt, CALLER_JWT_JWKS: keys })).toEqual(["CALLER_JWT_JWKS"]);
  });
});

describe("check models", () => {
  const modelCases: [what: string, env: Record<string, string>, wrong: string[]][] = [
    ["none", {}, []],
    ["a key", { ANTHROPIC_API_KEY: "k" }, []],
    ["a key with a line break", { ANTHROPIC_API_KEY: "k\n" }, ["ANTHROPIC_API_KEY"]],
    ["two keys", { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, ["MODEL"]],
    ["a model without its key", { MODEL: "openai/x" }, ["OPENAI_API_KEY"]],
    ["an unknown provider", { MODEL: "mistral/x" }, ["MODEL"]],
    ["Bedrock", { MODEL: "bedrock/x", AWS_REGION: "eu-central-1" }, []],
    ["Bedrock without a region", { MODEL: "bedrock/x" }, ["AWS_REGION"]],
    ["AWS credentials alone", { AWS_ACCESS_KEY_ID: "k" }, []],
    ["not an address", { OPENAI_BASE_URL: "localhost:11434" }, ["OPENAI_BASE_URL"]],
  ];

  test.each(modelCases)("the language model: %s", (_what, env, wrong) => {
    expect(configProblems(env)).toEqual(wrong);
  });

  test("an unencrypted server on another machine logs a warning; on this machine it does not", () => {
    const warnings = (url: string) => loadExecutionConfig({ OPENAI_BASE_URL: url }).warnings;
    expect(warnings("http://vllm:8000/v1")).toEqual([expect.stringMatching(/^OPENAI_BASE_URL is http: on another/)]);
    expect(warnings("http://127.0.0.1:11434/v1")).toEqual([]);
  });
});
