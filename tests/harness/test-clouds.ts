import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createPrivateCa,
  startAzureIdentityEndpoint,
  startAzureInstanceMetadata,
  startGoogleMetadata,
  startIdentityProvider,
  type Certificate,
} from "@crosszone/testkit";
import { tune } from "@crosszone/testkit/tune";
import { afterAll } from "vitest";

export const googleAccount = { sub: "104242", email: "verification@demo.iam.gserviceaccount.com" };
const managedIdentity = { appid: "11111111-1111-1111-1111-111111111111", oid: "22222222-2222-2222-2222-222222222222" };
const identityHeader = "header-of-the-identity-endpoint";
const entraIssuer = "https://login.microsoftonline.com/demo/v2.0";

export type TestClouds = Awaited<ReturnType<typeof startTestClouds>>;

/** Starts the sources of credentials on loopback: identity providers, token services and a certificate authority. Ends with the file's tests. */
export async function startTestClouds() {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-clouds-"));
  const all = await startAll();
  afterAll(async () => {
    rmSync(dir, { recursive: true, force: true });
    const { google, microsoft, metadata, endpoint, imds } = all;
    await Promise.all([google.service, microsoft.service, metadata, endpoint, imds].map((service) => service.stop()));
  });
  return {
    ...all,
    /** Writes a temporary file and returns its path. */
    file: (name: string, text: string) => {
      const path = join(dir, name);
      writeFileSync(path, text);
      return path;
    },
  };
}

async function startAll() {
  const [google, microsoft, authority, otherAuthority] = await Promise.all([
    startIdentityProvider("https://accounts.google.com"),
    startIdentityProvider(entraIssuer),
    createPrivateCa(),
    createPrivateCa("CN=Another authority"),
  ]);
  const [metadata, endpoint, imds] = await Promise.all([
    startGoogleMetadata(google, googleAccount),
    startAzureIdentityEndpoint(microsoft, managedIdentity, identityHeader),
    startAzureInstanceMetadata(microsoft, managedIdentity),
  ]);
  return { google, microsoft, authority, otherAuthority, metadata, endpoint, imds };
}

type Variables = Record<string, string>;

/** Returns verification's variables for Google's ID tokens. */
export const googleSource = ({ metadata }: TestClouds): Variables => ({
  EXECUTION_CREDENTIALS: "google",
  ...tune({ GCE_METADATA_HOST: new URL(metadata.url).host }),
});

/** Returns execution's variables that verify these tokens. */
export const googleCheck = ({ google }: TestClouds, audience: string): Variables => ({
  CALLER_AUTH: "jwt",
  CALLER_JWT_ISSUER: google.issuer,
  CALLER_JWT_AUDIENCE: audience,
  CALLER_ALLOWED: `email:${googleAccount.email}`,
  CALLER_JWT_JWKS: google.jwksUrl,
});

/** Returns verification's variables for Entra's tokens, from the endpoint of App Service and Container Apps. */
export const entraSource = ({ endpoint }: TestClouds, scope: string): Variables => ({
  EXECUTION_CREDENTIALS: "entra",
  EXECUTION_AUDIENCE: scope,
  IDENTITY_ENDPOINT: `${endpoint.url}/msi/token`,
  IDENTITY_HEADER: identityHeader,
});

/** Returns verification's variables for Entra's tokens on a virtual machine. */
export const imdsSource = ({ imds }: TestClouds, scope: string): Variables => ({
  EXECUTION_CREDENTIALS: "entra",
  EXECUTION_AUDIENCE: scope,
  ...tune({ AZURE_POD_IDENTITY_AUTHORITY_HOST: imds.url }),
  AZURE_CLIENT_ID: managedIdentity.appid,
});

/** Returns execution's variables that verify these tokens, with the keys. */
export const entraCheck = ({ microsoft }: TestClouds, audience: string): Variables => ({
  CALLER_AUTH: "jwt",
  CALLER_JWT_ISSUER: microsoft.issuer,
  CALLER_JWT_AUDIENCE: audience,
  CALLER_ALLOWED: `appid:${managedIdentity.appid}`,
  CALLER_JWT_JWKS: JSON.stringify(microsoft.keys()),
});

let written = 0;

/** Writes a certificate and its key. Returns the two variables of `prefix` that name the files. */
export function certificateFiles(
  clouds: TestClouds,
  prefix: "TLS" | "EXECUTION_CLIENT",
  { cert, key }: Certificate,
): Variables {
  written += 1;
  return {
    [`${prefix}_CERT_FILE`]: clouds.file(`${written}.crt`, cert),
    [`${prefix}_KEY_FILE`]: clouds.file(`${written}.key`, key),
  };
}
