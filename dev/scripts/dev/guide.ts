import { samples } from "../../agents/src/samples/samples.ts";
import type { GuideSection } from "../../slack/src/protocol/guide.ts";
import type { AskAccess } from "./ask-access.ts";
import { commandPrefix } from "./banner.ts";
import type { DevEnvironment } from "./environment.ts";
import type { ZoneAccess } from "./zone-file.ts";

/** Returns the sections of the local Slack's page Connect: what to try next, with the ports and tokens of this start. */
export function guide(dev: DevEnvironment, access?: ZoneAccess, programs?: AskAccess): GuideSection[] {
  const own = `${commandPrefix(dev)}./crosszone`;
  const token = programs?.token ?? "<token>";
  const sections: (GuideSection | false)[] = [
    dev.samplesFile !== undefined && {
      title: "Ask a sample agent",
      text: "Sample agents are servers that execution calls over HTTP. Write to Crosszone:",
      lines: samples.map(({ name, example }) => `ask ${name}: ${example}`),
    },
    access !== undefined && {
      title: "Run a workflow",
      text: "A workflow coordinates several agents. The console draws each one while it runs.",
      lines: [
        dev.samplesFile === undefined
          ? `${own} workflows list`
          : `${own} run publish-text --input text="This is is a text."`,
        `${access.url}/console/runs`,
      ],
    },
    {
      title: dev.model === undefined ? "Connect a language model" : "Language model",
      text: "See docs/models.md.",
      lines: dev.modelLines,
    },
    access !== undefined && {
      title: "Connect your agent",
      text: "Any server that speaks A2A, or the simple JSON protocol in docs/agents.md.",
      lines: [`${own} agents add my-agent http://127.0.0.1:8090`],
    },
    programs !== undefined && {
      title: "Let a program ask",
      text: "Over MCP, or over A2A with the same token. See docs/programs.md.",
      lines: [
        `claude mcp add --transport http crosszone ${programs.url}/mcp --header "Authorization: Bearer ${token}"`,
        `${programs.url}/a2a/builtin/`,
      ],
    },
  ];
  return sections.filter((section) => section !== false);
}
