import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseAllDocuments } from "yaml";

/** One Kubernetes resource, in the members that the checks read. */
export interface Resource {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Record<string, string>;
  };
  readonly data?: Record<string, string>;
  readonly spec: {
    readonly podSelector?: object;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
    readonly template?: { readonly metadata?: Resource["metadata"]; readonly spec: Pod };
  };
}

/** A rule of a network policy. Without `from` or `to` it allows every peer. */
export interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number }[];
}

export interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  readonly namespaceSelector?: { readonly matchLabels?: Record<string, string> };
  readonly podSelector?: { readonly matchLabels?: Record<string, string> };
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

export interface Pod {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: Record<string, unknown>;
  readonly containers: readonly {
    readonly image: string;
    readonly env?: readonly Variable[];
    readonly securityContext?: Record<string, unknown>;
    readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  }[];
  readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
}

/** The resources in YAML text of one or more documents. Throws when it isn't YAML. */
export const parseResources = (text: string): Resource[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Resource);

const root = resolve(import.meta.dirname, "../../..");

/** The resources of the files below a folder of the repository, without what tells kustomize how to combine them. */
export const readResources = (folder: string): Resource[] =>
  globSync("**/*.yaml", { cwd: resolve(root, folder) })
    .filter((file) => !file.endsWith("kustomization.yaml"))
    .flatMap((file) => parseResources(readFileSync(resolve(root, folder, file), "utf8")));
