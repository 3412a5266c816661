/** A kit as it is published, for a new user. */
export interface Kit {
  /** Language of its code blocks in docs/quickstart/write-an-agent.md. */
  readonly language: string;
  /** The file in which a user saves an agent. */
  readonly file: string;
  /** Packs the kit, and installs the package into an empty folder without a registry. */
  readonly install: (folder: string) => Promise<void>;
  /** Command line that starts the agent in its folder. It may build it first. */
  readonly command: (folder: string) => Promise<readonly [string, ...string[]]>;
}
