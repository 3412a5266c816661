import { randomBytes } from "node:crypto";

/** A secret in a text, and the part of it that must not appear anywhere. */
export interface PlantedSecret {
  readonly kind: string;
  readonly text: string;
  readonly core: string;
}

/** Returns new secrets of every kind that has a known form. */
export function plantedSecrets(): PlantedSecret[] {
  const core = (): string => randomBytes(15).toString("hex");
  const kinds: Record<string, (core: string) => string> = {
    "bot token": (c) => `xoxb-123456789012-1234567890123-${c}`,
    "user token": (c) => `xoxp-1-${c}`,
    "refresh token": (c) => `xoxe-1-${c}`,
    "rotated token": (c) => `xoxe.xoxb-1-${c}`,
    "app-level token": (c) => `xapp-1-A0123456789-1234567890123-${c}`,
    "task handle": (c) => `czh_${c}`,
    "link of a file": (c) => `https://execution.example.com/files/czf_${c}`,
    "bearer token": (c) => `Bearer ${c}`,
    "JSON Web Token": (c) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${c}`,
    "AWS access key": (c) => `AKIA${c.slice(0, 16).toUpperCase()}`,
    "AWS session key": (c) => `ASIA${c.slice(0, 16).toUpperCase()}`,
    "AWS secret in text": (c) => `aws_secret_access_key=${c}`,
    "signed AWS link": (c) => `https://b.s3.amazonaws.com/k?X-Amz-Credential=a%2Fb&X-Amz-Signature=${c}&n=1`,
    "private key": (c) => `-----BEGIN PRIVATE KEY-----\n${c}\n${c}\n-----END PRIVATE KEY-----`,
    "RSA key cut short": (c) => `-----BEGIN RSA PRIVATE KEY-----\n${c}`,
    "password in a URL": (c) => `postgres://crosszone:${c}@db.example.com/x`,
    "user and password in a URL": (c) => `https://${c}@example.com/`,
    "basic credentials": (c) => `Authorization: Basic ${Buffer.from(`me:${c}`).toString("base64")}`,
    "basic credentials alone": (c) => `Basic ${Buffer.from(`me:${c}`).toString("base64")}`,
    "Slack webhook": (c) => `https://hooks.slack.com/services/T00000000/B00000000/${c}`,
    "model key": (c) => `sk-ant-api03-${c}`,
    "cookie line": (c) => `Cookie: session=${c}; theme=dark`,
    "header line": (c) => `X-Slack-Signature: v0=${c}`,
  };
  return Object.entries(kinds).map(([kind, write]) => {
    const random = core();
    const shown = kind.startsWith("AWS") && !kind.includes("text") ? random.slice(0, 16).toUpperCase() : random;
    return {
      kind,
      text: write(random),
      core: kind.startsWith("basic") ? Buffer.from(`me:${random}`).toString("base64").slice(4, 24) : shown,
    };
  });
}

/** Encodings of a secret in a text that is logged. Percent-encoding is covered twice. */
export const wrappings: Readonly<Record<string, (secret: string) => string>> = {
  alone: (secret) => secret,
  "in a sentence": (secret) => `it said ${secret} and went on`,
  "in JSON text": (secret) => JSON.stringify({ a: [secret] }),
  "in JSON text within JSON text": (secret) => JSON.stringify({ body: JSON.stringify({ a: secret }) }),
  "percent-encoded": (secret) => `https://example.com/?q=${encodeURIComponent(secret)}&n=1`,
  "percent-encoded to the last character": (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "percent-encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "in base64 of a JSON object": (secret) => Buffer.from(JSON.stringify({ a: secret })).toString("base64"),
};
