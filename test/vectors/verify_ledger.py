#!/usr/bin/env python3
"""A second verifier of sworn bundles: docs/formats and schemas, in the standard library only.

python3 verify_ledger.py [--all] <bundle>... prints one JSON line a bundle: its status and first
failure; with --all, also every failure and warning as [code, seq]. Exit code 0 if all pass, with or
without warnings, and 4 otherwise. The profile is "default".
"""
import base64, hashlib, json, math, pathlib, re, sys
from decimal import Decimal

# Ed25519 (RFC 8032) without multiplication by the cofactor; a point is (x, y, z, x * y / z).
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SMALL_ORDER = {0, 1, P - 1} | {int.from_bytes(bytes.fromhex(y), "little") for y in (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")}

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

def decode_point(raw):
    y, sign = int.from_bytes(raw, "little") & (2**255 - 1), raw[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    for x in (root, root * pow(2, (P - 1) // 4, P) % P):
        if x * x % P == square:
            x = P - x if x & 1 != sign else x
            return x, y, 1, x * y % P

BASE = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))

def is_signed(key, message, signature):
    """Whether [s]B - [k]A is R. One loop works out both products."""
    point, s = decode_point(key), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    minus = (P - point[0], point[1], 1, P - point[3])
    terms, total = (None, BASE, minus, add(BASE, minus)), (0, 1, 1, 0)
    for bit in range(252, -1, -1):
        total, which = add(total, total), (s >> bit & 1) + 2 * (k >> bit & 1)
        total = add(total, terms[which]) if which else total
    x, y = (part * pow(total[2], -1, P) % P for part in total[:2])
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]

# Hashes and keys.
def sha(data):
    return hashlib.sha256(data).digest()

def unbase64(text):
    """The bytes, or none of them unless this is their one spelling."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""

def usable_key(public):
    """The bytes of a key that may be enrolled, or None; no bytes are of small order, too."""
    raw = unbase64(public)
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    return raw if y < P and y not in SMALL_ORDER else None

def is_id_of(key, public):
    has_form = isinstance(public, str) and re.fullmatch("[A-Za-z0-9+/]{43}=", public)
    return bool(has_form) and sha(base64.b64decode(public)).hex()[:32] == key

def is_own_key(key, public):
    return is_id_of(key, public) and usable_key(public)

# JSON: reading, the canonical form of RFC 8785, and the published schemas.
UNREADABLE = object()

def parse(text, pairs=dict):
    """The value, or UNREADABLE, or NaN if it is nested too deep to be looked into. Numbers are
    doubles, and whole ones up to 2^53 - 1 are int.
    """
    def number(digits):
        double = float(digits)
        return int(double) if abs(double) < 2**53 and double % 1 == 0 else double
    try:  # parse_constant is asked for NaN and Infinity, which int refuses
        value = json.loads(text, object_pairs_hook=pairs, parse_int=number, parse_float=number,
                           parse_constant=int)
        return value if depth(value) <= 64 else math.nan
    except ValueError:
        return UNREADABLE
    except RecursionError:
        return math.nan

def depth(value):
    items = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, items), default=0) if isinstance(value, (dict, list)) else 0

def unique(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name is given twice")
    return dict(pairs)

def canonical(value):
    """For what has no canonical form, a text that no line of UTF-8 and JSON is equal to."""
    if isinstance(value, float):  # version 1 has none, but the spelling is judged first
        if 1e-6 <= abs(value) < 1e21:
            return format(Decimal(repr(value)).normalize(), "f")
        return re.sub("e([+-])0*", r"e\1", repr(value))
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{canonical(n)}:{canonical(value[n])}" for n in names) + "}"

TYPES = {dict: ["object"], list: ["array"], str: ["string"], bool: ["boolean"],
         type(None): ["null"], int: ["integer", "number"], float: ["number"]}

def fits(value, schema, root):
    """Whether a value has the form of a schema, which may use the keywords below and no others."""
    if isinstance(schema, bool):
        return schema
    def fit(item, form):
        return fits(item, form, root)
    members = schema.get("properties", {})
    keywords = {
        "$ref": lambda path: fit(value, root["$defs"][path.split("/")[-1]]),
        "type": lambda names: any(name in names for name in TYPES.get(type(value), [])),
        "anyOf": lambda forms: any(fit(value, form) for form in forms),
        "const": lambda only: value == only,
        "enum": lambda options: value in options,
        "pattern": lambda pattern: re.fullmatch(pattern, value, re.ASCII),
        "minLength": lambda least: len(value) >= least,
        "maxLength": lambda most: len(value) <= most,
        "minimum": lambda least: value >= least,
        "maximum": lambda most: value <= most,
        "minItems": lambda least: len(value) >= least,
        "maxItems": lambda most: len(value) <= most,
        "maxProperties": lambda most: len(value) <= most,
        "items": lambda form: all(fit(item, form) for item in value),
        "required": lambda names: set(names) <= value.keys(),
        "properties": lambda _: all(fit(value[n], members[n]) for n in members if n in value),
        "additionalProperties": lambda form: all(
            fit(value[name], form) for name in value if name not in members),
        "propertyNames": lambda form: all(fit(name, form) for name in value)}
    assert schema.keys() <= {"$schema", "$defs", "title", "description", "format", *keywords}
    return all(holds(schema[word]) for word, holds in keywords.items() if word in schema)

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas"
ENTRY, REPORT = (json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
                 for name in ("entry", "verification-report"))
ENTRIES = {form["properties"]["type"]["const"]: form for form in ENTRY["oneOf"]}
STATUSES = "fail", "pass-with-warnings", "pass"
CODES = REPORT["properties"]["failures"]["items"]["properties"]["code"]["enum"]
WARNINGS = {"DISPUTE_OPEN", "CLAIM_ON_FAILURE", "SESSION_NOT_COMPLETED", "CLOCK_WENT_BACK",
            "GAP_RECORDED"}

# The protocol: who may write a type, in which states, the state that follows unless the rule says
# it, what is created and with which status, and the links: their kind, their target, and where it
# matters the status that the target must have and whether it must be the actor's own or another's.
# "intent.retry_of" is the intent that the member retry_of names, "intent" the one of intent_id.
ALL = "planner executor critic auditor operator runtime"
WORK, REVIEW = "executing claiming", "reviewing executing claiming"
TALK, OPEN = "planning " + REVIEW, "planning " + REVIEW + " auditing"
PROTOCOL = dict(
    session_initialized=("planner", "initialized", "planning", ""),
    proposal_created=("planner", TALK, "", "proposal proposed",
                      "revises proposal.revises proposed|rejected|conditional",
                      "falls-back execution.fallback_for failed"),
    proposal_reviewed=("critic", REVIEW, "", "", "reviews proposal proposed other"),
    tool_intent_signed=("executor", WORK, "executing", "intent signed", "implements proposal",
                        "retries intent.retry_of"),
    intent_reviewed=("critic", "executing", "", "", "reviews intent signed"),
    tool_execution_started=("executor", "executing", "", "execution running",
                            "executes intent signed own"),
    tool_execution_completed=("executor", "executing", "", "", "finishes execution running own"),
    tool_execution_failed=("executor", "executing", "", "", "finishes execution running own"),
    artifact_recorded=("executor", WORK, "", "", "supports execution"),
    claim_issued=("executor", "claiming", "", "claim standing",
                  "rests-on execution.execution_ids completed|failed",
                  "revises claim.revises standing own"),
    claim_challenged=("critic", "claiming", "", "challenge open",
                      "challenges claim standing other"),
    challenge_resolved=("critic", "claiming", "", "", "resolves challenge open"),
    finding_checked=("critic", "claiming", "", "", "reviews claim standing other"),
    final_statement_signed=("executor planner", "claiming", "auditing", "",
                            "consolidates claim.consolidated_claim_ids"),
    verification_run_started=("auditor", "claiming auditing", "auditing", ""),
    verification_run_completed=("auditor", "auditing", "", "",
                                "verifies audit.verification_id running own"),
    rework_opened=("auditor operator", "auditing", "executing", "", "reopens round.round fail"),
    completion_proposed=("planner executor operator runtime", OPEN, "", "completion open",
                         "revises completion.revises open"),
    vote_cast=("critic auditor operator runtime", OPEN, "", "", "reviews completion open"),
    review_moved=("planner operator runtime", OPEN + " completed", "", "",
                  "reviews completion open", "rests-on note.decision_id"),
    session_failed=("auditor operator runtime", OPEN, "failed", ""),
    session_aborted=("operator", OPEN, "aborted", ""),
    agent_enrolled=("operator runtime", OPEN, "", ""),
    run_started=("runtime", OPEN, "", "run running", "child_of run.parent_run_id running",
                 "retries run.previous_run_id completed|failed|cancelled|partial"),
    run_completed=("runtime", OPEN, "", "", "finishes run running"),
    beat_opened=("runtime", OPEN, "", ""),
    status_claimed=("runtime", OPEN, "", ""),
    lease_taken=("runtime", OPEN, "", ""),
    lease_ended=("runtime", OPEN, "", ""),
    message_posted=(ALL, OPEN, "", ""),
    question_asked=(ALL, TALK, "", "question open"),
    question_answered=(ALL, TALK, "", "", "answers question open"),
    fact_recorded=(ALL, OPEN, "", "fact kept"),
    decision_recorded=(ALL, OPEN, "", "note.decision_id kept"),
    exception_recorded=("operator", OPEN, "", "note.exception_id kept"),
    key_rotated=(ALL, OPEN, "", ""),
    key_revoked=(ALL, OPEN, "", ""),
    gap_recorded=("operator runtime", OPEN + " completed failed aborted", "", ""))
MAKING = set("""proposal_created tool_intent_signed artifact_recorded claim_issued
    final_statement_signed""".split())
JUDGING = set("proposal_reviewed intent_reviewed claim_challenged challenge_resolved "
              "finding_checked".split())
SPOKEN = set("message_posted question_asked question_answered decision_recorded fact_recorded "
             "run_started run_completed".split())
RUNNER_KINDS, DECIDERS = "START STOP RUN_START RUN_STOP RUN_CRASH".split(), "planner operator".split()
RISKS, MAY_WORK = ["low", "medium", "high", "critical"], ["approved", "conditional"]
QUALITY, LATE_MOVES = {"auditor", "runtime"}, ("submitted", "merged", "rejected")
MOVES = dict(converge="REVIEW", disagreement="REVIEW", consensus="REVIEW", submitted="CONSENSUS",
             merged="SUBMITTED", rejected="REVIEW CONSENSUS SUBMITTED")

# Guards by their codes: ORDER stands for IDENTITY and LIMIT too, POLICY for ROLE, INDEPENDENCE and
# ACTION.
ORDER, POLICY, KEY = "ORDER_VIOLATION", "ROLE_POLICY_VIOLATION", "KEY_NOT_ACTIVE"
STATE, EVIDENCE, FINAL = "STATE_VIOLATION", "CLAIM_UNPROVEN", "FINALIZATION_VIOLATION"

class Refused(Exception):
    """A guard says no, with the code for it."""

def refuse(code, *reasons):
    if any(reasons):
        raise Refused(code)

class Thing(dict):
    """Members as attributes, or None."""
    __getattr__, __setattr__ = dict.get, dict.__setitem__

class Things(dict):
    """Things by kind and name. What does not exist is an empty Thing."""
    def __missing__(self, key):
        return Thing()

def keys_of(reference, this):
    """Kind and name of what a reference of the protocol stands for, or of each in a list."""
    kind, _, member = reference.partition(".")
    names = this.get(member or kind + "_id")
    return [(kind, name) for name in (names if isinstance(names, list) else [names])]

class Session:
    """What the accepted entries led to. A rule gets the body of an entry, which is also the thing
    that the entry creates, and the targets of its links. Behind its guards stands its effect.
    """
    def __init__(self):
        self.things, self.state, self.policy, self.profile = Things(), "initialized", Thing(), None
        self.works, self.struck, self.finished, self.rounds, self.final = {}, [], 0, 0, False
        self.accepted, self.idems, self.recorded, self.compromised = [], set(), {}, {}
        self.spoken, self.reds, self.statuses, self.beat = set(), {}, {}, Thing(beat_index=-1)
        self.lease, self.last_lease = None, Thing(number=0, until_beat=-1)

    def all(self, kind, status=None):
        return [thing for (its_kind, _), thing in self.things.items()
                if its_kind == kind and status in (None, thing.status)]

    def judge(self, entry):
        """The links that an entry must have. Raises Refused unless it has had its effect."""
        roles, states, leads_to, creates, *links = map(str.split, PROTOCOL[entry.type])
        this = Thing(entry.body, type=entry.type, seq=entry.seq, by=entry.actor["agent"],
                     role=entry.actor["role"], signer=entry.actor["key"],
                     hashes={ref["hash"] for ref in entry.artifacts})
        agent, key = self.things["agent", this.by], self.things["key", this.signer]
        created, status = (keys_of(creates[0], this), creates[1]) if creates else ([], None)
        refuse(ORDER, entry.idem in self.idems)
        if entry.type == "session_initialized":
            refuse(KEY, *(not is_own_key(each["key"], each["public"]) for each in this.agents))
        else:
            refuse(STATE, self.state == "initialized")
            refuse(POLICY, this.role not in (agent.roles or []))
            refuse(KEY, key.agent != this.by, key.status != "active")
        refuse(POLICY, this.role not in roles)
        refuse(STATE, self.state not in states)
        refuse(ORDER, entry.fence != (None if entry.type == "lease_taken" else self.lease))
        refuse(ORDER, *(key in self.things for key in created))
        targets, parents = [], []
        for link in links:
            kind, reference, statuses, whose = [*link, "", ""][:4]
            for key in keys_of(reference, this):
                target, is_given = self.things[key], key[1] is not None
                refuse(ORDER, is_given and statuses and target.status not in statuses.split("|"))
                refuse(POLICY, is_given and whose == "own" and target.by != this.by,
                       whose == "other" and this.by in (target.authors or [target.by]))
                targets.append(target)
                parents += [(kind, target.seq)] if target else []
        parents += getattr(self, entry.type, lambda *_: None)(this, *targets) or []
        for key in created:
            self.things[key], this.status = this, status
        for name in this.hashes:
            self.recorded.setdefault(name, this.seq)
        self.state = leads_to[0] if leads_to else self.state
        self.idems |= {entry.idem} - {None}
        self.accepted.append(this)
        self.spoken |= {this.seq} if entry.type in SPOKEN else set()
        return parents

    def session_initialized(self, this):
        agents = [Thing(agent) for agent in this.agents]
        own = [agent for agent in agents if agent.agent == this.by]
        runtimes = [agent.roles for agent in agents if "runtime" in agent.roles]
        refuse(POLICY, {role for agent in agents for role in agent.roles} != set(ALL.split()))
        refuse(ORDER, len({agent.agent for agent in agents}) < len(agents))
        refuse(POLICY, len({agent.key for agent in agents}) < len(agents))
        refuse(ORDER, len(runtimes) > 1)
        refuse(POLICY, len(runtimes[0]) > 1, not own or this.role not in own[0].roles)
        refuse(KEY, own[0].key != this.signer)
        self.policy, self.profile = Thing({"tool_risk": {}, **this.policy}), this.profile
        for agent in agents:
            self.things["agent", agent.agent] = agent
            self.things["key", agent.key] = Thing(agent, status="active")

    def proposal_created(self, this, old, failed):
        refuse(POLICY, this.fallback_for and not self.policy.fallback)
        refuse(STATE, self.state in WORK.split() and not (old or failed or self.rounds))
        this.authors = {this.by}.union(old.authors or [], failed.authors or [])
        this.tools = {tool for unit in this.units for tool in unit["required_tools"]}
        old.status, failed.owes = "revised", False
        self.state = "reviewing" if self.state == "planning" else self.state

    def proposal_reviewed(self, this, proposal):
        refuse(EVIDENCE, (this.proposal_status == "conditional") != bool(this.conditions))
        proposal.status, proposal.conditions = this.proposal_status, this.conditions or []
        if self.state == "reviewing" and proposal.status in MAY_WORK:
            self.state = "executing"

    def tool_intent_signed(self, this, proposal, old):
        refuse(POLICY, proposal.status not in MAY_WORK or this.tool_name not in proposal.tools)
        run, tool, most = old.run or Thing(), same_tool(this.tool_name), self.policy.attempts_max
        has_failed = run.status == "failed" if run else old.review == "blocked"
        refuse(ORDER, this.retry_of and (not has_failed or old.retried or old.attempt >= most))
        name = tool, this.normalized_input_hash
        work = self.works.setdefault(name, Thing(failures=0, running=0))
        refuse(ORDER, work.failures >= most)
        least = [risk for name, risk in self.policy.tool_risk.items() if same_tool(name) == tool]
        this.risk = max(map(RISKS.index, [this.risk_class, *least]))
        this.authors, this.attempt = {this.by}.union(old.authors or []), (old.attempt or 0) + 1
        this.proposal, this.work, old.retried, run.owes = proposal, work, True, False

    def intent_reviewed(self, this, intent):
        refuse(ORDER, intent.run, intent.review in ("blocked", this.intent_status))
        refuse(POLICY, this.by in intent.authors)
        intent.review, intent.work.blocked = this.intent_status, this.intent_status == "blocked"
        self.settle()

    def tool_execution_started(self, this, intent):
        refuse(ORDER, intent.run)
        work, is_risky = intent.work, intent.risk >= RISKS.index(self.policy.approval_from)
        refuse(POLICY, intent.review == "blocked", intent.proposal.status not in MAY_WORK,
               (work.blocked or is_risky) and intent.review != "approved")
        refuse(ORDER, work.failures + work.running >= self.policy.attempts_max)
        refuse(EVIDENCE, intent.normalized_input_hash not in {*self.recorded, *this.hashes})
        this.work, this.attempt, this.authors = work, intent.attempt, intent.proposal.authors
        intent.run, work.running = this, work.running + 1

    def tool_execution_ended(self, this, run):
        refuse(EVIDENCE, not this.handling and not this.hashes)
        work, failures = run.work, run.work.failures + 1 if this.handling else 0
        refuse(ORDER, this.handling == "retry"
               and max(run.attempt, failures) >= self.policy.attempts_max)
        refuse(POLICY, this.handling == "fallback" and not self.policy.fallback)
        run.status, run.outputs = "failed" if this.handling else "completed", this.hashes
        run.owes = this.handling in ("retry", "fallback")
        work.failures, work.running, self.finished = failures, work.running - 1, self.finished + 1
        self.settle()

    tool_execution_completed = tool_execution_failed = tool_execution_ended

    def settle(self):
        """Leads to claiming when work is settled."""
        waits = any(not intent.run and intent.review != "blocked" for intent in self.all("intent"))
        busy = any(run.status == "running" or run.owes for run in self.all("execution"))
        self.state = "executing" if waits or busy or self.finished == 0 else "claiming"

    def artifact_recorded(self, this, run):
        refuse(EVIDENCE, not this.hashes)
        refuse(ORDER, this.execution_id and not run)

    def claim_issued(self, this, *targets):
        *this.runs, old = targets
        refuse(EVIDENCE, len(set(this.evidence)) < self.policy.evidence_min,
               any(set(this.evidence) <= evidence for evidence in self.struck))
        old.status, old.newer = "revised", this

    def suffices(self, claim):
        """Whether the evidence of a claim is enough for the profile."""
        found = [self.recorded.get(name, math.inf) <= claim.seq for name in claim.evidence]
        origins = {run.seq for run in claim.runs if run.outputs & set(claim.evidence)}
        if self.profile == "solo":
            return any(found)
        return all(found) and (self.profile == "team" or len(origins) >= self.policy.evidence_min)

    def challenge_resolved(self, this, challenge):
        claim = self.things["claim", challenge.claim_id]
        refuse(POLICY, claim.by == this.by,
               this.resolution == "withdrawn" and challenge.by != this.by)
        refuse(ORDER, this.resolution == "revised" and claim.status != "revised")
        challenge.status = this.resolution
        while claim and this.resolution == "upheld":
            self.struck.append(set(claim.evidence))
            claim.status = "revised" if claim.newer else "struck"
            claim = claim.newer

    def finding_checked(self, this, claim):
        claim.made_up = claim.made_up or this.verdict == "HALLUCINATED"

    def final_statement_signed(self, this, *claims):
        standing = self.all("claim", "standing")
        met = [each for claim in standing for each in claim.meets or []]
        terms = [dict(proposal_id=intent.proposal_id, condition=place)
                 for intent in self.all("intent") if intent.run
                 for place, _ in enumerate(intent.proposal.conditions)]
        refuse(FINAL, {claim.seq for claim in claims} != {claim.seq for claim in standing},
               self.all("challenge", "open"), any(claim.made_up for claim in standing),
               any(term not in met for term in terms), self.has_red(),
               not all(map(self.suffices, standing)))
        self.final = True

    def verification_run_started(self, this):
        refuse(ORDER, not self.all("claim"), self.all("audit", "running"),
               self.things["round", self.rounds + 1])
        acts = {earlier.type for earlier in self.accepted if earlier.by == this.by}
        refuse(POLICY, acts & MAKING, self.profile != "solo" and acts & JUDGING)
        self.things["audit", this.verification_id], this.status = this, "running"

    def verification_run_completed(self, this, audit):
        refuse(EVIDENCE, this.report not in this.hashes)
        refuse(FINAL, this.size != this.seq,
               this.status != "fail" and (not self.final or self.has_red()))
        audit.status, self.state = "ended", "completed"
        if this.status == "fail":
            self.things["round", self.rounds + 1] = this
            self.state = "auditing" if self.rounds < self.policy.rework_max else "failed"

    def rework_opened(self, this, failed_audit):
        refuse(ORDER, this.round != self.rounds + 1)
        self.rounds, self.final, self.finished = this.round, False, 0

    def decided(self, name, authors):
        """Only a decision of somebody else lets anything pass."""
        decision = self.things["note", name]
        refuse(ORDER, decision.type != "decision_recorded")
        refuse(POLICY, decision.by in authors)

    def has_red(self):
        return any(self.reds.get(one.subject) for one in self.all("completion", "open"))

    def completion_proposed(self, this, old):
        this.makers = {each["agent"] for each in this.authors} | (old.makers or set())
        this.makers |= set() if this.role == "runtime" else {this.by}
        refuse(EVIDENCE, this.digest not in this.hashes)
        for each in this.deferred or []:
            self.decided(each["decision_id"], this.makers)
        old.status, this.votes, this.phase = "revised", {}, "DRAFT" if this.undone else "REVIEW"

    def vote_cast(self, this, completion):
        acts = {earlier.type for earlier in self.accepted if earlier.by == this.by}
        refuse(ORDER, completion.digest != this.digest, completion.phase != "REVIEW")
        refuse(POLICY, this.by in completion.makers or acts & MAKING,
               bool(this.check) != (this.role == "runtime"))
        refuse(EVIDENCE, this.vote == "yellow" and not this.mitigations,
               this.vote == "red" and not this.fix)
        old = completion.votes.get(this.by)
        refuse(ORDER, bool(old) != bool(this.replaces))
        completion.votes[this.by] = this
        reds = self.reds.setdefault(completion.subject, set())
        (reds.add if this.vote == "red" else reds.discard)(this.by)
        return [("supersedes", old.seq)] if old else []

    def review_moved(self, this, completion, decision):
        refuse(ORDER, completion.digest != this.digest)
        if this.decision_id:
            self.decided(this.decision_id, completion.makers)
        refuse(STATE, self.state == "completed" and this.to not in LATE_MOVES)
        refuse(ORDER, completion.phase not in MOVES[this.to].split(),
               this.to == "converge" and (completion.converged or not completion.votes),
               this.to == "disagreement" and not (completion.converged and this.decision_id))
        if this.to == "consensus":
            refuse(FINAL, not self.agrees(this, completion))
        completion.converged = completion.converged or this.to == "converge"
        if this.to in ("consensus", *LATE_MOVES):
            completion.phase = this.to.upper()

    def agrees(self, this, completion):
        makers = completion.makers | {one.by for one in self.accepted if one.type in MAKING}
        votes = [vote for vote in completion.votes.values() if vote.by not in makers]
        sides = {vote.role in QUALITY for vote in votes}
        green = sum(vote.vote == "green" for vote in votes)
        if self.reds.get(completion.subject) or len(sides) < 2:
            return False
        if this.by_duo:
            return green == len(votes) and bool(this.decision_id)
        is_borne = completion.converged and this.role == "operator"
        needs_decision = green == 1 or is_borne
        return len(votes) >= 3 and (green >= 2 or bool(needs_decision and this.decision_id))

    def beat_opened(self, this):
        last = self.beat.beat_index
        refuse(ORDER, last >= 0 and (this.cluster_id != self.beat.cluster_id
                                     or not last < this.beat_index <= last + 100_000))
        self.beat = this

    def status_claimed(self, this):
        refuse(ORDER, not self.things["agent", this.agent_id],
               this.beat_index <= self.statuses.get(this.agent_id, -1),
               this.beat_index > self.beat.beat_index)
        self.statuses[this.agent_id] = this.beat_index

    def lease_taken(self, this):
        now, last = self.beat.beat_index, self.last_lease
        refuse(ORDER, this.number != last.number + 1, now < 0,
               self.lease and last.holder != this.holder and now <= last.until_beat,
               not now <= this.until_beat <= now + 96)
        self.lease, self.last_lease = this.number, this

    def lease_ended(self, this):
        refuse(ORDER, this.number != self.lease)
        self.lease = None

    def agent_enrolled(self, this):
        refuse(ORDER, self.things["agent", this.agent])
        refuse(POLICY, {"operator", "runtime"} & set(this.roles))
        refuse(KEY, self.things["key", this.key], not is_own_key(this.key, this.public))
        joined = Thing(agent=this.agent, roles=this.roles, key=this.key, public=this.public)
        self.things["agent", this.agent] = joined
        self.things["key", this.key] = Thing(joined, status="active")

    def run_started(self, this, parent, previous):
        refuse(ORDER, not self.things["agent", this.agent],
               this.depth != (parent.depth + 1 if parent else 0))

    def run_completed(self, this, run):
        refuse(POLICY, this.status == "completed" and this.exit_code)
        run.status = this.status

    def message_posted(self, this):
        refuse(POLICY, this.kind in RUNNER_KINDS and this.role != "runtime",
               this.kind == "USER" and this.role != "operator")
        parents = [(each["kind"], int(each["id"][4:])) for each in this.parents or []]
        refuse(ORDER, any(seq not in self.spoken for _, seq in parents))
        refuse(EVIDENCE, this.attachment and this.attachment not in this.hashes)
        return parents

    def question_answered(self, this, question):
        refuse(POLICY, bool(this.by_default) != (this.role == "runtime"))
        refuse(POLICY, not this.by_default and this.role not in DECIDERS
               and this.by not in (question.to or []))
        has_end, due = question.deadline or question.due_beat is not None, question.due_beat
        refuse(POLICY, this.by_default and (not has_end or question.default != this.answer
                                            or due is not None and self.beat.beat_index <= due))
        question.status = "answered"

    def fact_recorded(self, this):
        refuse(POLICY, this.scope == "project" and this.role not in DECIDERS)

    def exception_recorded(self, this):
        refuse(POLICY, this.requester == this.by)
        refuse(ORDER, not self.things["agent", this.requester])

    def key_rotated(self, this):
        agent, old = self.things["agent", this.agent], self.things["key", this.old_key]
        refuse(POLICY, this.agent != this.by and this.role not in ("operator", "runtime"))
        refuse(ORDER, not agent)
        refuse(KEY, old.agent != this.agent, agent.key not in (None, this.old_key),
               self.things["key", this.new_key], not is_own_key(this.new_key, this.public))
        agent.key, old.status = this.new_key, "rotated" if old.status == "active" else old.status
        self.things["key", this.new_key] = Thing(
            agent=this.agent, key=this.new_key, public=this.public, status="active")

    def key_revoked(self, this):
        agent, key = self.things["agent", this.agent], self.things["key", this.key]
        refuse(POLICY, this.role not in ("operator", "runtime") and (
            this.agent != this.by or this.compromised_from is not None))
        refuse(KEY, key.agent != this.agent, key.status == "revoked",
               agent.key == this.key and "runtime" in agent.roles)
        refuse(ORDER, (this.compromised_from or 0) > this.seq)
        key.status, agent.key = "revoked", None if agent.key == this.key else agent.key
        if this.compromised_from is not None:
            self.compromised[this.key] = this.compromised_from

def same_tool(name):
    return name.strip().lower()

# The bundle, the tree and the checkpoint.
def pack(name, content):
    """A member in the one spelling."""
    front = name.ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2
    front += b"%011o\0" % len(content) + b"0" * 11 + b"\0"
    back = b"0" + bytes(100) + b"ustar\x0000" + bytes(247)
    checksum = b"%06o\0 " % sum(front + b" " * 8 + back)
    return front + checksum + back + content + bytes(-len(content) % 512)

def unpack(data):
    """The members of a bundle by name. Raises ValueError unless it is in the one spelling."""
    found, at = [], 0
    while digits := re.fullmatch(b"[0-7]{11}", data[at + 124:at + 135]):
        name, begin, size = data[at:at + 100].rstrip(b"\0"), at + 512, int(digits[0], 8)
        found.append((name, data[begin:begin + size]))
        at = begin + size + -size % 512
    names, sizes = [name.decode() for name, _ in found], [len(content) for _, content in found]
    rest = names[3:]
    if (b"".join(pack(*member) for member in found) + bytes(1024) != data
            or names[:3] != ["checkpoint", "keys.json", "entries.jsonl"]
            or rest != sorted(set(rest)) or len(names) > 10**6
            or not all(re.fullmatch("artifacts/[0-9a-f]{64}", name) for name in rest)
            or max(sizes[:2]) > 2**20 or max(sizes[3:], default=0) > 2**30
            or not found[2][1].endswith(b"\n")):
        raise ValueError("not a bundle")
    members = dict(zip(names, [content for _, content in found]))
    return members | {name: members[name].decode() for name in names[:2]}

def tree_root(leaves):
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\1" + tree_root(leaves[:half]) + tree_root(leaves[half:]))

# A name has no plus and none of the characters that Unicode calls White_Space.
NAME = "[^+\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
NOTE = re.compile(r"(sworn\.trace/(.*)\n(0|[1-9][0-9]{0,15})\n(.*)\n(?:.*\n)*)\n"
                  rf"((?:— {NAME} [A-Za-z0-9+/]+=*\n)+)")

def open_checkpoint(note, trace, public):
    """Size and root, or None unless the note is of this trace and signed with this key."""
    key, parts = usable_key(public or ""), NOTE.fullmatch(note)
    if not key or not parts or parts[2] != trace or len(note.encode("utf-16-le")) > 2 * 65536:
        return None
    lines = [(name, unbase64(text)) for name, text in re.findall("— (.*) (.*)", parts[5])]
    mark, root = sha(b"sworn\n\1" + key)[:4], unbase64(parts[4])
    own = [is_signed(key, parts[1].encode(), raw[4:])
           for name, raw in lines if name == "sworn" and raw[:4] == mark]
    is_good = own and all(own) and all(len(raw) >= 5 for _, raw in lines)
    return (int(parts[3]), root) if is_good and len(root) == 32 and int(parts[3]) < 2**53 else None

# The steps of ledger.md, section 11.
def enrolled(line, body):
    """The keys that a line enrols, with their agents, whether or not it is accepted."""
    joins = b'"type":"agent_enrolled","v":1}'
    ends = b'"type":"session_initialized","v":1}', b'"type":"key_rotated","v":1}', joins
    body = Thing(body if line.endswith(ends) and isinstance(body, dict) else {})
    alone = dict(agent=body.agent, key=body.new_key, public=body.public)
    if line.endswith(joins):  # whoever joins later is never the runtime
        alone = dict(agent=body.agent, key=body.key, public=body.public, roles=[])
    offers = [alone] if body.agents is None else body.agents
    offers = [Thing(o) for o in offers if isinstance(o, dict)] if isinstance(offers, list) else []
    return [offer for offer in offers if is_id_of(offer.key, offer.public)]

def runtime_key(offers):
    """The key that the agent listed as runtime got last."""
    agent = public = None
    for offer in offers:
        has_roles = isinstance(offer.roles, list)
        if "runtime" in offer.roles if has_roles else public and offer.agent == agent:
            agent, public = offer.agent, offer.public
    return public

def line_problem(line, value, known):
    """The code for what is wrong with a line by itself, or None."""
    text = line.decode("utf-8", "replace")
    if value is UNREADABLE or text.encode() != line:
        return "SCHEMA_INVALID"
    if canonical(value) != text:
        return "HASH_MISMATCH"
    if not isinstance(value, dict) or "sig" not in value:
        return "SIG_MISSING"
    has_proto = '"__proto__":' in text  # in canonical text, only a name looks like this
    if has_proto or not fits(value, ENTRIES.get(str(value.get("type")), False), ENTRY):
        return "SCHEMA_INVALID"
    if value["actor"]["key"] not in known:
        return "KEY_UNKNOWN"
    message = canonical({name: value[name] for name in value if name != "sig"}).encode()
    is_good = is_signed(known[value["actor"]["key"]], message, unbase64(value["sig"]))
    return None if is_good else "SIG_INVALID"

class Verification:
    """All that is found in a bundle. It never stops at the first finding."""
    def __init__(self, bundle):
        self.bundle, self.session, self.findings = bundle, Session(), []
        self.trace, self.hlc, self.leaves, self.listed, self.is_whole = None, "", [], {}, True
        self.check_checkpoint(self.read_lines())
        bad = self.check_artifacts()
        if self.is_whole:
            self.check_whole(bad)

    def find(self, code, seq, is_so=True):
        self.findings += [[code, seq]] if is_so else []

    def read_lines(self):
        """Takes in all lines and returns the runtime's key."""
        known, prev, offers, accepted = {}, "0" * 64, [], []
        for seq, line in enumerate(self.bundle["entries.jsonl"][:-1].split(b"\n")):
            is_short = len(line) <= 2**20
            value = parse(line.decode("utf-8", "replace")) if is_short else UNREADABLE
            entry = Thing(value if isinstance(value, dict) else {})
            offered = enrolled(line, entry.body)
            known |= {o.key: usable_key(o.public) for o in offered if usable_key(o.public)}
            problem = line_problem(line, value, known)
            if self.trace is None and isinstance(entry.trace, str):
                self.trace = entry.trace
            is_seq = type(entry.seq) is int and entry.seq == seq
            breaches = [entry.trace != self.trace, not is_seq, entry.prev != prev]
            self.find(problem, seq, problem)
            for is_breach in breaches if isinstance(value, (dict, list)) else []:
                self.find("CHAIN_BREAK", seq, is_breach)
            for ref in [] if problem else entry.artifacts:
                size, _ = self.listed.setdefault(ref["hash"], (ref["bytes"], seq))
                self.find("ARTIFACT_HASH_MISMATCH", seq, size != ref["bytes"])
            self.is_whole = self.is_whole and not problem and not any(breaches)
            offers += offered
            accepted += offered if self.is_whole and self.accepts(entry) else []
            prev = sha(line).hex()
            self.leaves.append(sha(b"\0" + sha(line)))
        return runtime_key(accepted if self.is_whole else offers)

    def accepts(self, entry):
        """Whether the rules let an entry have its effect. Its links are looked at after that."""
        try:
            parents = self.session.judge(entry)
        except Refused as refused:
            self.find(refused.args[0], entry.seq)
            return False
        is_linked = parents == [(parent["kind"], parent["seq"]) for parent in entry.parents]
        self.find("ORDER_VIOLATION", entry.seq, not is_linked)
        self.find("CLOCK_WENT_BACK", entry.seq, entry.hlc <= self.hlc)
        self.find(FINAL, entry.seq, entry.body.get("head", entry.prev) != entry.prev)
        self.hlc = entry.hlc
        return True

    def check_checkpoint(self, public):
        note, count = self.bundle["checkpoint"], len(self.leaves)
        size, root = open_checkpoint(note, self.trace, public) or (count, None)
        self.find("TAIL_MISSING", count, size > count)
        self.find("TAIL_UNSIGNED", size, size < count)
        self.find("CHECKPOINT_INVALID", None, size == count and root != tree_root(self.leaves))

    def check_artifacts(self):
        """Returns the hashes of those that are not as they should be."""
        bad = set()
        for name, (size, seq) in self.listed.items():
            content = self.bundle.get("artifacts/" + name)
            if content is None or sha(content).hex() != name or len(content) != size:
                bad.add(name)
                self.find("ARTIFACT_MISSING" if content is None else "ARTIFACT_HASH_MISMATCH", seq)
        for name in list(self.bundle)[3:]:
            self.find("ARTIFACT_UNCITED", None, self.is_whole and name[10:] not in self.listed)
        return bad

    def check_whole(self, bad):
        session, members = self.session, ("agent", "key", "public", "status")
        keys = [{name: key[name] for name in members} for key in session.all("key")]
        is_listed = self.bundle["keys.json"] == canonical(dict(keys=keys)) + "\n"
        self.find("BUNDLE_MALFORMED", None, not is_listed)
        for key, start in session.compromised.items():
            places = [this.seq for this in session.accepted if this.signer == key]
            late = [seq for seq in places if seq >= start]
            self.find("KEY_COMPROMISED", min(late, default=None), late)
        for claim in session.all("claim", "standing"):
            is_late = any(session.recorded.get(name, 0) > claim.seq for name in claim.evidence)
            self.find("EVIDENCE_LATE", claim.seq, is_late)
            is_proven = session.suffices(claim) and not bad & set(claim.evidence)
            self.find("CLAIM_UNPROVEN", claim.seq, not is_proven)
            has_failed = all(run.status == "failed" for run in claim.runs)
            self.find("CLAIM_ON_FAILURE", claim.seq, has_failed)
        for challenge in session.all("challenge", "open"):
            self.find("DISPUTE_OPEN", challenge.seq)
        for this in session.accepted:
            is_audit = this.type == "verification_run_completed" and this.report not in bad
            self.find("FINALIZATION_VIOLATION", this.seq, is_audit and not self.bears_out(this))
            self.find("GAP_RECORDED", this.seq, this.type == "gap_recorded")
        self.find("SESSION_NOT_COMPLETED", None, session.state != "completed")

    def bears_out(self, audit):
        """Whether the stored report is about this trace and says no less than the entry."""
        content = self.bundle["artifacts/" + audit.report]
        try:
            report = parse(content.decode(), unique)
        except UnicodeDecodeError:
            return False
        if len(content) > 2**20 or not fits(report, REPORT, REPORT):
            return False
        is_text = not re.search("[\ud800-\udfff]", canonical(report))
        about, rank = (report["trace"], report["entries"], report["head"]), STATUSES.index
        return (is_text and about == (self.trace, audit.size, audit.head)
                and rank(audit.status) <= rank(report["status"]))

def verify(path):
    """The status, and failures and warnings in their order, each as [code, seq]."""
    try:
        bundle = unpack(pathlib.Path(path).read_bytes())
    except (OSError, ValueError):
        return "fail", [["BUNDLE_MALFORMED", None]], []
    findings = Verification(bundle).findings
    findings.sort(key=lambda one: (math.inf if one[1] is None else one[1], CODES.index(one[0])))
    failures = [finding for finding in findings if finding[0] not in WARNINGS]
    warnings = [finding for finding in findings if finding[0] in WARNINGS]
    return "fail" if failures else "pass-with-warnings" if warnings else "pass", failures, warnings

def main(arguments):
    verdicts = [(path, *verify(path)) for path in arguments if path != "--all"]
    for path, status, failures, warnings in verdicts:
        code, seq = failures[0] if failures else (None, None)
        more = dict(failures=failures, warnings=warnings) if "--all" in arguments else {}
        print(json.dumps(dict(file=path, status=status, code=code, seq=seq, **more)))
    return 0 if verdicts and all(verdict[1] != "fail" for verdict in verdicts) else 4

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
