import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

export interface Packument {
  name: string;
  "dist-tags": Record<string, string>;
  versions: Record<string, { version: string; dist: { tarball: string } }>;
  _attachments?: Record<string, { data: string }>;
}

export type OtherPackages = ReturnType<typeof installedPackages>;

/** A package registry on loopback with the parts of npm's protocol that publishing and installing use. */
export interface LocalRegistry {
  url: string;
  /** Published versions, as `name@version`. */
  published: string[];
  /** Authorization headers of the publications. */
  authorization: Set<string>;
  close: () => Promise<void>;
}

/** Starts a registry. `others` serves packages that were not published here, such as `installedPackages`. */
export async function startLocalRegistry(others?: (url: string) => OtherPackages): Promise<LocalRegistry> {
  const packuments = new Map<string, Packument>();
  const tarballs = new Map<string, Uint8Array>();
  const registry = { url: "", published: [] as string[], authorization: new Set<string>() };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname);
    if (request.method === "PUT") {
      registry.authorization.add(request.headers.authorization ?? "");
      publish(JSON.parse(await text(request)) as Packument);
      return send(response, 201, "{}");
    }
    const tarball = tarballs.get(path) ?? (await other?.tarball(path));
    const packument = packuments.get(path.slice(1)) ?? other?.packument(path.slice(1));
    if (tarball) return send(response, 200, tarball);
    return packument ? send(response, 200, JSON.stringify(packument)) : send(response, 404, '{"error":"Not found"}');
  };

  const publish = ({ _attachments = {}, ...packument }: Packument): void => {
    const earlier = packuments.get(packument.name)?.versions;
    const [attachment] = Object.values(_attachments);
    for (const version of Object.values(packument.versions)) {
      const path = `/tarballs/${packument.name}-${version.version}.tgz`;
      version.dist.tarball = registry.url + path;
      tarballs.set(path, Buffer.from(attachment?.data ?? "", "base64"));
      registry.published.push(`${packument.name}@${version.version}`);
    }
    packuments.set(packument.name, { ...packument, versions: { ...earlier, ...packument.versions } });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 500, JSON.stringify({ error: String(error) })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const other = others?.(registry.url);
  return Object.assign(registry, {
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  });
}

function send(response: ServerResponse, status: number, body: string | Uint8Array): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** Serves the packages that this repository has installed, so that tests install without a network. */
export function installedPackages(repoDir: string, url: string) {
  const store = join(repoDir, "node_modules/.pnpm");
  const folders = new Map<string, string>();
  const packuments = new Map<string, Packument>();
  for (const path of globSync(["*@*/node_modules/*/package.json", "*@*/node_modules/@*/*/package.json"], {
    cwd: store,
  })) {
    const folder = dirname(join(store, path));
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const { name, version } = manifest;
    // The folder of a package also has links to its dependencies.
    if (!path.startsWith(`${name.replace("/", "+")}@${version}`)) continue;
    const tarball = `/installed/${name}-${version}.tgz`;
    folders.set(tarball, folder);
    const versions = {
      ...packuments.get(name)?.versions,
      [version]: { ...manifest, dist: { tarball: url + tarball } },
    };
    packuments.set(name, { name, "dist-tags": { latest: version }, versions });
  }
  return {
    /** Returns undefined for an unknown package. */
    packument: (name: string) => packuments.get(name),
    /** Resolves with the tarball at a path of a packument, or with undefined for another path. */
    tarball: async (path: string) => {
      const folder = folders.get(path);
      if (folder === undefined) return undefined;
      // pnpm hard-links files with the same content, and npm unpacks no links.
      const args = [
        "-czf",
        "-",
        "--hard-dereference",
        "--transform",
        "s,^\\.,package,",
        "--exclude",
        "./node_modules",
        "-C",
        folder,
        ".",
      ];
      const options = { encoding: "buffer", maxBuffer: 512 * 1024 * 1024 } as const;
      return (await promisify(execFile)("tar", args, options)).stdout;
    },
  };
}
