import MarkdownIt from "markdown-it";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkdown } from "./markdown.ts";
import { richTextBlock } from "../../workspace/slack-text.ts";
import { mrkdwnWords } from "./rich-text.ts";

const render = createMarkdown(MarkdownIt);
const names = new Map([["U0BOB", "Bob <b>"]]);
const html = (source: string): string => render(source, names).trim();

const pieces = [...'< > [ ]( ) javascript: &#x ` * " onload= img https://a !'.split(" "), "\n", " "];

const tags =
  "p a em strong s code pre br hr ul ol li blockquote span h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split(" ");

describe("markdown", () => {
  it("renders what an answer is made of", () => {
    expect(html("**b** *i* ~~s~~ `c`")).toBe("<p><strong>b</strong> <em>i</em> <s>s</s> <code>c</code></p>");
    expect(html("|a|\n|-|\n|1|")).toContain("<td>1</td>");
    expect(html("```js\nx < 1\n```")).toContain("x &lt; 1");
    expect(html("a\nb")).toContain("<br>");
  });

  it("opens links in a new tab that cannot reach back", () => {
    const link = '<a href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow">';
    expect(html("[a](https://a.example/)")).toContain(link);
    expect(html("https://a.example/")).toContain(link);
    expect(html("<https://a.example/>")).toContain(link);
  });

  it("S18: shows mentions and broadcasts that Slack would read in Markdown, names escaped", () => {
    expect(html("hi <@U0BOB>")).toBe('<p>hi <span class="mention">@Bob &lt;b&gt;</span></p>');
    expect(html("<!channel>")).toBe('<p><span class="mention broadcast">@channel</span></p>');
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<!subteam^S1|<img src=x onerror=alert(1)>>",
    "<@U0BOB|<img src=x>>",
    "```\n</code></pre><script>alert(1)</script>\n```",
  ])("lets no HTML through: %j", (source) => {
    expect(html(source)).not.toMatch(/<(script|img|svg|a)\b/i);
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "[x]()",
    "[x](<>)",
    "[x](/control/stop)",
    "[x](#/traffic)",
  ])("refuses the target of %j", (source) => {
    expect(html(source)).not.toContain("href");
  });

  it("loads no picture from elsewhere: an image is its link", () => {
    expect(html("![p](https://a.example/p.png)")).not.toContain("<img");
    expect(html("![p](https://a.example/p.png)")).toContain('href="https://a.example/p.png"');
  });

  it("makes only known tags and allowed targets of any text", () => {
    const piece = fc.constantFrom(...pieces);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
        ),
        (source) => {
          const out = html(source);
          for (const [, tag] of out.matchAll(/<\/?([a-z0-9]+)/gi)) {
            expect(tags).toContain(tag);
          }
          for (const [, href] of out.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:|mailto:)/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

const elementsOf = (source: string): unknown[] => {
  const parts = richTextBlock(source, "").elements as { elements: { elements?: unknown[] }[] }[];
  return parts.flatMap(({ elements }) => elements.flatMap((one) => one.elements ?? [one]));
};

const localTime = new Date(1392734382_000).toLocaleTimeString("en-US", { timeStyle: "short" });

describe("references", () => {
  it.each<[string, object, string]>([
    ["<@U0BOB|bob>", { type: "user", user_id: "U0BOB" }, "@Bob <b>"],
    ["<#C0X|general>", { type: "channel", channel_id: "C0X" }, "#C0X"],
    ["<!channel>", { type: "broadcast", range: "channel" }, "@channel"],
    ["<!date^1392734382^{date_short_pretty} at {time}|Feb 18>", { type: "date" }, `Feb 18, 2014 at ${localTime}`],
    [`<!date^${Math.floor(Date.now() / 1_000)}^{date_pretty}|now>`, { type: "date" }, "today"],
    ["<!date^1392734382^{ago}|Feb 18>", { type: "date", timestamp: 1392734382, format: "{ago}" }, "Feb 18"],
    [
      "<https://a.example/?q=1&amp;r=2|the page>",
      { type: "link", url: "https://a.example/?q=1&r=2", text: "the page" },
      "the page (https://a.example/?q=1&r=2)",
    ],
    [
      "<mailto:a@b.example|a@b.example>",
      { type: "link", url: "mailto:a@b.example" },
      "a@b.example (mailto:a@b.example)",
    ],
    ["https://a.example/x", { type: "link", url: "https://a.example/x" }, "https://a.example/x"],
    ["&gt;&gt;&gt; a\nb", { type: "text", text: "a\nb" }, "> a\n> b"],
  ])("%s", (source, element, words) => {
    expect(elementsOf(source)).toMatchObject([element]);
    expect(mrkdwnWords(source, names)).toBe(words);
  });
});

const mrkdwnPieces = [..."* _ ~ ` ``` < > &gt; | @U1 !here javascript: http://a x".split(" "), "\n", " "];

describe("what an attacker writes", () => {
  it.each([
    "<javascript:alert(1)|click>",
    "<JaVaScRiPt:alert(1)>",
    "<java\tscript:alert(1)|x>",
    "<data:text/html,<script>alert(1)</script>|x>",
    "<vbscript:x|y>",
    "<file:///etc/passwd|x>",
    "<//evil.example|x>",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    '"><svg/onload=alert(1)>',
  ])("%j stays text", (source) => {
    expect(elementsOf(source)).toEqual([{ type: "text", text: source }]);
  });

  it("never throws, and makes only links that are allowed", () => {
    const piece = fc.constantFrom(...mrkdwnPieces);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 60 }).map((all) => all.join("")),
        ),
        (source) => {
          const links = (elementsOf(source) as { type: string; url: string }[]).filter(({ type }) => type === "link");
          for (const { url } of links) expect(url).toMatch(/^(https?:|mailto:)/);
          expect(() => mrkdwnWords(source, names)).not.toThrow();
        },
      ),
      { numRuns: 500 },
    );
  });
});
