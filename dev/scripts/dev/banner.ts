import type { DevEnvironment } from "./environment.ts";
import type { ZoneAccess } from "./zone-file.ts";

/** Returns the text to print when everything is up: where to write, where to look, and how to go on. The rest is on the page Connect. */
export function banner(dev: DevEnvironment, access?: ZoneAccess): string {
  const slack = dev.services.find(({ name }) => name === "dev-slack")?.url;
  const rows = [
    ["Slack", slack ?? "your workspace: write to the app, or mention it in a channel"],
    ...(access ? [["Console", `${access.url}/console#token=${encodeURIComponent(access.token)}`]] : []),
    ...(slack === undefined
      ? []
      : [["Chat", `./crosszone chat${slack.endsWith(":3100") ? "" : ` --url ${slack}`} "2+2 in words?"`]]),
    ["Help", `${commandPrefix(dev)}./crosszone --help`],
  ];
  return [
    "",
    `  Crosszone is up${dev.model === undefined ? "" : `, with ${dev.model}`}. Ctrl-C stops everything.`,
    "",
    ...rows.map(([name = "", text = ""]) => `  ${name.padEnd(9)}${text}`),
    ...dev.notices.flatMap((notice) => ["", `  ${notice}`]),
    "",
    "",
  ].join("\n");
}

/** Returns what precedes `./crosszone` so that it finds the zone of this start, which it does by the port of verification. */
export function commandPrefix({ services, localSlack }: DevEnvironment): string {
  const port = services.find(({ variable }) => variable === "VERIFICATION_PORT")?.port;
  return localSlack && port !== undefined && port !== 3000 ? `VERIFICATION_PORT=${port} ` : "";
}
