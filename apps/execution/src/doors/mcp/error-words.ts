import { type ErrorKind, errorTable, type ZoneError, type ZoneErrorDetail } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Returns a text of an author as one line of at most `most` characters, without characters that people can't see. */
export function plainText(text: string, most: number): string {
  const line = visibleLine(text);
  return line.length <= most ? line : `${visibleLine(line.slice(0, most - 1))}…`;
}

type Words = (data: ZoneErrorDetail) => string;

const nameOf = ({ agent }: ZoneErrorDetail): string =>
  agent === undefined ? "The agent" : `The agent "${plainText(agent, 100)}"`;

const says = ({ agent_says }: ZoneErrorDetail): string =>
  agent_says === undefined ? "" : ` It says: ${plainText(agent_says, 1_000)}`;

const problemsIn = ({ problems = [] }: ZoneErrorDetail): string =>
  problems.map(({ pointer, message }) => `\n- ${`${pointer} ${message}`.trim()}`).join("");

const secondsIn = ({ retry_after_ms = 5_000 }: ZoneErrorDetail): number => Math.ceil(retry_after_ms / 1_000);

/** What happened and what to do, for a language model. */
const words = {
  parse_error: () => "The request is not JSON. Send JSON in UTF-8.",
  invalid_request: (data) => `The request is not valid:${problemsIn(data)}`,
  method_not_found: () => "This server has no such method.",
  invalid_params: (data) => `The arguments are not valid. Fix them and call the tool again:${problemsIn(data)}`,
  internal: () => "Crosszone failed with an internal error. Tell the person who runs it.",
  timeout: (data) =>
    data.agent_says === undefined
      ? "The task reached its deadline and was stopped. Ask for less at once."
      : `${nameOf(data)} waited too long.${says(data)}`,
  task_not_found: () => "No task has this task_id. It is wrong, or the task was deleted after its end.",
  input_request_not_found: () => "No input request has this request_id. Call get_task to see which are open.",
  unknown_agent: (data) => `${nameOf(data)} does not exist. List the tools to see which agents you can ask.`,
  invalid_state_transition: () => "The task has already ended. Call get_task to see its result.",
  agent_unavailable: (data) => `${nameOf(data)} can't be reached. Try again later.${says(data)}`,
  agent_failed: (data) => `${nameOf(data)} failed. Try again with other words.${says(data)}`,
  agent_invalid_response: (data) => `${nameOf(data)} sent a response that can't be read. Its owner has to fix it.`,
  agent_misconfigured: (data) => `${nameOf(data)} is misconfigured. Its owner has to fix it.${says(data)}`,
  agent_lost_task: (data) => `${nameOf(data)} has lost the task. Ask again.`,
  agent_lost_answer: (data) =>
    `${nameOf(data)} accepted the task, but its answer was lost. It may have acted: check before you ask again.`,
  rate_limited: (data) =>
    `Too much is open or is being read at once. Wait ${secondsIn(data)} seconds, then call the tool again.${problemsIn(data)}`,
  unauthorized: () => "The credentials are not valid. Ask a person to sign in again.",
  payload_too_large: () => "The message is too large. Send less text or smaller files.",
  canceled: () => "The task was canceled.",
  zone_unavailable: (data) => `Crosszone can't work now. Call the tool again in a few seconds:${problemsIn(data)}`,
  shutting_down: () => "Crosszone is restarting. Call the tool again in a few seconds.",
} satisfies Record<ErrorKind, Words>;

/** Returns an error in words that a language model can act on. Contains nothing internal. */
export function errorWords(kind: ErrorKind, data: ZoneErrorDetail): string {
  const { correlation_id: id } = data;
  return words[kind](data) + (kind === "internal" && id !== undefined ? ` Reference: ${id}.` : "");
}

/** Refuses a request that is no call of a tool. */
export function throwProtocolError({ kind, data }: ZoneError): never {
  const isOurs = kind === "internal" || errorTable[kind].retryable;
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  const { retry_after_ms } = data;
  throw new ProtocolError(code, errorWords(kind, data), { kind, retry_after_ms });
}
