import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answerHeaders } from "@crosszone/service-kit";

/** A page of plain text for a person. */
export interface Page {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly link?: { readonly text: string; readonly href: string };
}

const style =
  "body{max-width:36rem;margin:15vh auto;padding:0 1.5rem;font:1.125rem/1.6 system-ui,sans-serif;color-scheme:light dark}";

/** The page loads, runs, frames and sends nothing; the policy allows its own style by hash. https://www.w3.org/TR/CSP3/ */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Ends a response with a page. Its URL may contain Slack's code, so no referrer is sent to other sites. */
export function answerPage(
  response: ServerResponse,
  status: number,
  { page, headers = [] }: { readonly page: Page; readonly headers?: readonly string[] },
): void {
  const body = render(page);
  const standard = answerHeaders(response);
  const kept = standard.filter((_text, at) => standard[at - (at % 2)] !== "content-security-policy");
  const own = {
    "content-type": "text/html; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "content-security-policy": contentSecurityPolicy,
    "referrer-policy": "no-referrer",
  };
  response.writeHead(status, [...Object.entries(own).flat(), ...kept, ...headers]);
  response.end(body);
}

function render({ title, paragraphs, link }: Page): string {
  const text = [
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    ...(link === undefined ? [] : [`<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p>`]),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${text.join("\n")}
</main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
