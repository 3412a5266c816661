import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@crosszone/testkit";
import { expect, test } from "vitest";
import type { JournalEntry } from "../full/interop/agents/play-scenario.ts";
import { caseCount, failuresOf } from "../full/interop/start-sdk-zones.ts";
import { installOnce, installTimeout } from "../harness/install-once.ts";
import { startServer } from "../harness/run-program.ts";
import { noteWorksWith } from "./works-with.ts";
import { calledAnswers, startCalledZone } from "../harness/start-called-zone.ts";

const source = join(import.meta.dirname, "java");
const cache = resolve(import.meta.dirname, "../../node_modules/.cache/java");
const sdk = { name: "A2A SDK for Java", version: "0.3.3.Final" };
const run = promisify(execFile);

/** Returns the folder of the Java programs. Builds them on first use, and again when one of their files changes. */
async function buildJava(): Promise<string> {
  const files = globSync("{pom.xml,src/**/*.java}", { cwd: source }).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(source, file), "utf8")));
  await installOnce(cache, {
    wanted: texts.join("\n"),
    install: async (folder) => {
      await cp(source, folder, { recursive: true });
      const options = { cwd: folder, timeout: installTimeout };
      await run("mvn", ["--batch-mode", "--quiet", "package"], options).catch((cause: unknown) => {
        throw new Error("These tests need Java 17 or newer and Maven. Install openjdk-17-jdk and maven.", { cause });
      });
    },
  });
  return join(cache, "target/quarkus-app");
}

/** Starts the agent that plays the scenarios. Ends with the test. */
async function startAgent() {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const SCENARIOS = resolve(import.meta.dirname, "../full/interop/agents/scenarios.json");
  const env = { QUARKUS_HTTP_HOST: "127.0.0.1", QUARKUS_HTTP_PORT: port, SCENARIOS };
  await startServer(["java", "-jar", join(await buildJava(), "quarkus-run.jar")], { cwd: cache, env, url });
  const journal = async () => (await (await fetch(`${url}/journal`)).json()) as readonly JournalEntry[];
  return { name: "java", url, journal };
}

test("I1, I2, J11: people read the answers of an agent on the official SDK for Java", async () => {
  const agent = await startAgent();
  const failures = (await failuresOf([agent])).get(agent.name) ?? [];
  noteWorksWith({ ...sdk, as: "agent", passed: caseCount - failures.length, of: caseCount });
  expect(failures).toEqual([]);
});

test("A1, A2, A6: the official client for Java calls every operation", async () => {
  const [url, programs] = await Promise.all([startCalledZone(), buildJava()]);
  const command = ["-cp", `${programs}/app/*:${programs}/lib/main/*`, "com.example.AskZone", url];
  expect(JSON.parse((await run("java", command)).stdout)).toEqual(calledAnswers);
  const all = Object.keys(calledAnswers).length;
  const note =
    "Its card resolver needs the path `.well-known/agent-card.json`: the default is at the root of the host.";
  noteWorksWith({ ...sdk, as: "A2A client", passed: all, of: all, note });
});
