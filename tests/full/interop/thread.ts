import type { Control, ControlEvent, Message, PostMessage } from "@crosszone/dev-slack";
import { stateOf } from "@crosszone/dev-slack/client";

/** One thread in the local Slack, as a person reads it. */
export interface Thread {
  /** Writes into the thread; the first message opens it. Resolves with the text of the final answer. */
  say(text: string, files?: PostMessage["files"]): Promise<string>;
  /** Writes without waiting for the answer. */
  write(text: string, files?: PostMessage["files"]): void;
  /** Resolves with the text of the final answer to the latest message. */
  answer(): Promise<string>;
  /** Returns the files that the app put into the thread, by name. */
  files(): ReadonlyMap<string, string>;
  /** Returns the app's final answers, oldest first. */
  answers(): readonly string[];
  /** Returns everything that the app showed in the thread or as its status, even if it removed it later. */
  everShown(): string;
}

const finalStates = ["done", "failed", "stopped"];

export function openThread(control: Control, timeoutMs: number): Thread {
  let root: Message | undefined;
  let latest: Message | undefined;
  const shown: string[] = [];
  const inThread = (message: Message): boolean =>
    root !== undefined && message.channel === root.channel && (message.thread_ts ?? message.ts) === root.ts;
  control.subscribe((event: ControlEvent) => {
    if (root !== undefined && JSON.stringify(event).includes(root.ts)) shown.push(JSON.stringify(event));
  });
  const replies = (): Message[] =>
    root === undefined
      ? []
      : control.messages({ channel: root.channel, thread_ts: root.ts }).filter(({ bot_id }) => bot_id !== undefined);
  const isFinal = (message: Message): boolean => finalStates.includes(String(stateOf(message)));
  const textOf = ({ markdown_text, text }: Message): string => markdown_text ?? text;
  const write: Thread["write"] = (text, files) => {
    latest = control.postMessage({
      channel: "dm",
      text,
      ...(files && { files }),
      ...(root && { thread_ts: root.ts }),
    });
    root ??= latest;
  };
  const answer: Thread["answer"] = async () => {
    const after = Number(latest?.ts);
    const first = await control.waitForMessage(
      (message) => inThread(message) && message.bot_id !== undefined && Number(message.ts) > after && isFinal(message),
      timeoutMs,
    );
    return textOf(first);
  };
  return {
    write,
    answer,
    say: (text, files) => {
      write(text, files);
      return answer();
    },
    files: () =>
      new Map(
        replies()
          .flatMap(({ files = [] }) => files)
          .map(({ id, name }) => [name, control.file(id).bytes.toString()]),
      ),
    answers: () => replies().filter(isFinal).map(textOf),
    everShown: () => shown.join("\n"),
  };
}
