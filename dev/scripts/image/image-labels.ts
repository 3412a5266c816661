import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildContext } from "./build-image.ts";
import type { App } from "./options.ts";
import { run } from "../run-program.ts";

interface Manifest {
  readonly version?: string;
  readonly repository?: string | { readonly url: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * What the labels of an app's image say. The revision is the newest commit that changed a file which the image is made of, so that other
 * commits leave the digest alone; it is empty without git. A shallow clone knows only its newest commit.
 */
export async function imageLabels(
  root: string,
  app: App,
  env: NodeJS.ProcessEnv = process.env,
): Promise<BuildContext["labels"]> {
  const read = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const { repository } = read("");
  const actions =
    env["GITHUB_REPOSITORY"] && `${env["GITHUB_SERVER_URL"] ?? "https://github.com"}/${env["GITHUB_REPOSITORY"]}`;
  const folderOf = (name: string): string =>
    ["packages", "tools"].map((group) => `${group}/${name}`).find((folder) => existsSync(join(root, folder))) ?? name;
  const folders = new Set([`apps/${app}`]);
  // A set grows while it is walked: this follows the packages of packages too.
  for (const folder of folders)
    for (const name of Object.keys(read(folder).dependencies ?? {}))
      if (name.startsWith("@crosszone/")) folders.add(folderOf(name.slice("@crosszone/".length)));
  const paths = [...folders, "schemas", "dev/scripts/image", "package.json", "pnpm-lock.yaml", "tsconfig.base.json"];
  const log = await run("git", ["log", "-1", "--format=%H", "--", ...paths], { cwd: root }).catch(() => "");
  return {
    REVISION: log.trim(),
    SOURCE: (typeof repository === "string" ? repository : repository?.url) ?? actions ?? "",
    VERSION: read(`apps/${app}`).version ?? "",
  };
}
