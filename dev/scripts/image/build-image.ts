import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gatherFiles } from "./gather-files.ts";
import { ImageError, tools, type ImageOptions, type Tool } from "./options.ts";
import { isInstalled, run } from "../run-program.ts";

export interface BuildContext {
  /** The repository. */
  readonly root: string;
  /** What the image's labels say: where the sources are, of which commit and version. */
  readonly labels: Readonly<Record<"REVISION" | "SOURCE" | "VERSION", string>>;
  /** Gets a line for each step. */
  readonly say: (line: string) => void;
}

/** Builds an image into the OCI layout `options.output`, which it replaces. Returns the tool that it used. Throws an `ImageError`. */
export async function buildImage(options: ImageOptions, context: BuildContext): Promise<Tool> {
  const tool = options.tool ?? (await installedTool());
  mkdirSync(dirname(options.output), { recursive: true });
  const files = mkdtempSync(join(tmpdir(), "crosszone-image-"));
  try {
    if (tool === "buildah") await gatherFiles({ ...options, ...context, folder: files });
    context.say(`Building the image with ${tool}`);
    rmSync(options.output, { recursive: true, force: true });
    await run(tool, buildArguments(tool, options, { ...context, files }), {
      cwd: context.root,
      // For docker: the time of each file, and of the image. buildah takes it as an argument.
      env: { SOURCE_DATE_EPOCH: "0" },
    });
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
  return tool;
}

/** The arguments of a tool. Files get the time 0 and layers are not cached, so that the same files give the same digest. */
function buildArguments(
  tool: Tool,
  { app, platform, base, output }: ImageOptions,
  { root, labels, files }: Pick<BuildContext, "root" | "labels"> & { readonly files: string },
): string[] {
  const buildArgs = Object.entries({ BASE: base, ...labels }).flatMap(([name, value]) => [
    "--build-arg",
    `${name}=${value}`,
  ]);
  const shared = ["--no-cache", "--platform", platform, ...buildArgs, "-f", join(root, `apps/${app}/Dockerfile`)];
  if (tool === "docker")
    return ["buildx", "build", ...shared, "--provenance=false", "--output", ociWithoutTimes(output), root];
  const settings = ["--isolation", "chroot", "--timestamp", "0", "--disable-compression=false"];
  return ["build", ...shared, ...settings, "--build-context", `files=${files}`, "-t", `oci:${output}:latest`, files];
}

const ociWithoutTimes = (folder: string): string => `type=oci,dest=${folder},tar=false,rewrite-timestamp=true`;

async function installedTool(): Promise<Tool> {
  const checks = { buildah: ["--version"], docker: ["buildx", "version"] };
  for (const tool of tools) if (await isInstalled(tool, ...checks[tool])) return tool;
  throw new ImageError(
    "Neither buildah nor docker with buildx is installed. On Debian and Ubuntu: apt-get install buildah. Elsewhere: https://docs.docker.com/get-docker/",
  );
}
