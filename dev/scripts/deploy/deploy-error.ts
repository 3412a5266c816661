/** Why a deploy failed and what to do, in one text for the person who runs it. */
export class DeployError extends Error {
  override readonly name = "DeployError";
}

/** The command line or the environment does not say what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
