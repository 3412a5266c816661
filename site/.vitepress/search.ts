import { relative } from "node:path";
import type { DefaultTheme } from "vitepress";
import { isForContributors, root, siteFile } from "./pages.ts";

type Options = NonNullable<DefaultTheme.LocalSearchOptions["miniSearch"]>;

/** Words that people search for and that a page says in other words, by the page's file. */
const otherWords: Readonly<Record<string, string>> = {
  "docs/approvals.md": "approve reject confirm sign off ask a person human in the loop HITL permission four eyes",
  "docs/audit.md":
    "audit trail see who did what who changed who acted activity compliance SOC evidence tamper proof history SIEM export",
  "docs/backup.md": "back up backup restore disaster recovery snapshot copy database",
  "docs/tokens.md":
    "API key secret rotate revoke leaked stolen credentials scope permission service account SSO single sign-on login OIDC Okta Entra identity provider roles permissions rights",
  "docs/programs.md": "SSO single sign-on OIDC OAuth SAML call from code integrate client SDK Claude Cursor",
  "docs/hooks.md": "webhook GitHub Stripe HTTP callback trigger start automatically incoming event integration",
  "docs/security.md": "threat model wall protect secure injection who can ask restrict allow deny permissions roles",
  "docs/durability.md":
    "crash outage was down offline lost missed message exactly once delete retention GDPR privacy how long is data kept",
  "docs/console.md": "console operators runs approvals audit page browser sign in keys",
  "docs/operations.md":
    "monitor alert dashboard Grafana Prometheus on call incident run in production restrict channels users allow who can ask only some people policy",
  "docs/troubleshooting.md":
    "error problem does not work no answer not responding silent stuck broken debug why agent times out timed out too slow",
  "docs/upgrade.md": "update new version migrate roll back without downtime release",
  "docs/models.md":
    "LLM language model OpenAI Anthropic Claude Bedrock Azure Ollama local cost price budget spending limit prompt",
  "docs/agents.md":
    "register add connect agent ask the user input timeout times out timed out retry slow credentials secret file",
  "docs/workflows.md": "pipeline chain orchestrate several agents multi-step plan DAG stop cancel retry a run",
  "docs/schedules.md": "cron timer recurring job report every day every morning daily weekly time zone daylight saving",
  "docs/limits.md": "quota maximum size too large rate",
  "docs/proxy.md": "corporate firewall egress TLS inspection",
  "docs/openshift.md": "OpenShift random uid",
  "docs/platforms.md": "run on Windows run on Mac Linux ARM supported operating system Node version browser",
  "docs/bus.md": "Kafka queue broker scale out",
  "docs/runtimes.md": "AWS Azure Google Cloud Run serverless where to run the execution zone mutual TLS",
  "docs/comparison.md": "alternatives versus competitors difference why",
  "docs/status.md": "roadmap planned production ready stable missing",
  "docs/quickstart/local.md": "install get started try demo first steps",
  "docs/quickstart/slack.md": "bot token app manifest socket mode workspace install Slack app",
  "docs/quickstart/agent.md": "connect bring my own agent existing A2A server register",
  "docs/quickstart/write-an-agent.md": "create build make agent Python TypeScript JavaScript Go SDK kit hello world",
  "docs/quickstart/agent-dev.md": "test debug my agent without Slack locally",
  "docs/quickstart/mcp.md": "connect tools MCP server give the assistant tools",
  "docs/quickstart/docker.md": "compose container image self-host install on a server",
  "docs/quickstart/kubernetes.md": "helm cluster k8s manifests deploy",
  "docs/quickstart/aws.md": "Amazon Bedrock AgentCore deploy cloud",
  "docs/quickstart/workflow.md": "first workflow create",
  "docs/concepts.md": "how it works architecture overview zones",
  "docs/migrate-agents.md": "move agents switch protocol rollback A2A version 0.3 1.0",
  "docs/reference/configuration.md": "environment variables settings options env configure",
  "docs/reference/telemetry.md": "Prometheus metrics alerts monitoring",
  "docs/reference/log-events.md": "log format logs JSON lines logging events",
  "docs/reference/conformance.md": "does my agent comply compliance check validate test an agent",
  "docs/reference/workflow-steps.md":
    "loop over a list for each condition if else branch parallel step types mapping timer delay sleep wait event signal sub-workflow child prompt model",
  "docs/reference/commands.md": "CLI terminal shell crosszone options flags completion",
  "docs/reference/api.md": "REST HTTP API endpoints curl OpenAPI automate script",
  "docs/reference/works-with.md": "compatible SDK framework tested supported clients",
};

const wordsAt = new Map(
  Object.entries(otherWords).map(([file, words]) => [`/${siteFile(file)?.replace(/\.md$/, "")}`, words]),
);

interface Section extends Readonly<Record<"id" | "title" | "text", string>> {
  readonly titles: readonly string[];
}

// The browser gets these functions as text, so that they use nothing from outside of them.
const options = {
  fields: ["title", "titles", "text", "words"],
  extractField: (section: Section, field: keyof Section | "words") => {
    if (field !== "words") return section[field];
    // The first section speaks for its page.
    return section.titles.length === 0 ? (wordsAt.get(section.id.replace(/#.*/, "")) ?? "") : "";
  },
  processTerm: (term: string) => {
    const word = term.toLowerCase();
    const said =
      /^(a|about|all|am|an|and|any|are|as|at|be|by|can|did|do|does|for|from|get|has|have|how|i|if|in|into|is|it|its|let|may|me|my|no|not|of|on|or|our|so|than|that|the|their|them|then|there|they|this|to|up|use|using|want|was|we|what|when|where|which|why|will|with|you|your)$/;
    if (said.test(word)) return null;
    // One form for the most frequent endings: "approvals" and "approval", "retries" and "retry".
    if (word.length < 5 || /(ss|us|is)$/.test(word)) return word;
    return word.replace(/ies$/, "y").replace(/s$/, "");
  },
};

const searchOptions: Options["searchOptions"] = {
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  boost: { title: 4, words: 4, text: 1.5, titles: 1 },
  // A page comes before the sections of others that have its name.
  boostDocument: (id, _term, stored) =>
    (String(id).startsWith("/types/") ? 0.3 : String(id).startsWith("/reference/") ? 0.6 : 1) *
    ((stored?.["titles"] as readonly string[] | undefined)?.length === 0 ? 1.5 : 1),
};

/** What a page of types is found by: its headings, and the names of members. The pages of what uses the types say the rest. */
const namesIn = (text: string): string =>
  text.replaceAll(/^[^#\n].*$/gm, (line) => /^\| *(`[^`]+`)/.exec(line)?.[1] ?? "");

/** Returns the text that the search has of a page. */
function searchedText(text: string, page = ""): string {
  if (isForContributors(page)) return "";
  return page.startsWith("types/") ? namesIn(text) : text;
}

/** The search of the site, in an index that the browser loads with the first search. */
export const search: { provider: "local"; options: DefaultTheme.LocalSearchOptions } = {
  provider: "local",
  options: {
    _render: (text, env, md) => md.render(searchedText(text, siteFile(relative(root, env.path))), env),
    miniSearch: { options: options as Options["options"], searchOptions },
  },
};
