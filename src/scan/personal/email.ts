import { isWordAt, matchOf, type PersonalStretch } from "./personal-hit.ts";

/** The longest part before the sign (RFC 5321). */
const LOCAL_CHARS_MAX = 64;
const DOMAIN = /@(?:[A-Za-z0-9\u00a1-\uffff-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])/y;
const LOCAL = /[A-Za-z0-9._%+'\u00a1-\uffff-]/;

/** Nobody reads these, or a whole office does; and the names that manuals use. */
const NOBODY =
  /^(?:no-?_?reply|do-?not-?reply|mailer-d[a]emon|postmaster|hostmaster|webmaster|abuse|adm[i]n|administrator|root|git|hg|svn|info|support|security|contact|hello|hi|sales|team|help|office|press|legal|privacy|billing|jobs|notifications?|b[o]t|ci|dev|devs|developers?|maintainers?|opensource|oss|user(?:name)?|you|your-?_?(?:name|email)|me|my-?_?(?:name|email)|name|e-?mail|foo|bar|baz|someone|somebody|anyone|test(?:er|ing|user)?\d{0,4}|example|sample|(?:john|jane)[._-]?(?:doe|smith)?|alice|bob|carol|eve|mallory|[a-z])$/i;
/** Names that the standards keep for examples (RFC 2606, RFC 6761), and those people make up. */
const NOWHERE =
  /(?:^|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local|internal|localdomain|tld)$|^(?:no-?reply|users\.noreply)\.|^(?:(?:your|my|some|the)?-?(?:domain|company|site|website|host|server|email|org)|acme|foo|bar|baz|test|[a-z])\.(?:com|org|net|io|dev|co)$/i;
/** `icon@2x.png`, `name@v1.2.3-rc.next`: what else has such a sign in it. */
const OTHER =
  /^v?\d{1,9}\.\d|\.(?:png|jpe?g|gif|svg|webp|ico|[cm]?[jt]sx?|css|scss|less|json|html?|xml|ya?ml|toml|lock|txt|sum|mod|tgz|gz|zip|whl|jar|so|dll|exe|patch|diff)$/i;

/** The e-mail address of a person around an at sign. */
export function emailAt(text: string, at: number): PersonalStretch | undefined {
  const domain = matchOf(DOMAIN, text, at)?.slice(1);
  if (domain === undefined || OTHER.test(domain) || NOWHERE.test(domain)) return undefined;
  const start = startOfLocal(text, at);
  const local = text.slice(start, at);
  // An address of the web can carry a user's name; a password beside it is the secret scan's.
  if (local === "" || (text[start - 1] === "/" && text[start - 2] === "/")) return undefined;
  if (NOBODY.test(local.replace(/\+.{0,64}$/, ""))) return undefined;
  return { rule: "email-address", severity: "medium", start, end: at + 1 + domain.length };
}

function startOfLocal(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LOCAL_CHARS_MAX && LOCAL.test(text[start - 1] ?? "")) start -= 1;
  while (start < at && !isWordAt(text, start) && text.charCodeAt(start) < 0xa1) start += 1;
  return start;
}
