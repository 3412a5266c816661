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
import { type AgentSettings, isProgramsSection, type NewSchedule } from "@crosszone/contracts";
import type { Environment } from "@crosszone/service-kit";
import { type SettingsRows, settingsRow } from "@crosszone/service-kit/settings";
import { assistantRow, type AssistantSettings, modelJudge } from "../../agents/assistant/assistant-settings.ts";
import { type DeclaredMcpServer, mcpRow } from "../../agents/assistant/mcp-settings.ts";
import { hooksRow, type ReadHooks } from "../../fires/hook-settings.ts";
import { schedulesRow } from "../../fires/schedule-settings.ts";
import { type ApprovalPolicy, approvalsRow } from "../../people/approvals.ts";
import { consoleRow, type ConsoleSettings } from "../../people/sign-in/console-settings.ts";
import { type AskSettings, checkPrograms } from "../../tasks/ask/asker.ts";
import type { ExecutionConfig } from "./config.ts";

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
