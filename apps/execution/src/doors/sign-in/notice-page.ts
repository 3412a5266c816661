import type { ServerResponse } from "node:http";
import { plainPage } from "@crosszone/console";
import { answer } from "@crosszone/service-kit";

/** Why a sign-in ends without a session, for the person: the status, a title, and what to do. */
const notices = {
  start_again: [400, "Start again", "This sign-in took too long, was used before, or began in another browser."],
  bad_return: [400, "Start again", "The link leads to a page outside the console."],
  rejected: [403, "The sign-in was rejected", "The response of your identity provider is not valid. Start again."],
  no_groups: [
    403,
    "You have no access",
    "Your identity provider sent no groups. Ask an administrator to add the claim that groups_claim of the console file names.",
  ],
  overage: [
    403,
    "You have no access",
    "You are in too many groups, so your identity provider left them out. Ask an administrator to send app roles, or only the groups of this application.",
  ],
  no_role: [403, "You have no access", "None of your groups has a role. Ask an administrator to add one of them."],
  foreign_host: [403, "This is another address", "The console has one address, and signs people in only there."],
  too_many: [429, "Wait a little", "This address started too many sign-ins."],
  away: [
    503,
    "Sign-in is not possible right now",
    "Your identity provider or the zone can't be reached. People who are signed in stay signed in. Try again in a minute.",
  ],
} as const;

export type NoticeKind = keyof typeof notices;

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Sends a page that says why a sign-in ended, with a link to the console. `more`: a sentence, which is not from a sender. */
export function sendNotice(
  response: ServerResponse,
  kind: NoticeKind,
  { url, more = "", cookies }: { readonly url: string; readonly more?: string; readonly cookies: readonly string[] },
): void {
  const [status, title, text] = notices[kind];
  const content = `<p>${more === "" ? "" : `${more} `}${text}</p>\n<p><a href="${url}/console">Back to the console</a></p>`;
  const headers = ["referrer-policy", "no-referrer", ...cookies.flatMap((cookie) => ["set-cookie", cookie])];
  const body = plainPage(title, content);
  answer(response, status, { contentType: "text/html; charset=utf-8", body, policy, headers });
}
