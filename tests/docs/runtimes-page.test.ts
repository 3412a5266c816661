import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { channels } from "@crosszone/contracts";
import { executionConfig, loadExecutionConfig } from "@crosszone/execution";
import { defaultRedelivery } from "@crosszone/kafka-gateway";
import { canonicalRequest, signatureHeaders } from "@crosszone/service-kit";
import { loadVerificationConfig, verificationConfig } from "@crosszone/verification";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { transportRows } from "../harness/transport-rows.ts";
import { testPromises } from "./page-promises.ts";

const root = resolve(import.meta.dirname, "../..");

const page = readFileSync(resolve(root, "docs/runtimes.md"), "utf8");

const slack = { SLACK_BOT_TOKEN: "xoxb-not-used-here", SLACK_SIGNING_SECRET: "not-used-here-but-it-has-to-be-long" };

const blocks = [...page.matchAll(/```env\n# (verification|execution)\n([^`]+)```/g)].map(
  ([, zone = "", text = ""]) => [zone, parseEnv(text) as Record<string, string>] as const,
);

test("the page has a configuration for each runtime", () => {
  expect(blocks.length).toBeGreaterThan(10);
  expect(page.match(/```env/g)).toHaveLength(blocks.length);
});

describe("runtimes page", () => {
  test.each(blocks)("a zone starts with the configuration that the page shows: %s %o", (zone, variables) => {
    const config = zone === "execution" ? executionConfig : verificationConfig;
    expect(Object.keys(variables).filter((name) => !Object.hasOwn(config, name))).toEqual([]);
    expect(() =>
      zone === "execution" ? loadExecutionConfig(variables) : loadVerificationConfig({ ...slack, ...variables }),
    ).not.toThrow();
  });

  test("every row of the matrix that the page names is run, and every row that is run is named", () => {
    const rows = transportRows(() => expect.unreachable()).map(({ auth, host }) => `${auth} · ${host}`);
    const named = [...page.matchAll(/`([^`]+ · [^`]+)`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !rows.includes(name))).toEqual([]);
    expect(rows.filter((row) => row !== "none · one process" && !named.includes(row))).toEqual([]);
  });

  test("the text that is signed, and its headers, are as the page shows them", () => {
    const [vector] = JSON.parse(
      readFileSync(resolve(root, "packages/service-kit/src/http/request-signature.vectors.json"), "utf8"),
    ) as [{ method: string; target: string; timestamp: string; nonce: string; body: string }];
    expect(page).toContain(`\`\`\`text\n${canonicalRequest({ ...vector, body: Buffer.from(vector.body) })}\n\`\`\``);
    for (const header of Object.values(signatureHeaders)) expect(page).toContain(`\`${header}\``);
  });
});

describe("bus page", () => {
  const bus = readFileSync(resolve(import.meta.dirname, "../../docs/bus.md"), "utf8");

  const [, promised = ""] = /## Guarantees\n([^]*?\n)## /.exec(bus) ?? [];

  testPromises(promised, 6);

  test("the channels are those of the contract, with their topics and keys", () => {
    const rows = [...bus.matchAll(/^\| `(agent_\w+)` +\| `([\w.]+)` +\| `(\w+)` +\|/gm)].map((row) => row.slice(1, 4));
    expect(rows).toEqual(Object.entries(channels).map(([name, { topic, key }]) => [name, topic, key]));
  });

  test("the configuration of Kafka is taken", () => {
    const [, text = ""] = /```env\n([^]*?)```/.exec(bus) ?? [];
    const env = Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => line.split(/=(.*)/, 2)),
    );
    const folder = tempFolder();
    const KAFKA_PROPERTIES_FILE = join(folder, basename(env["KAFKA_PROPERTIES_FILE"] ?? ""));
    writeFileSync(KAFKA_PROPERTIES_FILE, /```properties\n([^]*?)```/.exec(bus)?.[1] ?? "");
    expect(
      loadExecutionConfig({ ...env, KAFKA_PROPERTIES_FILE, EXECUTION_TOKEN: "" }).values.KAFKA_BROKERS,
    ).toHaveLength(2);
  });

  test("the number of deliveries is the bus's own", () => {
    expect(bus).toContain("failed five times");
    expect(defaultRedelivery.mostAttempts).toBe(5);
  });
});
