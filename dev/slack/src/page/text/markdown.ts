import type MarkdownIt from "markdown-it";
import type { Names } from "./names.ts";
import { elementWords, mentionIn, safeHref } from "./rich-text.ts";

const newTab: readonly [string, string][] = [
  ["target", "_blank"],
  ["rel", "noopener noreferrer nofollow"],
];

/** Converts standard Markdown to HTML that is safe to insert into the page. */
export type RenderMarkdown = (source: string, names: Names) => string;

/**
 * Configures markdown-it for messages: raw HTML is text, links require a target that `safeHref` allows, images become links, and Slack's
 * `<@U…>`, `<#C…>` and `<!channel>` are mentions. Takes the constructor as an argument, because the page loads it from a URL and tests from
 * the package.
 */
export function createMarkdown(Constructor: typeof MarkdownIt): RenderMarkdown {
  const md = new Constructor({ html: false, linkify: true, breaks: true, typographer: false });
  md.validateLink = (url) => safeHref(url) !== undefined;
  md.disable("image");

  md.core.ruler.push("link_target", ({ tokens }) => {
    let tag = "a";
    // The page's security policy allows no inline styles.
    for (const token of tokens.filter(({ type }) => type === "th_open" || type === "td_open"))
      token.attrs = token.attrs?.map(([, style]) => ["align", String(style).replace("text-align:", "")]) ?? null;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "link_open") {
        const href = safeHref(String(token.attrGet("href")));
        tag = href === undefined ? "span" : "a";
        token.attrs = href === undefined ? null : [["href", href], ...newTab];
      }
      if (token.type === "link_open" || token.type === "link_close") token.tag = tag;
    }
  });
  md.inline.ruler.before("autolink", "slack_reference", (state, silent) => {
    const found = /^<([@#!][^<>\n]+)>/.exec(state.src.slice(state.pos, state.pos + 200));
    const mention = found && mentionIn(found[0]);
    if (!found || !mention) return false;
    if (!silent) {
      const { names } = state.env as { names: Names };
      state
        .push("mention_open", "span", 1)
        .attrSet("class", mention["type"] === "broadcast" ? "mention broadcast" : "mention");
      state.push("text", "", 0).content = elementWords(mention, names);
      state.push("mention_close", "span", -1);
    }
    state.pos += found[0].length;
    return true;
  });
  return (source, names) => md.render(source, { names });
}
