import { expect, test } from "vitest";
import { buildArguments } from "./build-image.ts";
import { ImageError, readOptions, type ImageOptions } from "./options.ts";

test("an app alone gets a layout below the current folder, from scratch, for this machine's processor", () => {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  expect(readOptions(["execution"], "/repo")).toEqual({
    app: "execution",
    platform: `linux/${arch}`,
    base: "scratch",
    tool: undefined,
    output: `/repo/dist/images/crosszone-execution-${arch}`,
    files: undefined,
  });
  expect(readOptions(["--help"], "/repo")).toBeUndefined();
});

test.each([
  [[], "Expected one app: execution or verification."],
  [["verification", "execution"], "Expected one app"],
  [["zone"], 'Expected app to be execution or verification, got "zone".'],
  [["execution", "--platform", "linux/386"], 'Expected --platform to be linux/amd64 or linux/arm64, got "linux/386".'],
  [["execution", "--tool", "podman"], 'Expected --tool to be buildah or docker, got "podman".'],
  [["execution", "--push"], "Unknown option '--push'"],
])("a command line that cannot be understood gets a sentence: %s", (args, says) => {
  expect(() => readOptions(args, "/repo")).toThrow(ImageError);
  expect(() => readOptions(args, "/repo")).toThrow(says);
});

test("both tools get the platform, the base and the labels, and set every time to 0", () => {
  const args = ["verification", "--platform", "linux/arm64", "--base", "node:26-slim", "--output", "/out"];
  const options = readOptions(args, "/repo") as ImageOptions;
  const labels = { REVISION: "abc", SOURCE: "https://example.com/zones", VERSION: "1.0.0" };
  const context = { root: "/repo", labels, files: "/files" };
  const [buildah, docker] = (["buildah", "docker"] as const).map((tool) =>
    buildArguments(tool, options, context).join(" "),
  );
  for (const line of [buildah, docker])
    for (const part of ["--platform linux/arm64", "BASE=node:26-slim", "REVISION=abc", "/apps/verification/Dockerfile"])
      expect(line).toContain(part);
  expect(buildah).toMatch(/--timestamp 0 .*--build-context files=\/files -t oci:\/out:latest \/files$/);
  expect(docker).toMatch(/^buildx build .*--output type=oci,dest=\/out,tar=false,rewrite-timestamp=true \/repo$/);
});
