/** What a worker is asked for, by name. */
export type Commands = Record<string, (argument: never) => unknown>;

/** A question to a worker, and its answer, as they travel between the processes. */
export interface Question {
  id: number;
  command: string;
  argument: unknown;
}
export type Answer = { id: number; value: unknown } | { id: number; error: string };

/** Answers the parent's questions until the parent goes away, and then ends: a worker never outlives the benchmark. */
export function serveCommands(commands: Commands): void {
  process.on("disconnect", () => process.exit());
  process.on("message", ({ id, command, argument }: Question) => {
    const answer = (message: Answer): void => void process.send?.(message);
    const run = (): unknown => {
      const known = commands[command];
      if (known === undefined) throw new Error(`there is no command ${command}`);
      return known(argument as never);
    };
    Promise.try(run).then(
      (value) => answer({ id, value }),
      (error: unknown) =>
        answer({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
