/** Where an install begins, and where Slack sends people back to. */
export const installPath = "/slack/install";
export const redirectPath = "/slack/oauth_redirect";
