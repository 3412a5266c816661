/** `./crosszone image`: builds the container image of a zone; see `--help`. */
import { relative, resolve } from "node:path";
import { buildImage } from "./image/build-image.ts";
import { gatherFiles } from "./image/gather-files.ts";
import { imageLabels } from "./image/image-labels.ts";
import { help, ImageError, readOptions, type ImageOptions } from "./image/options.ts";
import { readLayout } from "./image/read-layout.ts";
import { ProgramError } from "./run-program.ts";

const root = resolve(import.meta.dirname, "../..");
const begin = Date.now();
const say = (line: string): void =>
  void process.stderr.write(`${((Date.now() - begin) / 1_000).toFixed(1).padStart(5)} s  ${line}\n`);

async function image(options: ImageOptions): Promise<void> {
  if (options.files !== undefined) return gatherFiles({ ...options, root, folder: options.files, say });
  await buildImage(options, { root, labels: await imageLabels(root, options.app), say });
  const { digest, compressedBytes } = readLayout(options.output);
  say("Done");
  process.stdout.write(
    [
      `image     crosszone-${options.app} ${options.platform}`,
      `layout    ${relative(process.cwd(), options.output) || "."}`,
      `digest    ${digest}`,
      `size      ${(compressedBytes / 1e6).toFixed(1)} MB compressed`,
      "",
    ].join("\n"),
  );
}

try {
  const options = readOptions(process.argv.slice(2), process.cwd());
  if (options === undefined) process.stdout.write(help);
  else await image(options);
} catch (error) {
  if (!(error instanceof ImageError || error instanceof ProgramError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
