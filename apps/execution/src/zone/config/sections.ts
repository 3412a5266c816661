import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  type AgentChecks,
  type CardRules,
  agentsRow,
  cardKeysRow,
  createAdapters,
  createAddressRules,
  createSecretRules,
  createSecretSource,
} from "@crosszone/agent-bridge";
import { chooseModel } from "@crosszone/assistant";
import {
  type AgentSettings,
  isProgramsSection,
  type NewSchedule,
  type ParamProblem,
  type ProgramGrant,
  type ProgramsSection,
} from "@crosszone/contracts";
import { type Environment, isReadableOnTheWay } from "@crosszone/service-kit";
import { type SectionJudge, type SettingsRows, settingsRow } from "@crosszone/service-kit/settings";
import { assistantRow, type AssistantSettings, modelJudge } from "../../agents/assistant/assistant-settings.ts";
import { type DeclaredMcpServer, mcpRow } from "../../agents/assistant/mcp-settings.ts";
import { hooksRow, type ReadHooks } from "../../fires/hook-settings.ts";
import { schedulesRow } from "../../fires/schedule-settings.ts";
import { type ApprovalPolicy, approvalsRow } from "../../people/approvals.ts";
import { consoleRow, type ConsoleSettings } from "../../people/sign-in/console-settings.ts";
import type { AskSettings } from "../../tasks/ask/asker.ts";
import type { ExecutionConfig } from "./variables.ts";

/** What each section of the execution zone decides. Undefined for an absent one that decides nothing. */
export interface ExecutionSettings {
  readonly card_keys: Parameters<CardRules["trust"]>[0];
  readonly agents: readonly AgentSettings[] | undefined;
  readonly programs: AskSettings;
  readonly hooks: ReadHooks;
  readonly schedules: readonly NewSchedule[] | undefined;
  readonly mcp: readonly DeclaredMcpServer[];
  readonly approvals: ApprovalPolicy;
  readonly console: ConsoleSettings | undefined;
  readonly assistant: AssistantSettings;
}

/** Reads what a section decides now. Rejects with a `FileProblemsError` when it can't be used. */
export type ReadSection = <Name extends keyof ExecutionSettings>(name: Name) => Promise<ExecutionSettings[Name]>;

/** Creates the rows of the sections. Variables that could not be read are absent. */
export function executionSections(config: ExecutionConfig, environment: Environment): SettingsRows<ExecutionSettings> {
  const { read } = createSecretSource({ environment, dir: config.AGENT_SECRETS_DIR });
  return {
    card_keys: cardKeysRow,
    agents: agentsRow(agentChecks(config)),
    programs: settingsRow({
      schema: isProgramsSection,
      absent: {},
      check: (section, judge): AskSettings => {
        checkPrograms(section, judge, config.ASK_URL);
        if (section.card_key === undefined) return section;
        const path = resolve(dirname(judge.placeOf("/card_key").path), section.card_key);
        const { key: cardKey, wrong } = readCardKey(path);
        if (wrong !== undefined) judge.refuse({ pointer: "/card_key", message: wrong });
        return { ...section, cardKey };
      },
    }),
    hooks: hooksRow(read),
    schedules: schedulesRow,
    mcp: mcpRow,
    approvals: approvalsRow,
    console: consoleRow,
    assistant: assistantRow(modelJudge(config)),
  };
}

/**
 * Refuses programs that can't be told apart or verified. Without ASK_URL each issuer needs an `audience`: otherwise a token for another service
 * would be accepted.
 */
function checkPrograms({ issuers, askers }: ProgramsSection, { refuse }: SectionJudge, askUrl?: string): void {
  const names = issuers.map((one) => one.issuer);
  refuse(...twice(names, "issuers"), ...twice(askers.map(holderOf), "askers"));
  for (const [at, { audience, ...urls }] of issuers.entries()) {
    if (audience === undefined && askUrl === undefined)
      refuse({ pointer: `/issuers/${at}`, message: "needs an audience, because ASK_URL is not set" });
    for (const [name, url] of Object.entries(urls))
      if (isReadableOnTheWay(url))
        refuse({ pointer: `/issuers/${at}/${name}`, message: "uses http: to another machine: use https:" });
  }
  for (const [at, { token, subject }] of askers.entries()) {
    if ((token === undefined) === (subject === undefined))
      refuse({ pointer: `/askers/${at}`, message: "needs token or subject, not both" });
    if (subject === undefined) continue;
    if ((subject.sub === undefined) === (subject.email === undefined))
      refuse({ pointer: `/askers/${at}/subject`, message: "needs sub or email, not both" });
    if (!names.includes(subject.issuer))
      refuse({ pointer: `/askers/${at}/subject/issuer`, message: "names an issuer that issuers does not have" });
  }
}

const holderOf = ({ token, subject: by }: ProgramGrant): string =>
  token ?? JSON.stringify([by?.issuer, by?.sub, by?.email]);

const twice = (names: readonly string[], list: string): ParamProblem[] =>
  names.flatMap((name, at) =>
    names.indexOf(name) < at ? [{ pointer: `/${list}/${at}`, message: "is in the list twice" }] : [],
  );

/** Returns a private key in PEM, or what is wrong with its file. */
function readCardKey(path: string): { readonly key?: string; readonly wrong?: string } {
  try {
    const key = readFileSync(path, "utf8");
    const { asymmetricKeyType: type = "", asymmetricKeyDetails: details } = createPrivateKey(key);
    if (["rsa", "ed25519"].includes(type) || details?.namedCurve === "prime256v1") return { key };
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) return { wrong: `names a file that can't be read (${code})` };
  }
  return { wrong: "names a file without a private key of P-256, RSA or Ed25519 in PEM" };
}

/** Why a section has no effect in any process with these variables, by its name. */
export const withoutEffect = (config: ExecutionConfig): Partial<Record<keyof ExecutionSettings, string>> => ({
  ...(chooseModel(config) === undefined && {
    assistant: "no language model is connected: set MODEL or a key",
    mcp: "no language model is connected: set MODEL or a key",
  }),
  ...(config.ASK_PORT === undefined && { programs: "ASK_PORT is not set", hooks: "ASK_PORT is not set" }),
  ...(config.CONSOLE_URL === undefined && { console: "CONSOLE_URL is not set" }),
});

/** Returns the rows of the sections that this process uses. */
export function usedSections(
  config: ExecutionConfig,
  { programs, console, assistant, ...always }: SettingsRows<ExecutionSettings>,
): Partial<SettingsRows<ExecutionSettings>> {
  const idle = withoutEffect(config);
  const hasModel = config.EXECUTION_ROLES.includes("rpc") && !("assistant" in idle);
  return {
    ...always,
    ...(!("programs" in idle) && { programs }),
    ...(!("console" in idle) && config.HOST_PROFILE !== "agentcore" && { console }),
    ...(hasModel && { assistant }),
  };
}

/** Returns the checks of an agent's settings. */
export const agentChecks = (config: ExecutionConfig): AgentChecks => ({
  protocol: createAdapters().adapterOf,
  url: createAddressRules({ origins: config.AGENT_ORIGINS }).check,
  secrets: createSecretRules({ bindings: config.AGENT_SECRETS_ORIGINS }).check,
});
