import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const pom = resolve(import.meta.dirname, "pom.xml");
const cache = resolve(import.meta.dirname, "../../../../node_modules/.cache/crosszone-kafka");

/** What a machine lacks for running Kafka; its message says what to install. */
export class NoKafkaError extends Error {
  override readonly name = "NoKafkaError";
}

/**
 * The folder with the jars of Apache Kafka. The first time, Maven fetches them (about 45 MB) into `node_modules/.cache`; another
 * `pom.xml` is another folder. Throws a `NoKafkaError` where there is no Java 17 or newer, or no Maven that can fetch.
 */
export async function kafkaLibraries(): Promise<string> {
  await checkJava();
  const version = createHash("sha256")
    .update(await readFile(pom))
    .digest("hex")
    .slice(0, 16);
  const folder = join(cache, version);
  if (!existsSync(folder)) await fetchInto(folder);
  return folder;
}

async function checkJava(): Promise<void> {
  const answer = await run("java", ["-version"]).catch((cause: unknown) => {
    throw new NoKafkaError(
      "there is no `java`: install Java 17 or newer (Debian: apt-get install openjdk-17-jre-headless)",
      {
        cause,
      },
    );
  });
  const [, version = "0"] = /version "(\d+)/.exec(answer.stderr) ?? [];
  if (Number(version) < 17) throw new NoKafkaError(`Kafka needs Java 17 or newer, here is ${version}`);
}

/** All or nothing: a parallel process fetches too, and the first complete folder stays. */
async function fetchInto(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "fetch-"));
  try {
    await cp(pom, join(work, "pom.xml"));
    const goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=jars"];
    await run("mvn", ["--quiet", "--batch-mode", ...goal], { cwd: work }).catch((cause: unknown) => {
      const missing = (cause as { code?: unknown }).code === "ENOENT";
      throw new NoKafkaError(
        missing
          ? "there is no `mvn`, which fetches Kafka: install Maven (Debian: apt-get install maven)"
          : `Maven could not fetch Kafka: ${(cause as { stdout?: string }).stdout ?? String(cause)}`,
        { cause },
      );
    });
    await rename(join(work, "jars"), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
