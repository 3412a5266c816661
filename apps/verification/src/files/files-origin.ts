import { isLoopback } from "@crosszone/service-kit";

/** Slack's clouds: where the Web API is, where files are, and where answers to slash commands go. https://docs.slack.dev/enterprise/govslack */
const clouds = [
  { api: "https://slack.com", files: "https://files.slack.com", hooks: "https://hooks.slack.com" },
  { api: "https://slack-gov.com", files: "https://files.slack-gov.com", hooks: "https://hooks.slack-gov.com" },
];

/** Whether a Web API URL is Slack's own, or on this machine: the bot's token is sent there. */
export function isSlackApi(url: string): boolean {
  const { origin, hostname } = new URL(url);
  return isLoopback(hostname) || clouds.some(({ api }) => api === origin);
}

/** Whether a URL is one of Slack's file hosts, or on this machine, and nothing but an origin. */
export function isFilesOrigin(url: string): boolean {
  const { origin, hostname, href } = new URL(url);
  return href === `${origin}/` && (isLoopback(hostname) || clouds.some(({ files }) => files === origin));
}

/** The file host that belongs to a Web API: the same cloud's, or for a Slack on this machine that one itself. */
export function filesOriginFor(apiUrl: string): string {
  const { origin } = new URL(apiUrl);
  return clouds.find(({ api }) => api === origin)?.files ?? origin;
}

/** Where answers to slash commands go that belong to a Web API: the same cloud's, or a Slack on this machine itself. */
export function hooksOriginFor(apiUrl: string): string {
  const { origin } = new URL(apiUrl);
  return clouds.find(({ api }) => api === origin)?.hooks ?? origin;
}
