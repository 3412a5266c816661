import { expect, test } from "vitest";
import { loadExecutionConfig } from "./config.ts";
import { configProblems } from "./testing/config-problems.ts";

test("callers must prove who they are unless they are on this machine", () => {
  expect(configProblems({})).toEqual([]);
  expect(configProblems({ EXECUTION_HOST: "::1" })).toEqual([]);
  expect(configProblems({ EXECUTION_HOST: "0.0.0.0" })).toEqual(["EXECUTION_TOKEN"]);
  expect(configProblems({ EXECUTION_HOST: "0.0.0.0", EXECUTION_TOKEN: "a-token-of-thirty-two-characters" })).toEqual(
    [],
  );
});

test("what is wrong between variables is told together with what is wrong in one", () => {
  expect(configProblems({ EXECUTION_HOST: "0.0.0.0", EXECUTION_PORT: "abc" })).toEqual([
    "EXECUTION_PORT",
    "EXECUTION_TOKEN",
  ]);
  expect(configProblems({ EXECUTION_HOST: "0.0.0.0", EXECUTION_TOKEN: "short" })).toEqual(["EXECUTION_TOKEN"]);
});

test("S3: with signed requests a finished task is kept for as long as its request can be replayed", () => {
  const env = { EXECUTION_AUTH: "hmac", EXECUTION_HMAC_SECRET: "a-secret-of-thirty-two-characters" };
  expect(configProblems({ ...env, TASK_RETENTION_MS: "599999" })).toEqual(["TASK_RETENTION_MS"]);
  expect(configProblems({ ...env, TASK_RETENTION_MS: "600000" })).toEqual([]);
  expect(configProblems({ TASK_RETENTION_MS: "1000" })).toEqual([]);
});

test("S14: handles are sent to verification over TLS, or stay on this machine", () => {
  expect(configProblems({ VERIFICATION_URL: "http://verification.example.com" })).toEqual(["VERIFICATION_URL"]);
  expect(configProblems({ VERIFICATION_URL: "https://verification.example.com/zone" })).toEqual([]);
  expect(configProblems({ VERIFICATION_URL: "http://127.0.0.1:3000" })).toEqual([]);
});

test("the public URL is https:, or on this machine: callers send their tokens to it", () => {
  expect(configProblems({ EXECUTION_PUBLIC_URL: "http://zone.example.com" })).toEqual(["EXECUTION_PUBLIC_URL"]);
  expect(configProblems({ EXECUTION_PUBLIC_URL: "https://zone.example.com/deep" })).toEqual([]);
  expect(configProblems({ EXECUTION_PUBLIC_URL: "http://127.0.0.1:4000" })).toEqual([]);
});

test("a host's profile decides the address, so it decides whether callers must prove who they are", () => {
  for (const HOST_PROFILE of ["agentcore", "cloud-run", "container-apps", "foundry"]) {
    expect(configProblems({ HOST_PROFILE })).toEqual(["EXECUTION_TOKEN"]);
    expect(configProblems({ HOST_PROFILE, EXECUTION_HOST: "127.0.0.1" })).toEqual([]);
    expect(configProblems({ HOST_PROFILE, EXECUTION_AUTH: "platform" })).toEqual([]);
  }
  expect(configProblems({ HOST_PROFILE: "lambda" })).toEqual(["HOST_PROFILE"]);
});

test("that the platform has checked the callers must be said, and of a platform", () => {
  expect(configProblems({ EXECUTION_AUTH: "platform" })).toEqual(["EXECUTION_AUTH"]);
  expect(configProblems({ EXECUTION_AUTH: "platform", EXECUTION_HOST: "0.0.0.0" })).toEqual(["EXECUTION_AUTH"]);
});

test("AgentCore ends a session fifteen seconds after it says so: the default stop fits", () => {
  const { values } = loadExecutionConfig({ HOST_PROFILE: "agentcore", EXECUTION_AUTH: "platform" });
  expect(values.STOP_GRACE_MS + 5_000).toBeLessThanOrEqual(15_000);
});

const secret = "0123456789abcdef0123456789abcdef";
const jwt = {
  EXECUTION_AUTH: "jwt",
  EXECUTION_JWT_ISSUER: "https://accounts.google.com",
  EXECUTION_JWT_AUDIENCE: "https://execution.example.com",
  EXECUTION_JWT_CALLERS: "email:verification@example.com",
  EXECUTION_JWT_JWKS_URL: "https://www.googleapis.com/oauth2/v3/certs",
};
const tls = { TLS_CERT_FILE: "/c", TLS_KEY_FILE: "/k" };
const rsa = '{"kty":"RSA","n":"AQAB","e":"AQAB"}';

const cases: [what: string, env: Record<string, string>, wrong: string[]][] = [
  ["none, though others can reach it", { EXECUTION_AUTH: "none", EXECUTION_HOST: "0.0.0.0" }, ["EXECUTION_AUTH"]],
  ["bearer without a token", { EXECUTION_AUTH: "bearer" }, ["EXECUTION_TOKEN"]],
  ["hmac without a secret", { EXECUTION_AUTH: "hmac" }, ["EXECUTION_HMAC_SECRET"]],
  ["hmac", { EXECUTION_AUTH: "hmac", EXECUTION_HMAC_SECRET: `${secret},${secret}2`, EXECUTION_HOST: "0.0.0.0" }, []],
  ["jwt", { ...jwt, EXECUTION_HOST: "0.0.0.0" }, []],
  ["S10: jwt for anybody", { ...jwt, EXECUTION_JWT_CALLERS: " , " }, ["EXECUTION_JWT_CALLERS"]],
  ["jwt for a claim that names nobody", { ...jwt, EXECUTION_JWT_CALLERS: "iss:x" }, ["EXECUTION_JWT_CALLERS"]],
  ["jwt without keys", { ...jwt, EXECUTION_JWT_JWKS_URL: "" }, ["EXECUTION_JWT_JWKS_URL"]],
  ["jwt with keys twice", { ...jwt, EXECUTION_JWT_JWKS: `{"keys":[${rsa}]}` }, ["EXECUTION_JWT_JWKS"]],
  [
    "keys that anybody could send",
    { ...jwt, EXECUTION_JWT_JWKS_URL: "http://example.com/" },
    ["EXECUTION_JWT_JWKS_URL"],
  ],
  [
    "an algorithm with a shared secret",
    { ...jwt, EXECUTION_JWT_ALGORITHMS: "RS256,HS256" },
    ["EXECUTION_JWT_ALGORITHMS"],
  ],
  ["no algorithm", { ...jwt, EXECUTION_JWT_ALGORITHMS: "," }, ["EXECUTION_JWT_ALGORITHMS"]],
  ["mtls without files", { EXECUTION_AUTH: "mtls" }, ["TLS_CERT_FILE", "TLS_KEY_FILE", "TLS_CA_FILE", "TLS_CLIENTS"]],
  ["S10: mtls for anybody", { EXECUTION_AUTH: "mtls", ...tls, TLS_CA_FILE: "/a", TLS_CLIENTS: "" }, ["TLS_CLIENTS"]],
  [
    "a client by half a name",
    { EXECUTION_AUTH: "mtls", ...tls, TLS_CA_FILE: "/a", TLS_CLIENTS: "verification" },
    ["TLS_CLIENTS"],
  ],
  ["a certificate without its key", { TLS_CERT_FILE: "/c" }, ["TLS_KEY_FILE"]],
  ["a key without its certificate", { TLS_KEY_FILE: "/k" }, ["TLS_CERT_FILE"]],
  ["TLS is no proof of the caller", { ...tls, EXECUTION_HOST: "0.0.0.0" }, ["EXECUTION_TOKEN"]],
  ["an unknown kind", { EXECUTION_AUTH: "google" }, ["EXECUTION_AUTH"]],
];

test.each(cases)("who may ask: %s", (_what, env, wrong) => {
  expect(configProblems(env)).toEqual(wrong);
});

test.each([
  ["no JSON", "{"],
  ["no keys", '{"keys":[]}'],
  ["a shared secret", '{"keys":[{"kty":"oct","k":"AQAB"}]}'],
  ["a private key", `{"keys":[${rsa.replace("}", ',"d":"AQAB"}')}]}`],
])("keys in the configuration are public ones: %s is refused", (_what, keys) => {
  expect(configProblems({ ...jwt, EXECUTION_JWT_JWKS_URL: "", EXECUTION_JWT_JWKS: keys })).toEqual([
    "EXECUTION_JWT_JWKS",
    "EXECUTION_JWT_JWKS_URL",
  ]);
});
