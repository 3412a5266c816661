// suite: rest
// @module-tag judge
import { randomBytes } from "node:crypto";
import { ZoneError } from "@crosszone/contracts";
import { readContract, readCorpus, readExchanges, readRpcExamples } from "@crosszone/contracts/corpus";
import { executionConfig, loadExecutionConfig } from "@crosszone/execution";
import { ConfigError, createLogger, type Environment, type LogFields } from "@crosszone/service-kit";
import { isObject } from "@crosszone/service-kit/json";
import { executionEvents, verificationEvents } from "@crosszone/telemetry";
import { loadVerificationConfig, verificationConfig } from "@crosszone/verification";
import { describe, expect, test } from "vitest";
import { postAs, rpcOf } from "../harness/runs-api.ts";
import { agentThat } from "../harness/start-called-zone.ts";
import { startCrosszone, stateOf } from "../harness/start-crosszone.ts";

/** A secret in a text, and the part of it that must not appear anywhere. */
interface PlantedSecret {
  readonly kind: string;
  readonly text: string;
  readonly core: string;
}

/** Returns new secrets of every kind that has a known form. */
function plantedSecrets(): PlantedSecret[] {
  const core = (): string => randomBytes(15).toString("hex");
  const kinds: Record<string, (core: string) => string> = {
    "bot token": (c) => `xoxb-123456789012-1234567890123-${c}`,
    "user token": (c) => `xoxp-1-${c}`,
    "refresh token": (c) => `xoxe-1-${c}`,
    "rotated token": (c) => `xoxe.xoxb-1-${c}`,
    "app-level token": (c) => `xapp-1-A0123456789-1234567890123-${c}`,
    "task handle": (c) => `czh_${c}`,
    "link of a file": (c) => `https://execution.example.com/files/czf_${c}`,
    "bearer token": (c) => `Bearer ${c}`,
    "JSON Web Token": (c) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${c}`,
    "AWS access key": (c) => `AKIA${c.slice(0, 16).toUpperCase()}`,
    "AWS session key": (c) => `ASIA${c.slice(0, 16).toUpperCase()}`,
    "AWS secret in text": (c) => `aws_secret_access_key=${c}`,
    "signed AWS link": (c) => `https://b.s3.amazonaws.com/k?X-Amz-Credential=a%2Fb&X-Amz-Signature=${c}&n=1`,
    "private key": (c) => `-----BEGIN PRIVATE KEY-----\n${c}\n${c}\n-----END PRIVATE KEY-----`,
    "RSA key cut short": (c) => `-----BEGIN RSA PRIVATE KEY-----\n${c}`,
    "password in a URL": (c) => `postgres://crosszone:${c}@db.example.com/x`,
    "user and password in a URL": (c) => `https://${c}@example.com/`,
    "basic credentials": (c) => `Authorization: Basic ${Buffer.from(`me:${c}`).toString("base64")}`,
    "basic credentials alone": (c) => `Basic ${Buffer.from(`me:${c}`).toString("base64")}`,
    "Slack webhook": (c) => `https://hooks.slack.com/services/T00000000/B00000000/${c}`,
    "model key": (c) => `sk-ant-api03-${c}`,
    "cookie line": (c) => `Cookie: session=${c}; theme=dark`,
    "header line": (c) => `X-Slack-Signature: v0=${c}`,
  };
  return Object.entries(kinds).map(([kind, write]) => {
    const random = core();
    const shown = kind.startsWith("AWS") && !kind.includes("text") ? random.slice(0, 16).toUpperCase() : random;
    return {
      kind,
      text: write(random),
      core: kind.startsWith("basic") ? Buffer.from(`me:${random}`).toString("base64").slice(4, 24) : shown,
    };
  });
}

/** Encodings of a secret in a text that is logged. Percent-encoding is covered twice. */
const wrappings: Readonly<Record<string, (secret: string) => string>> = {
  alone: (secret) => secret,
  "in a sentence": (secret) => `it said ${secret} and went on`,
  "in JSON text": (secret) => JSON.stringify({ a: [secret] }),
  "in JSON text within JSON text": (secret) => JSON.stringify({ body: JSON.stringify({ a: secret }) }),
  "percent-encoded": (secret) => `https://example.com/?q=${encodeURIComponent(secret)}&n=1`,
  "percent-encoded to the last character": (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "percent-encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "in base64 of a JSON object": (secret) => Buffer.from(JSON.stringify({ a: secret })).toString("base64"),
};

const contract = readContract();
const samples = [
  ...readCorpus(contract.types).map(({ id, value }) => ({ name: id, value })),
  ...[...readExchanges("a2a"), ...readExchanges("simple-a2a")].map((value) => ({ name: value.name, value })),
  ...[...readRpcExamples("specification"), ...readRpcExamples("extra")].map((value) => ({ name: value.name, value })),
];

/** Returns the names of members that a schema marks as secret. */
function secretMembers(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(secretMembers);
  if (!isObject(schema)) return [];
  const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const marked = properties.filter(([, member]) => isObject(member) && member["x-secret"] === true);
  return [...marked.map(([name]) => name), ...Object.values(schema).flatMap(secretMembers)];
}
const marked = new Set([...contract.schemas.values()].flatMap(secretMembers));

/** Returns a copy with other strings, and other names for members that no schema has. */
function plant(value: unknown, put: (text: string, name: string) => string, name = ""): unknown {
  if (typeof value === "string") return put(value, name);
  if (Array.isArray(value)) return value.map((item) => plant(item, put, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plant(member, put, key)]));
}

/** The ways in which a value gets into a log line. */
const shapes: Readonly<Record<string, (value: unknown) => LogFields>> = {
  "a field": (value) => ({ value }),
  "the fields themselves": (value) => (isObject(value) ? value : { value }),
  "an array within an object": (value) => ({ list: [{ inner: [value] }] }),
  "a map and a set": (value) => ({ map: new Map([["k", new Set([value])]]) }),
  "JSON text": (value) => ({ body: JSON.stringify(value) }),
  "JSON text within JSON text": (value) => ({ body: JSON.stringify({ body: JSON.stringify(value) }) }),
  "JSON text in base64": (value) => ({ body: Buffer.from(JSON.stringify({ value })).toString("base64url") }),
  "percent-encoded JSON text": (value) => ({
    url: `https://example.com/?q=${encodeURIComponent(JSON.stringify(value))}`,
  }),
  "the message of an error": (value) => ({ cause: new Error(`refused: ${JSON.stringify(value)}`) }),
  "the cause of a cause": (value) => ({ cause: new Error("a", { cause: new TypeError("b", { cause: value }) }) }),
  "errors within an error": (value) => ({
    cause: new AggregateError([new Error(JSON.stringify(value)), value], "all"),
  }),
};

/** The ways for a secret alone. */
const bareShapes: Readonly<Record<string, (secret: string) => LogFields>> = {
  "a header": (secret) => ({ headers: { "x-forwarded-for": secret, authorization: secret } }),
  "raw headers": (secret) => ({
    headers: ["host", "a", "x-api-key", secret.replaceAll(/\s/g, ""), "authorization", secret],
  }),
  "pairs of headers": (secret) => ({ headers: [["x-api-key", secret.replaceAll(/\s/g, "")]] }),
  "the name of a member": (secret) => ({ [secret]: 1, inner: { [secret]: { [secret]: true } } }),
  "the key of a map": (secret) => ({ map: new Map([[secret, 1]]) }),
  "a URL": (secret) => ({ url: new URL(`https://example.com/?q=${encodeURIComponent(secret)}`) }),
  "name, code and stack of an error": (secret) => ({
    cause: Object.assign(new Error("x"), { name: secret, code: secret, stack: `Error: ${secret}\n at ${secret}` }),
  }),
  "what an error has of its own": (secret) => ({
    cause: Object.assign(new Error("x"), { config: { auth: secret }, response: secret }),
  }),
  "a symbol": (secret) => ({ symbol: Symbol(secret) }),
};

/** Returns both zones' loggers at their lowest level, and their output. */
function loggers(): { write: (fields: LogFields) => void; written: () => string } {
  const lines: string[] = [];
  const options = { level: "debug", destination: { write: (line: string) => void lines.push(line) } } as const;
  const all = [
    createLogger({ ...options, zone: "verification", events: verificationEvents }),
    createLogger({ ...options, zone: "execution", events: executionEvents }),
  ];
  return {
    write: (fields) => {
      for (const logger of all) {
        logger.debug("rpc_answered", fields);
        logger.child(fields).error("task_failed", { attempt: 1 });
      }
    },
    written: () => lines.splice(0).join(""),
  };
}

describe("S14, E5: no secret planted in the contract's test data is in a log of either zone", () => {
  test("the corpus has values and members that a schema marks as secret", () => {
    expect(samples.length).toBeGreaterThan(200);
    expect([...marked]).toContain("bot_token");
  });

  test.each(Object.entries(shapes))("a marked member in any form, as %s", (_name, shape) => {
    const { write, written } = loggers();
    const secret = `plain-${crypto.randomUUID()} \\ "quoted" & more`;
    const told = samples.filter(({ value }) => {
      let planted = false;
      const put = (text: string, name: string): string => {
        planted ||= marked.has(name);
        return marked.has(name) ? secret : text;
      };
      write(shape(plant(value, put)));
      return planted;
    });
    expect(told.length).toBeGreaterThan(20);
    const text = written();
    expect(text.includes("rpc_answered")).toBe(true);
    expect(text.includes(secret.slice(6, 42))).toBe(false);
    expect(text.includes("& more")).toBe(false);
  });

  test.each(plantedSecrets())("$kind in any string member", ({ text: secret, core }) => {
    const { write, written } = loggers();
    for (const [at, { name: sample, value }] of samples.entries()) {
      // Each value in one shape. The next test combines secrets and shapes.
      const [name, shape] = Object.entries(shapes)[at % Object.keys(shapes).length] as [
        string,
        (value: unknown) => LogFields,
      ];
      write(shape(plant(value, (text) => `${text} ${secret} `)));
      expect(written().includes(core), `${sample} as ${name}`).toBe(false);
    }
  });
});

describe("S14, E5: no log line has a secret, whatever its encoding and place", () => {
  test.each(plantedSecrets())("$kind", ({ text: secret, core }) => {
    const { write, written } = loggers();
    const leaks: string[] = [];
    for (const [wrapping, wrap] of Object.entries(wrappings))
      for (const [name, shape] of [...Object.entries(shapes), ...Object.entries(bareShapes)]) {
        write(shape(wrap(secret)));
        if (written().includes(core)) leaks.push(`${wrapping} as ${name}`);
      }
    expect(leaks).toEqual([]);
  });
});

const secrets = plantedSecrets();
const shownIn = (text: string): string[] => secrets.filter(({ core }) => text.includes(core)).map(({ kind }) => kind);

describe("E5: configuration errors don't show values", () => {
  const zones = [
    { zone: "verification", names: Object.keys(verificationConfig), load: loadVerificationConfig },
    { zone: "execution", names: Object.keys(executionConfig), load: loadExecutionConfig },
  ];
  test.each(zones)("of $zone: any secret in any variable or file path", ({ names, load }) => {
    const messageOf = (env: Environment): string => {
      try {
        return load(env).warnings.join("\n");
      } catch (error) {
        if (error instanceof ConfigError) return `${error.message}\n${JSON.stringify(error)}`;
        throw error;
      }
    };
    let told = "";
    for (const { text } of secrets)
      for (const name of names)
        for (const value of [text, ` ${text}\n`, `${text},${text}`])
          told += messageOf({ [name]: value }) + messageOf({ [`${name}_FILE`]: value, [`${name}_FIEL`]: value });
    expect(told).toContain("is not valid");
    expect(shownIn(told)).toEqual([]);
  });
});

/** Fails as a word of the question says, with every secret in the error. */
const leaky = agentThat("leaky", async ({ text }) => {
  const all = secrets.map((secret) => secret.text).join(" | ");
  const cause = new AggregateError([new Error(all), { headers: { authorization: all } }], all, { cause: all });
  if (text.includes("zone")) throw new ZoneError("agent_failed", {}, { cause });
  if (text.includes("text")) throw all;
  throw Object.assign(new TypeError(all, { cause }), { code: all, kind: "agent_failed", data: { all } });
});

describe("L5, S14: nothing that an agent throws is visible outside", () => {
  test.each(["an error", "a zone error", "a text"])(
    "%s: not in the answer, the thread, the metrics, the logs",
    async (what) => {
      const zones = await startCrosszone({ agents: [leaky] });
      const root = zones.write({ text: `throw ${what}` });
      const reply = await zones.answerTo(root);
      expect(stateOf(reply)).toBe("failed");
      const metrics = await Promise.all(
        [zones.execution.url, zones.verification.url].map(async (url) => (await fetch(`${url}/metrics`)).text()),
      );
      const answers = zones.slack.control.traffic().filter(({ kind }) => kind === "rpc");
      expect(answers.length).toBeGreaterThan(0);
      expect(metrics.join("")).toContain("task_requests_total");
      expect(zones.log.some(({ event }) => event === "task_failed")).toBe(true);
      expect(shownIn([...metrics, JSON.stringify([zones.replies(root), answers, zones.log])].join("\n"))).toEqual([]);
    },
  );
});

describe("S14: no secret that a caller sends is in a metric or a log", () => {
  test("secrets as method, agent, correlation id, task id, header and path", async () => {
    const zones = await startCrosszone();
    const { execution, token } = zones;
    const { url } = execution;
    const send = (path: string, body: object, headers: Record<string, string> = {}) =>
      postAs(token, headers)(url + path, body);
    for (const { text } of secrets) {
      const line = text.replaceAll(/\s/g, " ");
      const task = { channel: text, text, bot_token: text };
      await send("/rpc", rpcOf(text, {}));
      await send("/rpc", rpcOf("execute_task", { ...task, agent: text }));
      await send("/rpc", { ...rpcOf("execute_task", { ...task, correlation_id: line, thread_ts: text }), id: text });
      await send("/rpc", rpcOf("get_async_task_result", { task_id: text }));
      await send("/rpc", rpcOf("execute_task", { ...task, channel: 1 }), { "x-correlation-id": line });
      await send("/rpc", rpcOf("list_agents", {}), { authorization: line, "x-session-id": line });
      await send(`/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`, [text]);
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/rpc_requests_total\{method="other",outcome="method_not_found"\} \d/);
    expect(zones.log.length).toBeGreaterThan(secrets.length * 5);
    expect(shownIn(metrics + JSON.stringify(zones.log))).toEqual([]);
  });
});
