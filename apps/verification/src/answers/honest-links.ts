import { fenceAfter, type Fence } from "./fence.ts";

/** Inline code, which holds no links; then Markdown links, with the address in `<…>` or bare; then Slack's own `<address|label>`. */
const linkOrCode = new RegExp(
  [
    String.raw`(?<code>(?<!\x60)(?<ticks>\x60{1,10})(?!\x60)[^\n]{1,2000}?(?<!\x60)\k<ticks>(?!\x60))`,
    String.raw`\[(?<label>(?:[^[\]\\\n]|\\.){1,500})\]\([ \t]*(?:<(?<angle>[^<>\n]{1,2000})>|(?<bare>(?:[^\s<>()]|\([^\s<>()]{0,200}\)){1,2000}))(?:[ \t]+["'(][^\n]{0,500}?["')])?[ \t]*\)`,
    String.raw`<(?<slack>https?:[^|<>\s]{1,2000})\|(?<slackLabel>[^<>\n]{1,500})>`,
  ].join("|"),
  "giu",
);

/** What a reader takes for an address: a host, behind a scheme or by itself. */
const address =
  /(?:https?:\/\/)?(?:[^\s/@]{1,200}@)?((?:[\p{L}\p{N}-]{1,63}\.){1,10}[\p{L}\p{N}-]{2,63})(?![\p{L}\p{N}@])/giu;
const decoration = /[*_~`\\\u200B-\u200F\u2060\uFEFF]/gu;

/**
 * Markdown in which no link hides where it leads: behind a label that names another host than the link's, the link's host is added, as in
 * `[https://bank.example](https://evil.example) (evil.example)`. Code is left alone.
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

/** Lower case, in ASCII, without `www.`; nothing when it is no address of a web page. */
function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url.replaceAll("&amp;", "&"));
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.host.replace(/^www\./, "") : undefined;
}
