import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Emit, type FollowedFiles, followFiles } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type AskSettings, noAskers, readAskSettings } from "../ask/ask-settings.ts";
import type { ExecutionConfig } from "../config/config.ts";
import type { AskAccess } from "../http/ask/authenticate-asker.ts";
import type { FileLoaded } from "./file-loaded.ts";

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
export type OpenAskFile = FollowedFiles<AskAccess & Pick<ReadAskFile, "cardKey">>;

/**
 * Follows ASK_FILE. Rejects with a `FileProblemsError` if it can't be used. An edit that can't be used is logged, and the previous settings
 * stay.
 */
export async function openAskFile(
  config: ExecutionConfig,
  { emit, loaded }: { readonly emit: Emit<ExecutionEvent>; readonly loaded: FileLoaded },
): Promise<OpenAskFile> {
  const { ASK_FILE: path, ASK_URL: askUrl } = config;
  const paths = path === undefined ? [] : [path];
  const read = async () => {
    const file = await readAskFile(config);
    const { issuers } = file.settings;
    if (issuers.length === 0) return file;
    // Loaded only when used: it is larger than the rest of authentication.
    const { createVerifySubject } = await import("../http/ask/verify-subject.ts");
    const verifySubject = createVerifySubject(issuers, {
      askUrl,
      clockSkewMs: config.EXECUTION_JWT_CLOCK_SKEW_MS,
      maxAgeMs: config.EXECUTION_JWT_JWKS_MAX_AGE_MS,
      cooldownMs: config.EXECUTION_JWT_JWKS_COOLDOWN_MS,
    });
    return { ...file, verifySubject };
  };
  return followFiles({
    paths,
    read,
    store: ({ settings }) => loaded("askers", settings, paths),
    onApplied: ({ settings }) => emit("ask_file_applied", { askers: settings.askers.length }),
    onFailure: (error) => emit("ask_file_not_usable", { because: errorText(error) }),
  });
}
