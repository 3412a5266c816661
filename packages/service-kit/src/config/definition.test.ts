import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { databaseUrlOf, databaseWarnings } from "../zone-variables.ts";
import {
  byteSize,
  constant,
  defineConfig,
  duration,
  list,
  oneOf,
  port,
  secret,
  url,
  wholeNumber,
  yesOrNo,
} from "./definition.ts";
import { type LiveFiles, openLiveFiles } from "./live-files.ts";
import { loadConfig } from "./load-config.ts";

const definition = defineConfig({
  ZONE_PORT: { schema: port(), description: "Port to listen on.", default: "4000" },
  LEASE_MS: constant(10_000, "ms")`A lease.`,
  METADATA_HOST: constant("metadata.internal", "host")`A host.`,
});

const load = (env: Record<string, string>) => loadConfig(definition, env);

type Row = [name: string, schema: z.ZodType<unknown, string>, good: Record<string, unknown>, bad: string[]];

function open(...first: string[]) {
  const dir = tempFolder();
  const paths = first.map((text, index) => {
    const path = join(dir, `${index}`);
    writeFileSync(path, text);
    return path;
  });
  let time = 0;
  const onFailure = vi.fn<(error: unknown) => void>();
  const parse = (texts: readonly string[]): { texts: readonly string[] } => {
    if (texts.includes("bad")) throw new Error("no good");
    return { texts };
  };
  const named = Object.fromEntries(paths.map((path, index) => [`FILE_${index}`, path]));
  const options = { paths: named, parse, onFailure, now: () => time };
  const files: LiveFiles<{ texts: readonly string[] }> = openLiveFiles(options);
  return { dir, paths: paths as [string, ...string[]], files, onFailure, pass: (ms: number) => (time += ms) };
}

describe("definition", () => {
  test("constants are read by name, together with the variables", () => {
    const { values, warnings } = load({});
    expect(values).toEqual({ ZONE_PORT: 4000, LEASE_MS: 10_000, METADATA_HOST: "metadata.internal" });
    expect(warnings).toEqual([]);
  });

  test.each([
    ["port", port(), { "0": 0, " 4000 ": 4000, "65535": 65535 }, ["65536", "-1", "4e3", "0x10", "4000.0", "", "１"]],
    ["wholeNumber", wholeNumber({ min: -2, max: 3 }), { "-2": -2, "3": 3 }, ["-3", "4", "9".repeat(17), "1 2", "NaN"]],
    [
      "duration",
      duration(),
      { "0": 0, "500ms": 500, " 30 S ": 30_000, "10m": 600_000, "24h": 86_400_000, "24d": 2_073_600_000 },
      ["30", "1.5s", "-1s", "5 weeks", "25d", "s", ""],
    ],
    [
      "duration in a range",
      duration({ min: 1_000, max: 60_000 }),
      { "1s": 1_000, "1m": 60_000 },
      ["999ms", "61s", "0"],
    ],
    ["oneOf", oneOf(["debug", "silent"]), { debug: "debug", silent: "silent" }, ["DEBUG", "trace", "toString", ""]],
    [
      "byteSize",
      byteSize(),
      { "10": 10, "1KB": 1024, "2 mb": 2097152, "1GB": 1073741824, "7b": 7 },
      ["MB", "1.5MB", "1TB"],
    ],
    ["byteSize in a range", byteSize({ min: 10, max: 2048 }), { "2KB": 2048 }, ["9", "3KB"]],
    ["list", list(), { "": [], " a, b ,,c,": ["a", "b", "c"], "a b": ["a b"] }, []],
    ["list of numbers", list(wholeNumber()), { "1, 2": [1, 2] }, ["1,x"]],
    ["list of choices", list(z.enum(["rpc", "bridge"])), { rpc: ["rpc"] }, ["rpc,all"]],
    ["url", url(), { "http://a.test/b": "http://a.test/b", "https://a": "https://a" }, ["a.test", "ftp://a", "/b"]],
    ["url of a scheme", url(["postgres"]), { "postgres://a/b": "postgres://a/b" }, ["http://a"]],
    ["yesOrNo", yesOrNo(), { true: true, false: false }, ["1", "yes", "TRUE", ""]],
    ["secret", secret(4), { "1234": "1234", "1 34": "1 34" }, ["123", " 1234", "1234\r"]],
  ] satisfies Row[])("%s", (...[, schema, good, bad]: Row) => {
    for (const [text, value] of Object.entries(good)) expect(schema.parse(text)).toEqual(value);
    for (const text of bad) expect({ text, ok: schema.safeParse(text).success }).toEqual({ text, ok: false });
  });

  test("without a server, each zone has its own file at an absolute path", () => {
    expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "/data" }, "execution")).toBe(
      "sqlite:/data/execution.sqlite",
    );
    expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "data" }, "execution")).toMatch(
      /^sqlite:\/.*\/data\/execution/,
    );
    expect(databaseUrlOf({ DATABASE_URL: "postgres://db/x", DATA_DIR: "data" }, "execution")).toBe("postgres://db/x");
  });

  test.each([
    ["postgres://me:secret@db.example.com/x", "does not require TLS"],
    ["postgres://db.example.com/x?sslmode=disable", "does not require TLS"],
    ["postgres://db.example.com/x?sslmode=no-verify", "can impersonate the database"],
    ["postgres://db.example.com/x?sslmode=verify-full", ""],
    ["postgres://db.example.com/x?sslmode=require", ""],
    ["postgres://db.example.com/x?ssl=true", ""],
    ["postgres://postgres:5432/x?sslmode=disable", ""],
    ["postgres://127.0.0.1:5432/x", ""],
    ["postgres://[::1]/x", ""],
    ["postgres:///x?host=/var/run/postgresql", ""],
    [undefined, ""],
  ] as const)("whether a connection to %s is unencrypted is reported, without its password", (DATABASE_URL, words) => {
    const warnings = databaseWarnings({ DATABASE_URL });
    expect(warnings).toHaveLength(words === "" ? 0 : 1);
    expect(warnings.join("")).toContain(words);
    expect(warnings.join("")).not.toContain("secret@");
  });
});

describe("live files", () => {
  test("S15: a replaced file is read again without a restart, at most once per interval", () => {
    const { paths, files, pass } = open("one\n");
    const before = files.current();
    expect(before.texts).toEqual(["one"]);
    writeFileSync(paths[0], "two two\n");
    pass(999);
    expect(files.current()).toBe(before);
    pass(1);
    expect(files.current().texts).toEqual(["two two"]);
    pass(5_000);
    expect(files.current()).toBe(files.current());
  });

  test("S15: reread does not wait for the interval", () => {
    const { paths, files } = open("one");
    writeFileSync(paths[0], "two");
    expect(files.reread().texts).toEqual(["two"]);
    expect(files.current().texts).toEqual(["two"]);
  });

  test("a swapped symbolic link is a change", () => {
    const { dir, paths, files, pass } = open("one");
    writeFileSync(join(dir, "next"), "two");
    symlinkSync(join(dir, "next"), join(dir, "link"));
    renameSync(join(dir, "link"), paths[0]);
    pass(1_000);
    expect(files.current().texts).toEqual(["two"]);
  });

  test("an unusable file is reported once, and the previous value stays valid until the file is usable", () => {
    const { paths, files, onFailure, pass } = open("one", "key");
    const before = files.current();
    for (const [at, spoil] of [() => writeFileSync(paths[0], "bad"), () => rmSync(paths[0])].entries()) {
      spoil();
      for (let look = 0; look < 3; look += 1) {
        pass(1_000);
        expect(files.current()).toBe(before);
      }
      expect(onFailure).toHaveBeenCalledTimes(at + 1);
    }
    writeFileSync(paths[0], "good");
    pass(1_000);
    expect(files.current().texts).toEqual(["good", "key"]);
  });

  test("a file that the configuration has read is not read again until it changes; a pipe is readable only once", () => {
    const { dir, paths } = open("one");
    const pipe = join(dir, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const path of [pipe, paths[0]]) {
      const parse = vi.fn<(texts: readonly string[]) => string>(([text = ""]) => text);
      const files = openLiveFiles({ paths: { A_SECRET: path }, parse, first: "one" });
      expect([files.current(), files.reread()]).toEqual(["one", "one"]);
      expect(parse).toHaveBeenCalledTimes(path === pipe ? 0 : 1);
    }
  });

  test("files that are unusable at the start are reported by the variables that name them, without their content", () => {
    expect(() => open("bad", "key")).toThrow("FILE_0 names a file that cannot be used, with FILE_1: no good.");
    expect(() => openLiveFiles({ paths: { A_FILE: "/no/such/file" }, parse: String })).toThrow(
      "A_FILE names a file that cannot be read (ENOENT).",
    );
  });
});
