import type { DevSlack, Message } from "@crosszone/dev-slack";
import type { Asked } from "../run/people.ts";
import { judgeThread, type Judged } from "./judge-thread.ts";

/** Judges every message that was written, by what stands in Slack now. */
export function judgeMessages({ control, workspace }: DevSlack, asked: Iterable<Asked>): Judged[] {
  const threads = new Map<string, Asked[]>();
  const keyOf = ({ channel, thread_ts, ts }: Message): string => `${channel} ${thread_ts ?? ts}`;
  for (const one of asked) threads.getOrInsertComputed(keyOf(one.message), () => []).push(one);
  const said = new Map<string, Message[]>();
  for (const { id } of workspace.channels)
    for (const message of control.messages({ channel: id }))
      if (message.bot_id === workspace.app.bot_id) said.getOrInsertComputed(keyOf(message), () => []).push(message);
  const contentOf = (fileId: string): string => control.file(fileId).bytes.toString("utf8");
  return [...threads].flatMap(([key, questions]) => judgeThread(questions, said.get(key) ?? [], contentOf));
}
