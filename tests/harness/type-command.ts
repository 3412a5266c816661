import type { CommandRun, DevSlack, Message } from "@crosszone/dev-slack";

/** What came of a command that somebody typed. */
export interface Typed {
  readonly run: CommandRun;
  /** Waits for what is said of it, to who typed it alone. */
  readonly said: () => Promise<Message>;
}

/** A person types `/agents`, in the direct message unless something else is said. */
export async function typeCommand(
  { control }: Pick<DevSlack, "control">,
  { text = "/agents", channel = "dm", user = "alice" }: { text?: string; channel?: string; user?: string } = {},
): Promise<Typed> {
  const run = await control.runCommand({ channel, user, text });
  const said = (): Promise<Message> =>
    control.waitForMessage(
      ({ ephemeral_for, ts }) => ephemeral_for === run.message.user && Number(ts) > Number(run.message.ts),
      10_000,
    );
  return { run, said };
}

/** What a message shows, whether in blocks or as text. */
export function shownText({ blocks, text }: Message): string {
  const [block] = (blocks ?? []) as { type?: string; text?: string }[];
  return block?.type === "markdown" ? (block.text ?? "") : text;
}
