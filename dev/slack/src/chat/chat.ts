import type { PostMessage } from "../protocol/control-api.ts";
import type { Message, Workspace } from "../protocol/workspace.ts";
import { splitCommand } from "../commands/command-texts.ts";
import { composeText } from "../page/text/names.ts";
import { ask, type Outcome } from "./ask.ts";
import type { ControlClient } from "./control-client.ts";
import { createThreadPrinter } from "./printing.ts";
import { parseArgs } from "node:util";

/** A conversation in one thread. */
export interface Chat {
  /** Asks in the thread of the previous question, prints the answer as it arrives, and resolves with the outcome. */
  say(text: string): Promise<Outcome>;
  /** Presses Stop for the current question; returns false if there is none, or Stop was already pressed. */
  stop(): boolean;
}

/** Output targets: the thread goes to `out`, notes for the person to `err`. */
export interface ChatTargets {
  out: (text: string) => unknown;
  err: (text: string) => unknown;
  /** Whether to print the questions; false if the person has just typed them. */
  echo: boolean;
}

/** Starts a conversation with the given options. Rejects if the local Slack is unreachable. */
export async function startChat(client: ControlClient, options: ChatOptions, targets: ChatTargets): Promise<Chat> {
  const { out, err, echo } = targets;
  const workspace = await client.workspace();
  const print = createThreadPrinter(out, workspace);
  const { timeoutMs } = options;
  let { thread } = options;
  let running: Message | undefined;

  return {
    say: async (typed) => {
      const isCommand = splitCommand(typed) !== undefined;
      // Slack accepts no commands in threads, so the command is typed next to this conversation's thread.
      const post = toPost(typed, { ...options, thread: isCommand ? undefined : thread }, workspace);
      if (!isCommand && thread === undefined && !isHeard(workspace, post)) {
        err(`${workspace.app.name} gets this only if you mention it: start with @${workspace.app.name}.\n`);
      }
      const posted = (question: Message): void => {
        running = question;
        if (!isCommand) thread = question.thread_ts ?? question.ts;
        if (echo) print(question);
      };
      const outcome = await ask(client, post, { timeoutMs, posted, show: print }).finally(() => {
        running = undefined;
      });
      if (outcome.state === "timed_out") err(`No complete answer within ${Number(timeoutMs) / 1000} seconds.\n`);
      return outcome;
    },
    stop: () => {
      if (!running) return false;
      const { channel, user, ts, thread_ts = ts } = running;
      running = undefined;
      void client.stop({ channel, user, thread_ts }).catch((error: Error) => err(`${error.message}\n`));
      return true;
    },
  };
}

function toPost(typed: string, { channel, as, thread }: ChatOptions, { users }: Workspace): PostMessage {
  return {
    channel,
    text: splitCommand(typed) === undefined ? composeText(typed, users) : typed,
    user: as,
    thread_ts: thread,
  };
}

/** Returns true if the app receives a message that starts a thread here: in a channel, the message must mention it. */
function isHeard({ app, channels }: Workspace, { channel: wanted, text }: PostMessage): boolean {
  const channel = channels.find(({ id, name }) => id === wanted || (name !== "" && name === wanted.replace(/^#/, "")));
  return channel === undefined || channel.kind === "im" || text.includes(`<@${app.bot_user_id}>`);
}

/** The options of the terminal client. */
export interface ChatOptions {
  url: string;
  /** Channel name or id, or `dm`. */
  channel: string;
  /** User name or id; the server's first person by default. */
  as: string | undefined;
  /** The thread to write in; a new one by default. */
  thread: string | undefined;
  /** Waits as long as it takes by default. */
  timeoutMs: number | undefined;
  json: boolean;
  /** The label of a button to press instead of asking. */
  press: string | undefined;
  /** The message; empty for an interactive conversation. */
  text: string;
}

export type ParsedArguments =
  { kind: "chat"; options: ChatOptions } | { kind: "help" } | { kind: "usage"; problem: string };

/** The help text. */
export const usage = `Talk to Crosszone in the local Slack.

  ./crosszone chat "2+2 in words?"      ask, wait for the answer, exit
  ./crosszone chat /agents              list agents and workflows (a slash command)
  ./crosszone chat /usage               show your language model usage
  ./crosszone chat "run publish-text: This is is a text."
                                 run a workflow and show its steps
  ./crosszone chat                      start a conversation in one thread
  ./crosszone chat --as bob --press Approve
                                 press the newest button with this label

To edit, delete, forward or react, or to paste a table, open the URL in a browser.

  --channel <name>     where to write (default: dm, the direct message with Crosszone)
  --as <user>          user name or id to write as (default: the first person)
  --thread <ts>        write in this thread
  --press <label>      press a button as the user, print what changes, exit
  --timeout <seconds>  how long to wait for an answer (default: until it has ended)
  --json               print only one JSON document at the end
  --url <url>          URL of the local Slack (default: DEV_SLACK_URL, or http://127.0.0.1:3100)
  --help               show this help

Exit codes: 0 answered, 1 answered with a failure, 2 invalid arguments, 3 local Slack unreachable, 4 timeout.
`;

/** Parses the command line. `hasTerminal` is true if a person can type; otherwise the text is required. */
export function parseChatArguments(argv: readonly string[], defaultUrl: string, hasTerminal: boolean): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv].filter((argument, index) => argument !== "--" || index > 0),
      allowPositionals: true,
      options: {
        url: { type: "string", default: defaultUrl },
        channel: { type: "string", default: "dm" },
        as: { type: "string" },
        thread: { type: "string" },
        timeout: { type: "string" },
        json: { type: "boolean", default: false },
        press: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const { channel, as, thread, json, press } = values;
    const url = URL.parse(values.url);
    const seconds = values.timeout === undefined ? undefined : Number(values.timeout);
    const text = positionals.join(" ").trim();
    if (url?.protocol !== "http:" && url?.protocol !== "https:")
      return problem(`--url must be an HTTP URL, got ${values.url}`);
    if (seconds !== undefined && !(seconds > 0 && seconds <= 86_400))
      return problem(`--timeout must be a number of seconds above 0, at most 86400, got ${values.timeout}`);
    if (press !== undefined && (text !== "" || json)) return problem("--press takes no question and no --json");
    if (text === "" && press === undefined && (json || !hasTerminal)) return problem("a question is required");
    const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
    return { kind: "chat", options: { url: url.href, channel, as, thread, timeoutMs, json, press, text } };
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

function problem(sentence: string): ParsedArguments {
  return { kind: "usage", problem: sentence };
}
