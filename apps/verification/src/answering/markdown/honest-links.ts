import { fenceAfter, type Fence } from "./fence.ts";

/** Matches inline code, Markdown links with the address in `<…>` or bare, and Slack's own `<address|label>`. */
const linkOrCode = new RegExp(
  [
    String.raw`(?<code>(?<!\x60)(?<ticks>\x60{1,10})(?!\x60)[^\n]{1,2000}?(?<!\x60)\k<ticks>(?!\x60))`,
    String.raw`\[(?<label>(?:[^[\]\\\n]|\\.){1,500})\]\([ \t]*(?:<(?<angle>[^<>\n]{1,2000})>|(?<bare>(?:[^\s<>()]|\([^\s<>()]{0,200}\)){1,2000}))(?:[ \t]+["'(][^\n]{0,500}?["')])?[ \t]*\)`,
    String.raw`<(?<slack>https?:[^|<>\s]{1,2000})\|(?<slackLabel>[^<>\n]{1,500})>`,
  ].join("|"),
  "giu",
);

/** Text that looks like an address: a host, with or without a scheme. */
const address =
  /(?:https?:\/\/)?(?:[^\s/@]{1,200}@)?((?:[\p{L}\p{N}-]{1,63}\.){1,10}[\p{L}\p{N}-]{2,63})(?![\p{L}\p{N}@])/giu;
const decoration = /[*_~`\\\u200B-\u200F\u2060\uFEFF]/gu;

/**
 * Returns Markdown in which no link hides its target. When a label names a different host, the link's host follows the link:
 * `[https://bank.example](https://evil.example) (evil.example)`. Code is unchanged.
 */
export function honestLinks(text: string): string {
  let fence: Fence | undefined;
  return text
    .split("\n")
    .map((line) => {
      const before = fence;
      fence = fenceAfter(line, before);
      return before !== undefined || fence !== undefined ? line : honestLine(line);
    })
    .join("\n");
}

function honestLine(line: string): string {
  if (!line.includes("](") && !line.includes("|")) return line;
  return line.replace(linkOrCode, (found: string, ...rest: unknown[]) => {
    const { label, angle, bare, slack, slackLabel } = rest.at(-1) as Record<string, string | undefined>;
    const host = hostOf(slack ?? angle ?? bare ?? "");
    const named = namedHosts(label ?? slackLabel ?? "");
    return host === undefined || named.every((one) => one === host) ? found : `${found} (${host})`;
  });
}

function namedHosts(label: string): string[] {
  const plain = label.replace(decoration, "");
  return [...plain.matchAll(address)].flatMap(([, named = ""]) => hostOf(`https://${named}`) ?? []);
}

/** Returns the host in lower-case ASCII without `www.`; undefined when the address is not an HTTP URL. */
function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url.replaceAll("&amp;", "&"));
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.host.replace(/^www\./, "") : undefined;
}
