import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";

/** An invalid request to create a folder. The message says what is wrong and what to do. */
export class CreateError extends Error {
  override readonly name: string = "CreateError";
}

const packageDir = resolve(import.meta.dirname, "..");

const ownPackage = "packages/crosszone-local.tgz";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
/** Whether this Node.js runs the zones. */
export const runsZones: boolean = major > 26 || (major === 26 && minor >= 1);

/** Whether npm has a Node.js that runs them, for this platform. */
export const hasNode: boolean = ["darwin-arm64", "linux-arm64", "linux-x64"].includes(
  `${process.platform}-${process.arch}`,
);

/** npm leaves these files out of packages, or reads them, under their real names. */
const renamed = { env: ".env", gitignore: ".gitignore" } as const;

/** Creates a folder from the template, with new random tokens and our packed packages. Returns its path. Throws a `CreateError` when the folder can't be used. */
export function createFolder(path: string): string {
  const folder = resolve(path);
  const name = basename(folder);
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    throw new CreateError(
      `Expected a name of lowercase letters, digits, "-", "." and "_", got "${name}". For example: my-team`,
    );
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new CreateError(`${path} is a file. Choose another name.`);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CreateError(
      existsSync(join(folder, ownPackage))
        ? `The folder ${path} exists already. To give it this version of Crosszone, add --upgrade.`
        : `The folder ${path} is not empty. Choose another name, or empty it first.`,
    );
  const token = (): string => randomBytes(32).toString("base64url");
  const values: Record<string, string> = {
    name,
    executionToken: token(),
    adminToken: token(),
    slackSecret: token(),
  };
  mkdirSync(folder, { recursive: true });
  cpSync(join(packageDir, "template"), folder, { recursive: true });
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const at = join(file.parentPath, file.name);
    const text = readFileSync(at, "utf8");
    writeFileSync(
      at,
      text.replaceAll(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole),
    );
  }
  for (const [from, to] of Object.entries(renamed)) renameSync(join(folder, from), join(folder, to));
  chmodSync(join(folder, ".env"), 0o600);
  cpSync(join(packageDir, "packed"), join(folder, "packages"), { recursive: true });
  if (runsZones) removeNode(join(folder, "package.json"));
  return folder;
}

/** Replaces our packed packages in a folder that was created before; `npm install` there installs them. Returns its path. */
export function upgradeFolder(path: string): string {
  const folder = resolve(path);
  if (!existsSync(join(folder, ownPackage)))
    throw new CreateError(
      `${path} has no ${ownPackage}, so create-crosszone did not make it. Without --upgrade, it makes a folder.`,
    );
  for (const from of ["packed", "template/packages"])
    cpSync(join(packageDir, from), join(folder, "packages"), { recursive: true });
  return folder;
}

/** Removes the Node.js that an older one needs. */
function removeNode(file: string): void {
  const { optionalDependencies: _, ...manifest } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
