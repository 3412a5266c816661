import { isLoopback } from "@crosszone/service-kit";

/** Slack's clouds: the origins of the Web API, of files, and of answers to slash commands. https://docs.slack.dev/enterprise/govslack */
const clouds = [
  { api: "https://slack.com", files: "https://files.slack.com", hooks: "https://hooks.slack.com" },
  { api: "https://slack-gov.com", files: "https://files.slack-gov.com", hooks: "https://hooks.slack-gov.com" },
];

/** Returns true if a Web API URL is Slack's own or on this machine, because the bot's token is sent there. */
export function isSlackApi(url: string): boolean {
  const { origin, hostname } = new URL(url);
  return isLoopback(hostname) || clouds.some(({ api }) => api === origin);
}

/** Returns the file host of a Web API: that of the same cloud, or the origin itself for a local Slack. */
export function filesOriginFor(apiUrl: string): string {
  const { origin } = new URL(apiUrl);
  return clouds.find(({ api }) => api === origin)?.files ?? origin;
}

/** Returns the origin for answers to slash commands of a Web API: that of the same cloud, or the origin itself for a local Slack. */
export function hooksOriginFor(apiUrl: string): string {
  const { origin } = new URL(apiUrl);
  return clouds.find(({ api }) => api === origin)?.hooks ?? origin;
}
