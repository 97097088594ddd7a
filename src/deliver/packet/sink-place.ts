import type { SINKS } from "../../schema/admission.ts";
import type { ListedSink } from "../../schema/config.ts";

/** What a listed sink is to the policies, and how it may be named in a record. */
export interface SinkPlace {
  readonly sink: (typeof SINKS)[number];
  /** Without user names, queries and whatever else could hold a secret. */
  readonly destination: string;
}

/** Sites where anybody reads what anybody left. */
const PASTEBINS = hosts(`
  0x0.st anonfiles.com bpa.st catbox.moe controlc.com dpaste.com dpaste.org file.io gist.github.com
  gist.githubusercontent.com gofile.io hastebin.com ix.io paste.debian.net paste.ee paste.rs pastebin.com
  pastes.dev privatebin.net requestbin.com rentry.co sprunge.us temp.sh termbin.com transfer.sh
  webhook.site wetransfer.com
`);
/** Services that turn a request into a message in a chat. */
const CHATS = hosts(`
  api.telegram.org chat.googleapis.com discord.com discordapp.com hooks.slack.com hooks.zapier.com
  oapi.dingtalk.com open.feishu.cn outlook.office.com qyapi.weixin.qq.com slack.com webhook.office.com
`);
/** Stores that belong to a person and not to a project. */
const PERSONAL = hosts(`
  box.com content.dropboxapi.com drive.google.com dropbox.com icloud.com mega.nz onedrive.live.com
`);
const MAIL = ["mailto:", "smtp:", "smtps:", "imap:", "imaps:"];
const GIT = ["git:", "ssh:", "git+ssh:"];

/**
 * What a sink really is. An address that shows itself to be a chat, a pastebin, a mailbox or a
 * personal remote is that, whatever its list calls it; the policies then refuse it.
 */
export function sinkPlace(listed: ListedSink, folder: string): SinkPlace {
  if (listed.kind === "folder") return { sink: "artifact-store", destination: `folder ${folder}` };
  if (!URL.canParse(listed.url)) {
    return { sink: "arbitrary-url", destination: "an address that is no URL" };
  }
  const url = new URL(listed.url);
  const shown = shownBy(url);
  // A hook's path is its password, so of such places the host alone is named.
  return shown === undefined
    ? { sink: listed.is, destination: `${url.origin}${url.pathname}` }
    : { sink: shown, destination: `${url.protocol}//${url.host || "…"}` };
}

/**
 * Whether an address is a place that never receives anything, whoever lists it: a pastebin, a chat, a
 * mailbox, somebody's own store, or one with a password in it.
 */
export function isNeverASink(url: URL): boolean {
  const host = url.hostname.replace(/\.+$/, "").toLowerCase();
  const isNamed = [CHATS, PASTEBINS, PERSONAL].some((known) => isBelow(host, known));
  return isNamed || MAIL.includes(url.protocol) || url.password !== "";
}

function shownBy(url: URL): SinkPlace["sink"] | undefined {
  const { protocol, pathname, username, password, search, hash } = url;
  const host = url.hostname.replace(/\.+$/, "").toLowerCase();
  if (MAIL.includes(protocol)) return "smtp";
  if (isBelow(host, CHATS) || pathname.startsWith("/hooks/")) return "chat-webhook";
  if (isBelow(host, PASTEBINS)) return "pastebin";
  if (GIT.includes(protocol) || /\.git(\/|$)/.test(pathname)) return "personal-remote";
  if (isBelow(host, PERSONAL) || `${username}${password}` !== "") return "personal-remote";
  // What is no plain address of a store could carry anything: a signed query, another protocol.
  return protocol !== "https:" || `${search}${hash}` !== "" ? "arbitrary-url" : undefined;
}

function isBelow(host: string, known: readonly string[]): boolean {
  return known.some((name) => host === name || host.endsWith(`.${name}`));
}

function hosts(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
