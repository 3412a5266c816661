import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openLiveFiles, type LiveFiles } from "./live-files.ts";

function open(...first: string[]) {
  const dir = mkdtempSync(join(tmpdir(), "live-files-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
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
  writeFileSync(paths[0], "bad");
  for (let look = 0; look < 3; look += 1) {
    pass(1_000);
    expect(files.current()).toBe(before);
  }
  expect(onFailure).toHaveBeenCalledTimes(1);
  rmSync(paths[0]);
  for (let look = 0; look < 3; look += 1) {
    pass(1_000);
    expect(files.current()).toBe(before);
  }
  expect(onFailure).toHaveBeenCalledTimes(2);
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
