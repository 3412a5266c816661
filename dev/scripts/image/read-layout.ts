import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

/** Reads an OCI layout of one image. https://github.com/opencontainers/image-spec/blob/main/image-layout.md */
export function readLayout(folder: string) {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), "utf8"));
  const { manifests } = read("index.json") as { manifests: readonly Descriptor[] };
  const [image] = manifests;
  if (image === undefined || manifests.length > 1) throw new Error(`Expected one image in ${folder}`);
  const manifest = read(`blobs/${image.digest.replace(":", "/")}`) as { config: Descriptor; layers: Descriptor[] };
  const sizes = [manifest.config, ...manifest.layers].map(({ size }) => size);
  return {
    /** The digest of the image: what a registry gives it, and what a deploy compares. */
    digest: image.digest,
    /** Bytes that a registry stores and a host downloads. */
    compressedBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
