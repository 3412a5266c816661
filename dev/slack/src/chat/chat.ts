import type { PostMessage } from "../protocol/control-api.ts";
import type { Channel, Message, Workspace } from "../protocol/workspace.ts";
import { splitCommand } from "../commands/command-texts.ts";
import { composeText } from "../page/text/names.ts";
import { channelHash, hasApp } from "../page/state/page-state.ts";
import { ask, type Outcome } from "./ask.ts";
import { type ControlClient, UnheardError } from "./control-client.ts";
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
      const unheard = isCommand ? undefined : whyUnheard(await client.workspace(), post, options.url);
      if (unheard !== undefined) throw new UnheardError(unheard);
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

/** Returns why the app will not answer a message, as a sentence that says what to do; undefined if it receives the message. */
function whyUnheard(workspace: Workspace, post: PostMessage, url: string): string | undefined {
  const { app, channels } = workspace;
  const channel = channelOf(channels, post.channel);
  if (channel === undefined || channel.kind === "im") return undefined;
  const { id, name } = channel;
  if (!hasApp(channel, workspace))
    return `${app.name} is not a member of #${name} and gets no messages from it. Open ${new URL(channelHash(id), url).href} and press Add app.`;
  if (channel.is_archived) return `#${name} is archived: ${app.name} can't answer there. Write in another channel.`;
  if (post.thread_ts !== undefined || post.text.includes(`<@${app.bot_user_id}>`)) return undefined;
  return `In #${name}, ${app.name} gets a message only if it mentions the app: start with @${app.name}.`;
}

/** Returns the conversation with this id or name. */
export const channelOf = (channels: readonly Channel[], wanted: string): Channel | undefined =>
  channels.find(({ id, name }) => id === wanted || (name !== "" && name === wanted.replace(/^#/, "")));

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

/** How people type this program, and what starts the local Slack: in a clone, or in a folder that `create-crosszone` made. */
export const ownCommands = import.meta.url.endsWith(".ts")
  ? { chat: "./crosszone chat", start: "./crosszone dev", run: "run publish-text: This is is a text." }
  : { chat: "npm run chat --", start: "npm start", run: "run welcome: hello" };
const { chat: name } = ownCommands;

/** The help text. */
export const usage = `Talk to Crosszone in the local Slack.

  ${name} "2+2 in words?"      ask, wait for the answer, exit
  ${name} /agents              list agents and workflows (a slash command)
  ${name} /usage               show your language model usage
  ${name} "${ownCommands.run}"
                                 run a workflow and show its steps
  ${name}                      start a conversation in one thread
  ${name} --as bob --press Approve
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

Exit codes: 0 answered, 1 answered with a failure or not received, 2 invalid arguments, 3 local Slack unreachable, 4 timeout.
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
