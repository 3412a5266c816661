import type { ParamProblem } from "@crosszone/contracts";
import { isNearName } from "@crosszone/service-kit/text";

/** Members of an agent and of its groups. */
const members = [
  "name",
  "url",
  "description",
  "protocol",
  "protocol_config",
  "auth",
  "timeout_ms",
  "max_concurrency",
  "retry",
  "breaker",
  "enabled",
  "max_retries",
  "base_ms",
  "max_ms",
  "failures",
  "open_ms",
];

/** Rewords the problem of an agents file to say what to write. Shows the value only where it can't be a secret. */
export function inWords({ pointer, message }: ParamProblem, file: unknown): ParamProblem {
  const member = pointer.slice(pointer.lastIndexOf("/") + 1);
  if (message === "is not a known member") return { pointer, message: `${message}${didYouMean(member)}` };
  if (pointer === "" && message === "must be object")
    return { pointer, message: "must start with `agents:` and list the agents below it" };
  if (!message.startsWith("must match pattern")) return { pointer, message };
  if (/^\/agents\/\d+\/url$/.test(pointer)) return { pointer, message: urlWords(valueAt(file, pointer)) };
  if (/^\/agents\/\d+\/name$/.test(pointer))
    return { pointer, message: "must be 1 to 255 characters without control characters" };
  if (pointer.includes("/auth/"))
    return { pointer, message: "must name a secret, not contain it: write env:AGENT_SECRET_… or file:…" };
  return { pointer, message };
}

function urlWords(url: unknown): string {
  const text = String(url);
  if (/^https?:\/\//.test(text)) return "must be a URL without spaces, user, password and #fragment";
  // The text before an @ may be a password.
  const got = text.includes("@") ? "" : `, got "${text.slice(0, 100)}"`;
  return `must be a URL that starts with http:// or https://${got}`;
}

function didYouMean(name: string): string {
  const near = members.find((known) => isNearName(name, known) || known.startsWith(`${name}_`));
  return near === undefined ? "" : `. Did you mean ${near}?`;
}

function valueAt(file: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((value, key) => (value as Record<string, unknown>)[key], file);
}
