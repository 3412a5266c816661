import { isMcpSection, type McpServerSettings } from "@crosszone/contracts";
import { durationMs, durationProblem } from "@crosszone/service-kit";
import { settingsRow } from "@crosszone/service-kit/settings";

/** A server of the section `mcp`, times in milliseconds. */
export type DeclaredMcpServer = Omit<McpServerSettings, "timeout" | "start_timeout"> & {
  readonly timeout: number;
  readonly start_timeout?: number;
};

const leastMs = 100;

/** The section of the settings. */
export const mcpRow = settingsRow({
  schema: isMcpSection,
  absent: [],
  check: (servers, { refuse }): readonly DeclaredMcpServer[] => {
    const names = servers.map(({ name }) => name.toLowerCase());
    for (const [at, one] of servers.entries()) {
      // Names become names of tools, which models tell apart without case.
      if (names.indexOf(names[at] ?? "") < at)
        refuse({ pointer: `/${at}/name`, message: "is also the name of another server" });
      for (const [member, message] of problemsBetween(one)) refuse({ pointer: `/${at}${member}`, message });
    }
    return servers.map(({ timeout, start_timeout: start, ...one }) => ({
      ...one,
      timeout: durationMs(timeout),
      ...(start !== undefined && { start_timeout: durationMs(start) }),
    }));
  },
});

/** Returns what the schema of a server can't say is wrong with it. */
function problemsBetween(server: McpServerSettings): (readonly [member: string, message: string])[] {
  const { url, command, token, oauth, args, env, cwd, start_timeout: start, timeout } = server;
  const addresses = [["/url", url] as const, ["/oauth/issuer", oauth?.issuer] as const];
  const spans = [["/timeout", timeout] as const, ["/start_timeout", start] as const];
  const isOne = (oauth?.client_secret === undefined) !== (oauth?.private_key === undefined);
  return [
    ...addresses.flatMap(([member, address]) =>
      address === undefined || URL.canParse(address) ? [] : [[member, "is not a URL"] as const],
    ),
    ...spans.flatMap(([member, text]) => {
      const wrong = text === undefined ? undefined : durationProblem(text, { min: leastMs });
      return wrong === undefined ? [] : [[member, wrong] as const];
    }),
    ...(
      [
        [(url === undefined) === (command === undefined), "", "needs one of url and command"],
        [oauth !== undefined && !isOne, "/oauth", "needs one of client_secret and private_key"],
        [token !== undefined && oauth !== undefined, "", "has both token and oauth: keep one"],
        [url === undefined && (token ?? oauth) !== undefined, "", "has a command: token and oauth are for a url"],
        [
          command === undefined && (args ?? env ?? cwd ?? start) !== undefined,
          "",
          "has a url: args, env, cwd and start_timeout are for a command",
        ],
      ] as const
    ).flatMap(([isWrong, member, message]) => (isWrong ? [[member, message] as const] : [])),
  ];
}
