/** Invisible, does not break a word for readers, and disables Slack's syntax. ZERO WIDTH SPACE. */
const gap = "\u200B";

const less = "(?:<|&lt;|&#0*60;|&#x0*3c;)";
const at = "(?:@|&#0*64;|&#x0*40;|&commat;)";
const bang = "(?:!|&#0*33;|&#x0*21;|&excl;)";

/** `<!…` and `<@…`, including entities and backslashes that a Markdown parser removes. */
const control = new RegExp(`(${less})(?=\\\\*(?:${at}|${bang}))`, "gi");
/** `@channel` and similar words that some clients turn into mentions; excludes the host of an e-mail address. */
const broadcast = new RegExp(`(?<![\\p{L}\\p{N}_.+-])(${at})(?=\\\\*(?:channel|here|everyone|group))`, "giu");
const person = /^<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/;
const date = /^<!date\^/;

/**
 * Returns a text that notifies only `people`: `<!channel>`, `<!subteam^…>`, other mentions and `@here` stay readable but have no effect, in
 * prose and in code. Dates (`<!date^…>`) send no notification and stay unchanged. The function is idempotent.
 * https://docs.slack.dev/messaging/formatting-message-text#special-mentions
 */
export function neutraliseMentions(text: string, people: ReadonlySet<string> = new Set()): string {
  return text
    .replaceAll(control, (found: string, _group, index: number) => {
      const rest = text.slice(index);
      const mentioned = person.exec(rest)?.[1];
      const harmless = (mentioned !== undefined && people.has(mentioned)) || date.test(rest);
      return harmless ? found : `${found}${gap}`;
    })
    .replaceAll(broadcast, `$1${gap}`);
}
