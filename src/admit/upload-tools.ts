import { hasSubcommand, isOption } from "./command-words.ts";
import { curlUpload, httpieUpload, wgetUpload } from "./http-upload.ts";

/** What each program is told when it is to send something away. The program alone is no harm. */
const SUBCOMMANDS = tableOf(`
  git: push, send-pack, send-email, http-push, lfs push, annex copy, annex sync, subtree push, svn dcommit
  jj: git push
  hg: push
  bzr: push
  svn: commit, ci, import
  fossil: push, sync
  aws: s3 cp, s3 mv, s3 sync, s3api put-object, s3api upload-part, s3api create-multipart-upload
  s3cmd: put, sync
  s5cmd: cp, mv, sync
  mc: cp, mv, mirror, put
  gsutil: cp, mv, rsync
  gcloud: storage cp, storage mv, storage rsync, artifacts generic upload
  az: storage blob upload, storage blob upload-batch, storage blob sync, storage blob copy
  az: storage copy, storage file upload, storage file upload-batch, acr import
  azcopy: copy, cp, sync
  rclone: copy, copyto, move, moveto, sync, bisync, rcat
  b2: upload-file, file upload, sync
  swift: upload
  gh: release upload, release create, gist create, pr create, issue create
  glab: release upload, release create, snippet create, mr create
  npm: publish
  pnpm: publish
  yarn: publish, npm publish
  bun: publish
  deno: publish
  jsr: publish
  lerna: publish
  vsce: publish
  ovsx: publish
  twine: upload
  flit: publish
  poetry: publish
  uv: publish
  hatch: publish
  pdm: publish
  anaconda: upload
  cargo: publish
  gem: push
  dotnet: nuget push
  nuget: push
  docker: push, image push, compose push, manifest push, plugin push
  podman: push, image push, manifest push
  nerdctl: push, image push
  buildah: push
  skopeo: copy, sync
  oras: push, cp, copy
  crane: push, copy, cp
  helm: push
  kubectl: cp
  hf: upload
  huggingface-cli: upload
  ipfs: add, pin remote add
  wormhole: send
  croc: send
  vercel: deploy
  netlify: deploy
  firebase: deploy
  changeset: publish
  goreleaser: release
`);

/** Programs whose whole purpose is to talk to another machine: named with one, they send or fetch there. */
const REMOTE = ["sftp", "ftp", "lftp", "tftp", "ncftpput", "ssh", "ssh-copy-id", "mosh", "surge"];
/** Programs that publish without being told more. */
const PUBLISHERS = ["semantic-release", "release-it"];
/** Programs that send mail. */
const MAIL = ["sendmail", "mail", "mailx", "mutt", "swaks", "msmtp", "s-nail"];

/** What a command uploads with, in a few words that repeat nothing secret; undefined when it does not. */
export function uploadBy(program: string, args: readonly string[]): string | undefined {
  const told = SUBCOMMANDS.get(program)?.find((subcommand) => hasSubcommand(args, subcommand));
  if (told !== undefined) return `${program} ${told}`;
  switch (program) {
    case "curl":
    case "curlie":
      return curlUpload(args);
    case "wget":
    case "wget2":
      return wgetUpload(args);
    case "http":
    case "https":
    case "xh":
    case "xhs":
      return httpieUpload(program, args);
    case "scp":
      return args.some(isRemotePath) ? "scp" : undefined;
    case "rsync":
      return rsyncUpload(args);
    case "git":
      return args.some((arg) => /^alias\.[^=]*=.*(push|!)/.test(arg))
        ? "git alias for push"
        : undefined;
    case "docker":
    case "podman":
      return hasPush(args) ? `${program} build --push` : undefined;
    case "mvn":
    case "mvnw":
      return args.some((arg) => /^(deploy|release:perform)$|deploy-file$/.test(arg))
        ? `${program} deploy`
        : undefined;
    case "gradle":
    case "gradlew":
      return args.some((arg) => /^(:[\w:-]*:)?publish/.test(arg))
        ? `${program} publish`
        : undefined;
    default:
      return byPurpose(program, args);
  }
}

function byPurpose(program: string, args: readonly string[]): string | undefined {
  if (PUBLISHERS.includes(program)) return args.includes("--dry-run") ? undefined : program;
  if (/^python[0-9.]*$/.test(program)) return setupUpload(args);
  const isTold = args.some((arg) => !isOption(arg));
  return isTold && (REMOTE.includes(program) || MAIL.includes(program)) ? program : undefined;
}

function setupUpload(args: readonly string[]): string | undefined {
  return hasSubcommand(args, "setup.py") && args.includes("upload") ? "setup.py upload" : undefined;
}

function hasPush(args: readonly string[]): boolean {
  const pushes = args.some(
    (arg) => /^--push(=true)?$/.test(arg) || /type=registry|push=true/.test(arg),
  );
  return pushes && args.includes("build");
}

/** `host:path` and `user@host:path`, but no path of this machine that has a colon in it. */
function isRemotePath(arg: string): boolean {
  return /^(scp|sftp|rsync):\/\//.test(arg) || /^[^/.:-][^/:]*:/.test(arg);
}

function rsyncUpload(args: readonly string[]): string | undefined {
  const isRemote = args.some((arg) => isRemotePath(arg) || /^(-[a-zA-Z]*e$|--rsh)/.test(arg));
  return isRemote ? "rsync to another machine" : undefined;
}

/** A map, because a program may be called like something that every object has. */
function tableOf(text: string): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const line of text.trim().split("\n")) {
    const [program = "", told = ""] = line.trim().split(": ");
    table.set(program, [...(table.get(program) ?? []), ...told.split(", ")]);
  }
  return table;
}
