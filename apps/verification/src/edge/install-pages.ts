import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answer } from "@crosszone/service-kit";

/** A page of plain text for a person. */
interface TextPage {
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
  { page, headers = [] }: { readonly page: TextPage; readonly headers?: readonly string[] },
): void {
  answer(response, status, {
    contentType: "text/html; charset=utf-8",
    body: render(page),
    policy: contentSecurityPolicy,
    headers: ["referrer-policy", "no-referrer", ...headers],
  });
}

function render({ title, paragraphs, link }: TextPage): string {
  const text = paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`);
  if (link !== undefined) text.push(`<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p>`);
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

/** The path of the install page, and the path of the redirect from Slack. */
export const installPath = "/slack/install";
export const redirectPath = "/slack/oauth_redirect";

const nothing = "Nothing was installed.";
/** Used where Slack may have completed its part of the installation, but Crosszone has not. */
const unfinished = "The app does not answer yet, even if Slack already shows it as installed.";

/** A page, and its HTTP status, by default 400. It links to the install page, unless a second try cannot help. */
type RefusalPage = TextPage & { readonly status?: number; readonly isFinal?: true };

/** Why an install flow ended without an installation, and the page that says so. */
export const installRefusals = {
  canceled: { status: 403, title: "Not installed", paragraphs: [`You did not allow it in Slack. ${nothing}`] },
  other_browser: {
    title: "Started in another browser",
    paragraphs: [
      `Finish the installation in the browser and the tab where you last started it. ${nothing}`,
      "Allow cookies for this site.",
    ],
  },
  state_invalid: {
    title: "This link is incomplete",
    paragraphs: [`It does not come from our install page. ${nothing}`],
  },
  state_expired: { title: "This took too long", paragraphs: [`The ten-minute limit has passed. ${nothing}`] },
  state_spent: {
    title: "Already done",
    paragraphs: ["Slack's link works only once. If the app was installed, it is still installed."],
  },
  no_code: { title: "Slack did not confirm", paragraphs: [`Slack sent you back without a code. ${nothing}`] },
  code_refused: {
    title: "This code has expired",
    paragraphs: [`Slack's code has expired or was already used. ${nothing}`],
  },
  team_not_listed: {
    status: 403,
    title: "This workspace is not on the list",
    paragraphs: [
      `Only workspaces chosen by the people who run this service can install the app. ${nothing}`,
      "Ask them to add your workspace's id.",
    ],
    isFinal: true,
  },
  no_bot: {
    title: "Slack returned no bot",
    paragraphs: [`The app needs a bot user, but Slack returned none. ${nothing}`],
  },
  too_many: {
    status: 429,
    title: "Too many installations",
    paragraphs: [`Many people are installing the app right now. ${nothing} Please try again in a minute.`],
  },
  slack_refused: {
    status: 502,
    title: "Slack did not accept this service",
    paragraphs: [`${nothing} This is not your fault. Please tell the people who run this service.`],
    isFinal: true,
  },
  slack_unavailable: {
    status: 502,
    title: "Slack cannot be reached",
    paragraphs: [`${unfinished} This is not your fault. Please try again in a moment.`],
  },
  internal: {
    status: 500,
    title: "Something went wrong here",
    paragraphs: [`${unfinished} This is not your fault. Please try again in a moment.`],
  },
} satisfies Record<string, RefusalPage>;

export type InstallRefusal = keyof typeof installRefusals;

/** Returns the page for an install flow that failed, with its HTTP status; `reference` identifies it in the log. */
export function refusalPage(refusal: InstallRefusal, reference: string): RefusalPage {
  const page: RefusalPage = installRefusals[refusal];
  return {
    ...page,
    paragraphs: [...page.paragraphs, `Reference: ${reference}`],
    link: page.isFinal === true ? undefined : { text: "Start again", href: installPath },
  };
}

/** Returns the page that starts the installation. `href` is Slack's authorization page. */
export function installPage(app: string, href: string): TextPage {
  return {
    title: `Add ${app} to Slack`,
    paragraphs: [
      "Slack will show the app's permissions in your workspace and ask you to allow them. You can remove the app there at any time.",
    ],
    link: { text: "Add to Slack", href },
  };
}

/** Returns the page for a completed installation. `where` is the name of the workspace or organization. */
export function installedPage(app: string, where: string): TextPage {
  return {
    title: `${app} is installed`,
    paragraphs: [
      `It is ready in ${where}. Send it a message there, or mention it in a channel. You can close this page.`,
    ],
  };
}
