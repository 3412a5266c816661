import type { Control, DevSlack, Message } from "@crosszone/dev-slack";
import type { Asked } from "../run/people.ts";
import { isRefusal } from "./answers.ts";
import { judgeThread, type Judged } from "./judge-thread.ts";

/** Judges every message that was written, by what stands in Slack now. */
export function judgeMessages(
  { control, workspace }: Pick<DevSlack, "workspace"> & { readonly control: Pick<Control, "messages" | "file"> },
  asked: Iterable<Asked>,
): Judged[] {
  const threads = new Map<string, Asked[]>();
  const keyOf = ({ channel, thread_ts, ts }: Message): string => `${channel} ${thread_ts ?? ts}`;
  for (const one of asked) threads.getOrInsertComputed(keyOf(one.message), () => []).push(one);
  const said = new Map<string, Message[]>();
  const refusals: Message[] = [];
  for (const { id } of workspace.channels)
    for (const message of control.messages({ channel: id })) {
      if (message.bot_id !== workspace.app.bot_id) continue;
      if (isRefusal(message) && message.ephemeral_for !== undefined) refusals.push(message);
      else said.getOrInsertComputed(keyOf(message), () => []).push(message);
    }
  const contentOf = (fileId: string): string => control.file(fileId).bytes.toString("utf8");
  const judged = [...threads].flatMap(([key, questions]) => judgeThread(questions, said.get(key) ?? [], contentOf));
  return judged.map((one) =>
    one.verdict === "lost" && takeRefusal(refusals, one) ? { ...one, verdict: "refused" } : one,
  );
}

/** Only its author sees that a question was refused. Removes the notice. */
function takeRefusal(refusals: Message[], { message }: Asked): boolean {
  const at = refusals.findIndex(
    ({ channel, ephemeral_for }) => channel === message.channel && ephemeral_for === message.user,
  );
  if (at >= 0) refusals.splice(at, 1);
  return at >= 0;
}
