import { resolve } from "node:path";
import { parseArgs } from "node:util";

const apps = ["execution", "verification"] as const;
const platforms = ["linux/amd64", "linux/arm64"] as const;
export const tools = ["buildah", "docker"] as const;

export type App = (typeof apps)[number];
export type Platform = (typeof platforms)[number];
export type Tool = (typeof tools)[number];

export interface ImageOptions {
  readonly app: App;
  readonly platform: Platform;
  /** What the image is built on. `scratch` is empty, and then the image brings Node and its libraries. */
  readonly base: string;
  /** The tool to use; the first one installed when absent. */
  readonly tool: Tool | undefined;
  /** The folder of the OCI layout. Absolute. */
  readonly output: string;
  /** Gathers the files into this folder and stops. Absolute. */
  readonly files: string | undefined;
}

/** Thrown for a command line that cannot be understood, and for a machine that lacks something. The message is for people. */
export class ImageError extends Error {
  override readonly name = "ImageError";
}

export const help = `Usage: ./crosszone image <${apps.join("|")}> [options]

Builds the container image of a zone as an OCI layout, and prints its digest and compressed size.
The same sources give the same digest, so a deploy can compare digests.

  --platform ${platforms.join("|")}   default: this machine's processor
  --base IMAGE        base image, default scratch. Another base must bring Node 26.1 or later, and glibc
  --tool buildah|docker   default: buildah if it is installed, else docker with buildx
  --output FOLDER     the OCI layout, default dist/images/crosszone-<app>-<arch>
  --files FOLDER      gather the files of the image into FOLDER, and build no image

buildah gathers the files on this machine, which must run Linux with glibc; --platform of another processor also needs apt-get.
docker gathers them inside a container, and works on any machine.

To push the image:           skopeo copy oci:<output>:latest docker://<registry>/crosszone-<app>
To load it into Docker:      tar -C <output> -c . | docker load
To run it, see compose.yaml. An OCI layout made by buildah has no HEALTHCHECK: use /healthz in probes.
`;

/** Reads the command line; `undefined` when it asks for help. Throws an `ImageError`. Relative folders start at `folder`. */
export function readOptions(args: readonly string[], folder: string): ImageOptions | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  if (positionals.length !== 1)
    throw new ImageError(`Expected one app: ${apps.join(" or ")}. See ./crosszone image --help.`);
  const app = oneOf("app", apps, positionals[0] ?? "");
  const platform = oneOf("--platform", platforms, values.platform ?? `linux/${archOf(process.arch)}`);
  const output = values.output ?? `dist/images/crosszone-${app}-${platform.slice("linux/".length)}`;
  return {
    app,
    platform,
    base: values.base ?? "scratch",
    tool: values.tool === undefined ? undefined : oneOf("--tool", tools, values.tool),
    output: resolve(folder, output),
    files: values.files === undefined ? undefined : resolve(folder, values.files),
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", short: "h" } as const;
  const options = { platform: text, base: text, tool: text, output: text, files: text, help: flag };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new ImageError(`${(error as Error).message} See ./crosszone image --help.`, { cause: error });
  }
}

function oneOf<Name extends string>(what: string, known: readonly Name[], given: string): Name {
  const found = known.find((name) => name === given);
  if (found === undefined) throw new ImageError(`Expected ${what} to be ${known.join(" or ")}, got "${given}".`);
  return found;
}

/** What Node calls x64, images call amd64. */
const archOf = (arch: string): string => (arch === "x64" ? "amd64" : arch);
