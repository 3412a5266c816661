import { onTestFinished, vi } from "vitest";
import { runDeploy } from "../run-deploy.ts";
import { credentials } from "../../../testkit/src/agentcore/start-control-plane.ts";

export const digestA = `sha256:${"a".repeat(64)}`;
export const digestB = `sha256:${"b".repeat(64)}`;
export const registry = "123456789012.dkr.ecr.eu-central-1.amazonaws.com";

/** What a run of the command ended with. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The pauses that it made, milliseconds. */
  readonly pauses: readonly number[];
}

/** The environment of the AWS SDK: these variables, and nothing of the machine's. */
export function useAws(env: Readonly<Record<string, string | undefined>> = {}): void {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const keys = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
  const nothing = {
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
  };
  const place = { AWS_REGION: "eu-central-1", AWS_DEFAULT_REGION: undefined, AWS_PROFILE: undefined };
  for (const [name, value] of Object.entries({ ...keys, ...nothing, ...place, ...env })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Runs `pnpm deploy:agentcore` in this process, on a clock of its own: a pause takes no time, and `atPause` may do something in it. */
export async function deploy(
  args: readonly string[],
  { env = {}, atPause }: { env?: NodeJS.ProcessEnv; atPause?: () => void } = {},
): Promise<Ended> {
  let now = Date.now();
  const pauses: number[] = [];
  const said = { out: "", err: "" };
  const code = await runDeploy({
    args,
    env,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    clock: {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
        pauses.push(ms);
        atPause?.();
      },
    },
  });
  return { code, ...said, pauses };
}
