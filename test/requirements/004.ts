import type { Requirement } from "../requirements.ts";

/**
 * Source document 004: cadence, environments, extraction, egress, policy, consensus, delivery.
 *
 * @public
 */
export const RULES = {
  "004-1": {
    text: "A parser finds files in model text in four forms: a code block with its name in a comment, a backticked name with `content:`, a `--- filename: ---` header, a `cat > file << EOF` heredoc.",
    state: "tested",
  },
  "004-2": { text: "Text that yields no file becomes a `task_analysis` action.", state: "tested" },
  "004-3": {
    text: "An empty or `none` sandbox type runs the task unsandboxed.",
    state: "superseded by decision 28",
  },
  "004-4": { text: "The mapping from roles to models sets `DefaultProvider`.", state: "tested" },
  "004-5": { text: "The reply that once gave 0 artifacts gives 2.", state: "tested" },
  "004-6": {
    text: "Answers rest on internal context (UCXL, decision records) first, then on training, and on the web last.",
    state: "tested",
  },
  "004-7": {
    text: "Where sources disagree the internal one wins, and the answer says so.",
    state: "tested",
  },
  "004-8": {
    text: "Content that SHHH, the secret scanner, marks restricted is never repeated.",
    state: "tested",
  },
  "004-9": {
    text: "Requirement ids follow `PROJ-CAT-###` and appear in code, proposals and the subjects of commits and pull requests.",
    state: "tested",
  },
  "004-10": {
    text: "Each requirement id links back by UCXL address to its spec or decision record.",
    state: "tested",
  },
  "004-11": {
    text: "A completion proposal cites fixed revisions only, and no moving latest.",
    state: "tested",
  },
  "004-12": {
    text: "The beat is the clock: BeatFrames are read, deadlines count beats or windows, and the phases include plan, work and review.",
    state: "tested",
  },
  "004-13": {
    text: "An active agent sends a StatusClaim each beat with `hlc`, `beat_index`, `window_id`, `workspace_manifest_hash` and `image_digest`.",
    state: "tested",
  },
  "004-14": {
    text: "Evidence logs and metrics are keyed by `hlc`, `beat_index`, `window_id` and `goal.ids`.",
    state: "tested",
  },
  "004-15": {
    text: "Code cites its requirement in REQ, WHY and UCXL comment lines, and a commit reads like `feat(CHORUS): CHORUS-INT-004 …`.",
    state: "tested",
  },
  "004-16": {
    text: "Role prompts include the traceability rule and cannot weaken it.",
    state: "tested",
  },
  "004-17": {
    text: "Seven ready images exist with their tools, from 643 MB to 2.42 GB: base, cpp, go, java, node, python and rust.",
    state: "superseded by decision 35",
  },
  "004-18": {
    text: "The workspace has a read-only `input`, a scratch `data` and an `output` for deliverables.",
    state: "tested",
  },
  "004-19": {
    text: "A task context is JSON with `task_id`, `description` and a `context` made of `language` and `repository_url`.",
    state: "tested",
  },
  "004-20": {
    text: "A language nobody stated is guessed from keywords or a URL ending in `-rs`, `-go` or `-py`, else base is used.",
    state: "tested",
  },
  "004-21": {
    text: "`context.language` beats the model's name, which beats the repository URL, which beats words in the description.",
    state: "tested",
  },
  "004-22": {
    text: "An execution plan states its environment by digest, the reason and the steps.",
    state: "tested",
  },
  "004-23": {
    text: "An image without a pinned digest is refused, and tags appear only in text for people.",
    state: "tested",
  },
  "004-24": {
    text: "Tasks run as the user `chorus`, UID 1000, and not as root.",
    state: "tested",
  },
  "004-25": {
    text: "A task finds its folders in `WORKSPACE_ROOT`, `WORKSPACE_INPUT`, `WORKSPACE_DATA` and `WORKSPACE_OUTPUT`.",
    state: "tested",
  },
  "004-26": { text: "Anyone can pull the ready images.", state: "superseded by decision 35" },
  "004-27": {
    text: "Model replies are laid out so that files can be taken from them.",
    state: "tested",
  },
  "004-28": {
    text: "A file's backticked name stands right before its code block, led in by `Create file`.",
    state: "tested",
  },
  "004-29": {
    text: "Two more lead-ins count: a file said to have the content that follows, and a file named with its code.",
    state: "tested",
  },
  "004-30": { text: "A changed file is given whole, led in by `Update file`.", state: "tested" },
  "004-31": {
    text: "Several files come one by one, each with its own name and block.",
    state: "tested",
  },
  "004-32": {
    text: "Bare instructions, nameless blocks, a file in pieces and relative edits yield no file.",
    state: "tested",
  },
  "004-33": {
    text: "Extracted files enter the workspace, pass tests and validation, become a pull request and go to consensus review.",
    state: "tested",
  },
  "004-34": { text: "A reply can be extracted in one way only.", state: "tested" },
  "004-35": { text: "Every container begins with its network mode at none.", state: "tested" },
  "004-36": {
    text: "Files pass in and out through the mounted workspace alone.",
    state: "tested",
  },
  "004-37": {
    text: "A task container has a read-only root, no network, no capabilities, no new privileges, at most 512 pids, capped memory and CPU, and three mounts, one ro and two rw.",
    state: "tested",
  },
  "004-38": {
    text: "Preflight demands no network, UID 1000 and no mounted secrets, be they SSH, AWS, gcloud, kubeconfig, netrc or OAuth.",
    state: "tested",
  },
  "004-39": {
    text: "A pull joins `pull-net` for a moment, through a proxy with an allow-list that stops uploads, CONNECT, WebSocket and git push; credentials and authenticated fetches stay with the agent.",
    state: "superseded by decision 31",
  },
  "004-40": {
    text: "A pull connects a network to a container that began without one and disconnects it before work goes on.",
    state: "superseded by decision 31",
  },
  "004-41": {
    text: "Only the agent uploads, encrypted with age and logged, to listed destinations, and any other is a hard fail.",
    state: "tested",
  },
  "004-42": {
    text: "Tasks never use `rclone copy`, `az storage blob upload`, `gsutil cp`, `aws s3 cp` or `sync`, `curl -T`, `scp`, `rsync` over ssh, or `git push`.",
    state: "tested",
  },
  "004-43": {
    text: "The agent may publish to an artifact store, a package registry or a signed VCS release.",
    state: "tested",
  },
  "004-44": {
    text: "An upload tool may be installed, since the power to upload is what is missing.",
    state: "tested",
  },
  "004-45": {
    text: "Before upload each output file's SHA-256, size and time are recorded, along with the image digest.",
    state: "tested",
  },
  "004-46": {
    text: "The manifest holds `task_id`, the command, image and `image_digest`, allowed environment, sizes and hashes, start and end, and `egress_used` as `false` or `pull-only`.",
    state: "tested",
  },
  "004-47": {
    text: "A manifest's summary goes to a decision record and the UCXL timeline, and the whole of it, encrypted, to HCFS.",
    state: "tested",
  },
  "004-48": {
    text: "After egress the task links proxy logs of domains, methods and byte counts, free of bodies and with headers redacted.",
    state: "tested",
  },
  "004-49": {
    text: "A run fails hard on a network at start, a write method (WebDAV included) or unlisted domain at the proxy, a mounted secret path, or an upload tool outside a pull.",
    state: "tested",
  },
  "004-50": {
    text: "The model is told that uploads are forbidden, deliverables go to output, pulls must be requested, and the agent publishes once validated and signed.",
    state: "tested",
  },
  "004-51": {
    text: "Tasks run on the agent's own node over a local Unix socket, with no Swarm service.",
    state: "tested",
  },
  "004-52": {
    text: "Swarm, if unavoidable, is held to `node.hostname == <agent_node>` or refused.",
    state: "tested",
  },
  "004-53": {
    text: "Binds are local to the node, and a remote volume needs an exception record and a secret review.",
    state: "tested",
  },
  "004-54": {
    text: "An image named by tag alone fails admission, because only a digest pins it.",
    state: "tested",
  },
  "004-55": {
    text: "Each run attests its `container_id`, `image_digest`, `env_allowlist` and command.",
    state: "tested",
  },
  "004-56": {
    text: "The first run of a digest leaves an SPDX list of parts, `SBOM-<digest>.spdx.json`, in the output folder.",
    state: "tested",
  },
  "004-57": {
    text: "A gate on CRITICAL vulnerabilities, fed by SBOM and VEX, is on offer and yields only to a security decision record.",
    state: "tested",
  },
  "004-58": {
    text: "Memory, CPUs, pids, open files and a read-only root are all set, or the run is refused.",
    state: "tested",
  },
  "004-59": { text: "A step ends after 15 minutes and a job after 60.", state: "tested" },
  "004-60": {
    text: "`CHORUS_SEED`, `SOURCE_DATE_EPOCH`, locale and time zone are fixed and recorded.",
    state: "tested",
  },
  "004-61": {
    text: "Log times only move forward, and outputs hold no current time.",
    state: "tested",
  },
  "004-62": {
    text: "Preflight fails on any mounted secret, browser profiles included.",
    state: "tested",
  },
  "004-63": {
    text: "Every artifact has an `artifact.meta.json` beside it with `pii` and a `classification` of public, internal or restricted.",
    state: "superseded by decision 36",
  },
  "004-64": {
    text: "A flagged artifact is not uploaded until a reviewer clears it or it is redacted.",
    state: "tested",
  },
  "004-65": {
    text: "The sample allow-list has the Rust, Python and npm registries, distribution mirrors, and GitHub for GET alone.",
    state: "tested",
  },
  "004-66": {
    text: "The proxy denies CONNECT, DELETE, PATCH, POST and PUT, WebDAV, WebSocket, and OPTIONS that carries a body.",
    state: "superseded by decision 32",
  },
  "004-67": {
    text: "A connection shows SNI and ALPN, and neither IP literals nor `.onion` names get through.",
    state: "tested",
  },
  "004-68": {
    text: "TLS is 1.2 or newer, with the CA verified and a wrong SAN refused.",
    state: "tested",
  },
  "004-69": {
    text: "The proxy logs task, domain, method, bytes each way, start and end, and nothing else.",
    state: "tested",
  },
  "004-70": {
    text: "Uploads may reach HCFS and UCXL, internal artifact and package repositories, and GitHub Releases by service account.",
    state: "tested",
  },
  "004-71": {
    text: "Pastebins, chat webhooks, SMTP, personal remotes and arbitrary URLs never receive an upload.",
    state: "tested",
  },
  "004-72": {
    text: "Binaries and tarballs are signed with minisign or age-sign and linked from the delivery packet.",
    state: "tested",
  },
  "004-73": {
    text: "The scratch folder is wiped, and using it again needs a decision record.",
    state: "tested",
  },
  "004-74": {
    text: "Container, anonymous volumes and temporary files are gone after a run, however it ended.",
    state: "tested",
  },
  "004-75": {
    text: "A run whose output holds a `.env`, a private key or a token does not complete.",
    state: "tested",
  },
  "004-76": {
    text: "The rule groups F, I, N, P, S, U, W and X are policy that a program executes.",
    state: "tested",
  },
  "004-77": {
    text: "Policy is checked ahead of creating anything, and a missing control denies.",
    state: "tested",
  },
  "004-78": {
    text: "After the run the manifest's hash is signed by the policy engine, and the delivery packet carries that signature.",
    state: "tested",
  },
  "004-79": {
    text: "Done requires agreement with the spec, shown by a `context.get` summary and the decisions.",
    state: "tested",
  },
  "004-80": {
    text: "Done requires passing tests and, by default, coverage of 80 % or more.",
    state: "tested",
  },
  "004-81": {
    text: "Done requires that a rebuild from one digest and seed gives equal hashes, or says why not.",
    state: "tested",
  },
  "004-82": {
    text: "Done requires a diff summary with reasons, risks and a way back.",
    state: "tested",
  },
  "004-83": { text: "Done requires evidence on performance and service levels.", state: "tested" },
  "004-84": { text: "Done requires a clean secret scan (SHHH).", state: "tested" },
  "004-85": { text: "Done requires the licence check (KACHING).", state: "tested" },
  "004-86": {
    text: "Done requires documentation, migrations and runbooks to be current.",
    state: "tested",
  },
  "004-87": { text: "Done requires UCXL and decision links, with owners told.", state: "tested" },
  "004-88": {
    text: "Done requires that no red stands and each yellow is mitigated or deferred by a record.",
    state: "tested",
  },
  "004-89": {
    text: "What is unknown is looked up, and one failed condition means not done.",
    state: "tested",
  },
  "004-90": {
    text: "A proposal goes from DRAFT through REVIEW and CONSENSUS to SUBMITTED and ends MERGED or REJECTED.",
    state: "tested",
  },
  "004-91": {
    text: "Proposers face reviewers of two or more relevant roles under an elected leader, and SLURP ingests the outcome.",
    state: "tested",
  },
  "004-92": {
    text: "A vote is green, yellow or red and says what it touched, why, and on which evidence.",
    state: "tested",
  },
  "004-93": {
    text: "Quorum is three votes with a domain and a quality reviewer among them.",
    state: "tested",
  },
  "004-94": {
    text: "A proposal passes with no red and two greens, or with one green and two mitigated yellows under a decision record.",
    state: "tested",
  },
  "004-95": {
    text: "One red holds the proposal in REVIEW until it is settled or escalated.",
    state: "tested",
  },
  "004-96": {
    text: "Consensus moves through Propose, Critique by section, Converge with one repeat before a small record, and Seal.",
    state: "tested",
  },
  "004-97": {
    text: "Without quorum in 4 beats, 15 minutes each by default, reviewers are added or the scope shrinks, unless WHOOSH sets other figures.",
    state: "tested",
  },
  "004-98": {
    text: "A completion proposal gives artifact, scope, UTC snapshot with build hash, links, diff, tests, performance, security, compliance, docs, rollback, open yellows, provenance, evidence and the review it asks for.",
    state: "tested",
  },
  "004-99": { text: "Tool output is quoted as it came and not retold.", state: "tested" },
  "004-100": { text: "A rubric fixes what green, yellow and red mean.", state: "tested" },
  "004-101": {
    text: "A vote block has focus areas, evidence anchors, rationale and mitigations with action, owner and deadline.",
    state: "tested",
  },
  "004-102": {
    text: "A delivery packet follows CONSENSUS at once, with artifact, version, a receipt of votes and residual risk, provenance, contents and compliance.",
    state: "tested",
  },
  "004-103": {
    text: "`deliver.submit` takes `artifact`, `files[]`, `packet_markdown`, `urgency` and `notify_roles[]` and answers a `submission_id` that is accepted, queued or rejected; UCXL addresses go along, and SLURP's `/decision/bundle` is the fallback.",
    state: "tested",
  },
  "004-104": {
    text: "An agent checks the definition of done first, never approves itself, waits for quorum, settles reds or records why, then submits.",
    state: "tested",
  },
  "004-105": {
    text: "A reviewer points at exact lines, gives a yellow its mitigation, owner and deadline, and a red its conflict and a way out.",
    state: "tested",
  },
  "004-106": {
    text: "Redacted content is not guessed, and a preflight denial is reported with its rule and ends the attempt.",
    state: "tested",
  },
  "004-107": {
    text: "The calls `context.get` (brief or full, in Markdown), `deliver.submit`, `review.status` (phase, votes, blockers) and `review.vote` exist.",
    state: "tested",
  },
  "004-108": { text: "A drifted spec means a refresh, a rebase and new votes.", state: "tested" },
  "004-109": {
    text: "A lasting yellow becomes a decision record and a dated task, which the leader may accept when bounded and logged.",
    state: "tested",
  },
  "004-110": {
    text: "When an owner stays away past the timeout, an architect and a QA reviewer complete the quorum under an escalation record.",
    state: "tested",
  },
  "004-111": {
    text: "The example runs through: a yellow is fixed, turns green, and submission `D-2481` is accepted.",
    state: "tested",
  },
  "004-112": {
    text: "Overriding one of the policy rules takes an exception record with owner, expiry and rollback.",
    state: "tested",
  },
  "004-113": {
    text: "The first reply, and only that one, states the knowledge cutoff.",
    state: "tested",
  },
  "004-114": {
    text: "Nothing beyond public and internal sections is echoed unless a reviewer allows it.",
    state: "tested",
  },
  "004-115": {
    text: "A question about the project starts with `context.get`, whose answer stands even if training disagrees.",
    state: "tested",
  },
  "004-116": {
    text: "The web is asked only for outside facts newer than the cutoff.",
    state: "tested",
  },
  "004-117": {
    text: "An answer has in order the cutoff, internal context verbatim, dated and linked web bullets, a reasoned answer with citations, and next steps.",
    state: "tested",
  },
  "004-118": {
    text: "Context is fetched brief first and once per reasoning phase.",
    state: "tested",
  },
  "004-119": {
    text: "An answer tells what it knows from training apart from what it found on the web.",
    state: "tested",
  },
} satisfies Readonly<Record<string, Requirement>>;
