import { isMcpSection, type McpServerSettings, type ParamProblem } from "@crosszone/contracts";
import { durationMs, durationProblem } from "@crosszone/service-kit";
import { brokenMembers, settingsRow } from "@crosszone/service-kit/settings";

/** A server of the section `mcp`, times in milliseconds. */
export type DeclaredMcpServer = Omit<McpServerSettings, "timeout" | "start_timeout"> & {
  readonly timeout: number;
  readonly start_timeout?: number;
};

/** The section of the settings. */
export const mcpRow = settingsRow({
  schema: isMcpSection,
  absent: [],
  check: (servers, { refuse }): readonly DeclaredMcpServer[] => {
    const names = servers.map(({ name }) => name.toLowerCase());
    for (const [at, one] of servers.entries()) {
      // Names become names of tools, which models tell apart without case.
      const isRepeated = names.indexOf(names[at] ?? "") < at;
      const repeated = brokenMembers([[isRepeated, "/name", "is also the name of another server"]]);
      refuse(...[...repeated, ...problemsBetween(one)].map((of) => ({ ...of, pointer: `/${at}${of.pointer}` })));
    }
    return servers.map(({ timeout, start_timeout: start, ...one }) => ({
      ...one,
      timeout: durationMs(timeout),
      ...(start !== undefined && { start_timeout: durationMs(start) }),
    }));
  },
});

/** Returns what the schema of a server can't say is wrong with it. */
function problemsBetween(server: McpServerSettings): ParamProblem[] {
  const { url, command, token, oauth, args, env, cwd, start_timeout: start = "60s", timeout } = server;
  const [wrongTime, wrongStart] = [timeout, start].map((text) => durationProblem(text, { min: 100 }));
  const isOne = (oauth?.client_secret === undefined) !== (oauth?.private_key === undefined);
  const isStarted = (args ?? env ?? cwd ?? server.start_timeout) !== undefined;
  return brokenMembers([
    [url !== undefined && !URL.canParse(url), "/url", "is not a URL"],
    [oauth !== undefined && !URL.canParse(oauth.issuer), "/oauth/issuer", "is not a URL"],
    [wrongTime !== undefined, "/timeout", wrongTime],
    [wrongStart !== undefined, "/start_timeout", wrongStart],
    [(url === undefined) === (command === undefined), "", "needs one of url and command"],
    [oauth !== undefined && !isOne, "/oauth", "needs one of client_secret and private_key"],
    [token !== undefined && oauth !== undefined, "", "has both token and oauth: keep one"],
    [url === undefined && (token ?? oauth) !== undefined, "", "has a command: token and oauth are for a url"],
    [command === undefined && isStarted, "", "has a url: args, env, cwd and start_timeout are for a command"],
  ]);
}
