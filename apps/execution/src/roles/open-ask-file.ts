import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Emit } from "@crosszone/service-kit";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type AskSettings, noAskers, readAskSettings } from "../ask/ask-settings.ts";
import type { ExecutionConfig } from "../config/config.ts";
import type { AskAccess } from "../http/ask/authenticate-asker.ts";
import { followFiles } from "./agents-file.ts";

/** The settings in ASK_FILE, and the key that they name, PEM. */
interface ReadAskFile {
  readonly settings: AskSettings;
  readonly cardKey?: string | undefined;
}

type AskConfig = Pick<ExecutionConfig, "ASK_FILE" | "ASK_URL">;

/** Reads ASK_FILE. Rejects with a `FileProblemsError` that names each mistake by line. */
export async function readAskFile({ ASK_FILE: path, ASK_URL: askUrl }: AskConfig): Promise<ReadAskFile> {
  if (path === undefined) return { settings: noAskers };
  const { value, problemAt } = await readYamlFile(path, "file of askers");
  const read = readAskSettings(value, askUrl);
  if ("problems" in read) throw new FileProblemsError(read.problems.map(problemAt));
  const { settings } = read;
  if (settings.card_key === undefined) return { settings };
  const problem = (message: string): Error => new FileProblemsError([problemAt({ pointer: "/card_key", message })]);
  const cardKey = await readFile(resolve(dirname(path), settings.card_key), "utf8").catch((error: unknown) => {
    throw problem(`names a file that can't be read (${(error as NodeJS.ErrnoException).code})`);
  });
  if (!canSign(cardKey)) throw problem("names a file without a private key of P-256, RSA or Ed25519 in PEM");
  return { settings, cardKey };
}

function canSign(pem: string): boolean {
  try {
    const { asymmetricKeyType: type = "", asymmetricKeyDetails: details } = createPrivateKey(pem);
    return ["rsa", "ed25519"].includes(type) || details?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

/** What ASK_FILE allows now. */
export interface OpenAskFile {
  readonly current: () => AskAccess & Pick<ReadAskFile, "cardKey">;
  /** Stops following the file. */
  readonly close: () => Promise<void>;
}

/**
 * Follows ASK_FILE. Rejects with a `FileProblemsError` if it can't be used. An edit that can't be used is logged, and the previous settings
 * stay.
 */
export async function openAskFile(config: ExecutionConfig, emit: Emit<ExecutionEvent>): Promise<OpenAskFile> {
  const { ASK_FILE: path, ASK_URL: askUrl } = config;
  const load = async () => {
    const read = await readAskFile(config);
    const { issuers } = read.settings;
    if (issuers.length === 0) return read;
    // Loaded only when used: it is larger than the rest of authentication.
    const { createVerifySubject } = await import("../http/ask/verify-subject.ts");
    const verifySubject = createVerifySubject(issuers, {
      askUrl,
      clockSkewMs: config.EXECUTION_JWT_CLOCK_SKEW_MS,
      maxAgeMs: config.EXECUTION_JWT_JWKS_MAX_AGE_MS,
      cooldownMs: config.EXECUTION_JWT_JWKS_COOLDOWN_MS,
    });
    return { ...read, verifySubject };
  };
  let current = await load();
  const apply = async (): Promise<void> => {
    current = await load();
    emit("ask_file_applied", { askers: current.settings.askers.length });
  };
  const onFailure = (error: unknown): void =>
    emit("ask_file_not_usable", { because: error instanceof Error ? error.message : "it cannot be read" });
  const close = path === undefined ? async () => undefined : followFiles([path], { apply, onFailure });
  return { current: () => current, close };
}
