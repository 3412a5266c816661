interface Manifest {
  readonly features: { readonly slash_commands: readonly { readonly url?: string }[] };
  readonly oauth_config: { readonly redirect_urls?: readonly string[] };
  readonly settings: { readonly event_subscriptions: { readonly request_url?: string } };
}

/** The manifest of the app as Socket Mode needs it: without any address of a server. Slack connects no address, the app connects to Slack. */
function socketModeManifest({ features, oauth_config: oauth, settings, ...rest }: Manifest): object {
  const { redirect_urls: _redirects, ...oauthConfig } = oauth;
  const { request_url: _address, ...subscriptions } = settings.event_subscriptions;
  return {
    ...rest,
    features: { ...features, slash_commands: features.slash_commands.map(({ url: _url, ...command }) => command) },
    oauth_config: oauthConfig,
    settings: { ...settings, event_subscriptions: subscriptions, socket_mode_enabled: true },
  };
}

/** The link that opens Slack's form for a new app, filled in. https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests */
export const installLink = (manifest: Manifest): string =>
  `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(socketModeManifest(manifest)))}`;
