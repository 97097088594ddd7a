/** A command that sends files away, as somebody would name it: `git push`. */
export interface UploadCommand {
  readonly command: string;
}

const TEXT_CHARS_MAX = 1_048_576;
/** Programs that only start the one that follows. */
const WRAPPERS =
  /^(?:sudo|doas|env|nohup|time|exec|command|builtin|xargs|nice|ionice|setsid|stdbuf|timeout|busybox|then|do|else|if|while|!)$/;
const SHELLS = /^(?:ba|da|z|k|a)?sh$/;

/** What of a program's arguments makes it an upload; each text is the words as they are typed. */
const UPLOADS: Readonly<Record<string, RegExp>> = {
  git: /^(?:(?:(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env)) \S+|-(?![Cc] |-(?:git-dir|work-tree|namespace|config-env) )\S+) ){0,50}(?:push|send-pack|send-email|lfs push|svn dcommit)(?: |$)/,
  scp: /./,
  sftp: /./,
  ftp: /./,
  lftp: /./,
  tftp: /./,
  rsync: /(?:^| )(?:[\w.@-]+:|rsync:\/\/)|(?:^| )(?:-e|--rsh)/,
  curl: /(?:^| )(?:-[A-Za-z]*[TFd]|--upload-file|--form(?:-string)?|--data(?:-\w+)?|--json|--post\d*)(?:[ =]|$|\S)|(?:^| )(?:-[A-Za-z]*X|--request)[ =]?(?:POST|PUT|PATCH|DELETE)/,
  wget: /(?:^| )--(?:post-(?:data|file)|body-(?:data|file)|method[ =](?:POST|PUT|PATCH|DELETE))/i,
  aws: /(?:^| )s3 (?:cp|sync|mv)(?: |$)|(?:^| )s3api (?:put-object|upload-part)/,
  gsutil: /(?:^| )(?:cp|rsync|mv)(?: |$)/,
  gcloud: /(?:^| )storage (?:cp|rsync|mv)(?: |$)/,
  az: /(?:^| )storage (?:blob upload|blob sync|copy|file upload)/,
  azcopy: /(?:^| )(?:cp|copy|sync)(?: |$)/,
  rclone: /(?:^| )(?:copy|copyto|sync|move|moveto|rcat|bisync)(?: |$)/,
  s3cmd: /(?:^| )(?:put|sync)(?: |$)/,
  npm: /^(?:-\S+ )*publish(?: |$)/,
  pnpm: /^(?:-\S+ )*publish(?: |$)/,
  yarn: /^(?:npm )?publish(?: |$)/,
  twine: /^upload(?: |$)/,
  cargo: /^publish(?: |$)/,
  docker: /^(?:image )?push(?: |$)/,
  podman: /^(?:image )?push(?: |$)/,
  gh: /^(?:release (?:create|upload)|gist create)(?: |$)/,
};

/**
 * The first upload in a command, also in a script that is handed to a shell. This is a courtesy to
 * honest agents, who learn at once that it cannot work: whoever wants to hide a command can, and
 * finds no network.
 */
export function findUpload(argv: readonly string[]): UploadCommand | undefined {
  const words = argv.join("\u0000").slice(0, TEXT_CHARS_MAX).split("\u0000");
  const direct = uploadIn(words);
  if (direct !== undefined) return direct;
  const script = words.findIndex((word, at) => at > 0 && /^-[a-z]{0,5}c$/.test(word)) + 1;
  const shell = words.slice(0, script).some((word) => SHELLS.test(baseName(word)));
  return script > 0 && shell ? findUploadInScript(words[script] ?? "") : undefined;
}

/** The same for the text of a shell script. */
export function findUploadInScript(script: string): UploadCommand | undefined {
  const text = script.slice(0, TEXT_CHARS_MAX).replace(/\\\n/g, " ");
  for (const part of text.split(/[;&|\n(){}`]/)) {
    const words = part.split(/\s+/).map((word) => word.replace(/["'\\]/g, ""));
    const found = uploadIn(words.filter((word) => word !== ""));
    if (found !== undefined) return found;
  }
  return undefined;
}

function uploadIn(words: readonly string[]): UploadCommand | undefined {
  const at = words.findIndex((word, place) => !isLeadIn(words, word, place));
  const program = baseName(words[at] ?? "");
  const pattern = Object.hasOwn(UPLOADS, program) ? UPLOADS[program] : undefined;
  const rest = words.slice(at + 1).map((word) => word.slice(0, 500));
  const match = pattern?.exec(rest.join(" ").slice(0, 10_000));
  if (match === null || match === undefined) return undefined;
  return { command: `${program} ${rest.slice(0, 2).join(" ")}`.trim().slice(0, 80) };
}

/** Variables, wrappers, and after a wrapper its options and numbers. */
function isLeadIn(words: readonly string[], word: string, place: number): boolean {
  if (/^\w{1,100}=/.test(word) || WRAPPERS.test(baseName(word))) return true;
  const isAfterWrapper = place > 0 && WRAPPERS.test(baseName(words[0] ?? ""));
  return isAfterWrapper && /^(?:-|\d)/.test(word);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
