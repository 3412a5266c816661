/** The path of the install page, and the path of the redirect from Slack. */
export const installPath = "/slack/install";
export const redirectPath = "/slack/oauth_redirect";
