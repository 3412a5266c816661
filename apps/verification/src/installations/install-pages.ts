import type { Page } from "./answer-page.ts";
import type { InstallRefusal } from "./install-refusal.ts";

const nothing = "Nothing was installed.";
/** Where Slack may have installed the app before it was known here. */
const unfinished = "The app does not answer yet, though Slack may show it as installed already.";

type Words = Omit<Page, "link"> & { readonly again: boolean };

const refusals: Readonly<Record<InstallRefusal, Words>> = {
  canceled: { title: "Not installed", paragraphs: [`You did not allow it in Slack. ${nothing}`], again: true },
  other_browser: {
    title: "This was begun elsewhere",
    paragraphs: [
      `Installing ends in the browser where it began, and in the last tab where it began. ${nothing}`,
      "Cookies have to be allowed for this site.",
    ],
    again: true,
  },
  state_invalid: {
    title: "This address is not complete",
    paragraphs: [`It does not come from our install page. ${nothing}`],
    again: true,
  },
  state_expired: { title: "This took too long", paragraphs: [`Ten minutes are over. ${nothing}`], again: true },
  state_spent: {
    title: "This was done already",
    paragraphs: ["The address that Slack sent you to is good once. If the app was installed, it is still installed."],
    again: true,
  },
  no_code: {
    title: "Slack did not say yes",
    paragraphs: [`Slack sent you back without a code. ${nothing}`],
    again: true,
  },
  code_refused: {
    title: "Slack does not know this code any more",
    paragraphs: [`The code that Slack gave you is over, or was used. ${nothing}`],
    again: true,
  },
  team_not_listed: {
    title: "This workspace is not on the list",
    paragraphs: [
      `Only workspaces that the people who run this service have named may install the app. ${nothing}`,
      "Ask them to add yours, by its id.",
    ],
    again: false,
  },
  no_bot: {
    title: "Slack gave no bot",
    paragraphs: [`The app needs a bot user, and Slack gave none. ${nothing}`],
    again: true,
  },
  too_many: {
    title: "Too many at once",
    paragraphs: [`Many people install the app at this moment. ${nothing} Please wait a minute.`],
    again: true,
  },
  slack_refused: {
    title: "Slack did not accept this service",
    paragraphs: [`${nothing} This is not your doing: please tell the people who run this service.`],
    again: false,
  },
  slack_unavailable: {
    title: "Slack cannot be reached",
    paragraphs: [`${unfinished} This is not your doing: please try again in a moment.`],
    again: true,
  },
  internal: {
    title: "Something went wrong here",
    paragraphs: [`${unfinished} This is not your doing: please try again in a moment.`],
    again: true,
  },
};

/** What a person is told whose install did not succeed; `reference` finds it in the log. */
export function refusalPage(
  refusal: InstallRefusal,
  { installPath, reference }: { installPath: string; reference: string },
): Page {
  const { title, paragraphs, again } = refusals[refusal];
  return {
    title,
    paragraphs: [...paragraphs, `Reference: ${reference}`],
    ...(again && { link: { text: "Start again", href: installPath } }),
  };
}

/** Where it begins. `href` is Slack's own page, where it is asked. */
export function installPage(app: string, href: string): Page {
  return {
    title: `Add ${app} to Slack`,
    paragraphs: [
      "Slack will show what the app may do in your workspace, and ask you to allow it. You can remove it there at any time.",
    ],
    link: { text: "Add to Slack", href },
  };
}

/** `where` is the name of the workspace or organisation. */
export function installedPage(app: string, where: string): Page {
  return {
    title: `${app} is installed`,
    paragraphs: [`It is ready in ${where}. Write to it there, or mention it in a channel. You can close this page.`],
  };
}
